import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ViewColumnEntity } from '@trellis/sdk/shared';
import { ApiError, type WebColumnType, type WebFilterOperator } from '@trellis/sdk/web';
import { aColumn, numberType, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import FormPage from './FormPage.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

const path = '/api/v1/db/public/shared-view/u_1';
const columns = [aColumn('cl_why', 'Why'), aColumn('cl_name', 'Name'), aColumn('cl_late', 'Late')];
const place = (columnId: string, order: number, meta: object) =>
  ({ id: `vc_${columnId}`, fk_column_id: columnId, show: true, order, meta }) as ViewColumnEntity;
const form = {
  id: 'vw_1',
  title: 'Sign up',
  meta: '{}',
  relatedMetas: {},
  view: { meta: {} },
  columns: [place('cl_why', 1, {}), place('cl_name', 2, {}), place('cl_late', 3, { startsPage: true })],
  model: { columns },
};

const equals: WebFilterOperator = {
  id: 'eq',
  label: 'is',
  arity: 'one',
  build: ({ column, value, literal }) => ({
    kind: 'compare',
    comparison: 'eq',
    left: column,
    right: literal(value),
  }),
};
const isAddress = (text: unknown): boolean => typeof text === 'string' && text.includes('@');

function show(
  answer: () => unknown,
  types: WebColumnType | readonly WebColumnType[] = textType,
  asked = '',
  taken: () => unknown = () => ({}),
) {
  return renderWithHost(
    <Routes>
      <Route path="/form/:uuid" element={<FormPage />} />
    </Routes>,
    {
      route: `/form/u_1${asked}`,
      user: null,
      registries: { columnTypes: [types].flat(), filterOperators: [equals] },
      api: { [`GET ${path}/meta`]: answer, [`POST ${path}/rows`]: taken },
    },
  );
}

describe('a form by its link', () => {
  let given: unknown = form;
  const answer = () => {
    if (given instanceof Error) throw given;
    return given;
  };
  const readAgain = async ({ host, requests }: ReturnType<typeof show>, now: unknown) => {
    const before = requests.length;
    given = now;
    act(() => host.invalidate(['shared-view:u_1']));
    await waitFor(() => expect(requests.length).toBeGreaterThan(before));
  };
  beforeEach(() => {
    given = form;
  });

  test('stays, with what was typed, when it cannot be read again', async () => {
    const memory = show(answer);
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    await readAgain(memory, new ApiError(503, 'Away', 'AWAY'));
    await readAgain(memory, new ApiError(404, 'None', 'NONE'));
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada');
  });

  test('asks before a text is lost that is being typed: the draft has it when its field is left', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    show(answer);
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    expect(asks()).toBe(true);
    await userEvent.tab();
    expect(asks()).toBe(false);
    cleanup();
    show(answer);
    expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Ada');
  });

  test('begins with its title and what it says of itself', async () => {
    given = { ...form, view: { meta: { heading: 'Join us', description: 'It takes a minute.' } } };
    show(answer);
    expect(await screen.findByRole('heading', { name: 'Join us' })).toBeTruthy();
    expect(screen.getByText('It takes a minute.')).toBeTruthy();
  });

  test('gives its name to the tab of the browser, and asks nothing while it is closed', async () => {
    const closed = { code: 'FORM_CLOSED', msg: 'This form is closed.', params: {} };
    given = { ...form, view: { meta: { heading: 'Join us' } }, closed };
    const memory = show(answer);
    await screen.findByText('This form is closed.');
    screen.getByRole('heading', { name: 'Join us' });
    expect(document.title).toBe('Join us');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /Next|Submit/ })).toBeNull();
    await readAgain(memory, form);
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    // Whoever is at it finishes: sending says what has become of the form.
    await readAgain(memory, { ...form, closed });
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada');
  });

  test('says when it opens', async () => {
    const closed = { code: 'FORM_NOT_OPEN', msg: 'This form is not open yet.', params: {} };
    given = { ...form, view: { meta: { opensAt: '2031-03-01T10:00:00.000Z' } }, closed };
    show(answer);
    expect((await screen.findByRole('status')).textContent).toMatch(/not open yet\. It opens on .*2031/);
  });

  test('takes nothing more while it is sent, and all of it again where that was refused', async () => {
    let refuse: (error: Error) => void = () => undefined;
    show(answer, textType, '', () => new Promise((_, reject) => (refuse = reject)));
    const name = await screen.findByLabelText('Name');
    await userEvent.type(name, 'Ada');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    const late = await screen.findByLabelText('Late');
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(late.closest('[inert]')).toBeTruthy());
    await act(async () => refuse(new ApiError(503, 'Away', 'AWAY')));
    await screen.findByText('Away');
    expect(late.closest('[inert]')).toBeNull();
  });

  test('is sent by whoever is quick once the server takes it for a person’s, with the sign of when it was opened', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    given = { ...form, columns: form.columns.slice(0, 2), handed: 'sign' };
    const { requests } = show(answer);
    const sent = () => requests.find(({ method }) => method === 'POST');
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    now = 900;
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(document.querySelector('form')?.ariaBusy).toBe('true'));
    expect(sent()).toBeUndefined();
    await waitFor(() =>
      expect(sent()?.body).toEqual({ data: { Name: 'Ada' }, second_subject: '', opened: 'sign' }),
    );
    clock.mockRestore();
  });

  test('can be asked for again where the server could not be asked', async () => {
    given = new ApiError(429, 'Too many at once', 'TOO_MANY_REQUESTS');
    show(answer);
    await screen.findByText('Too many at once');
    given = form;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Name')).toBeTruthy();
  });

  test('tries a password again that was wrong before', async () => {
    given = new ApiError(403, 'Wrong', 'INVALID_SHARED_VIEW_PASSWORD');
    show(answer);
    const open = async () => {
      const field = await screen.findByLabelText('Password');
      await userEvent.clear(field);
      await userEvent.type(field, 'sesame');
      await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    };
    await open();
    await screen.findByText('This is not the password of the form.');
    given = form;
    await open();
    expect(await screen.findByLabelText('Name')).toBeTruthy();
  });

  test('asks for the password that its link was given meanwhile, and keeps the answers', async () => {
    given = { ...form, columns: form.columns.slice(0, 2) };
    let isRight = false;
    const { requests } = show(answer, textType, '', () => {
      if (!isRight) throw new ApiError(403, 'INVALID_SHARED_VIEW_PASSWORD', 'INVALID_SHARED_VIEW_PASSWORD');
      return {};
    });
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    const field = await screen.findByLabelText('Password');
    expect(screen.queryByText(/INVALID_SHARED_VIEW_PASSWORD/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
    isRight = true;
    await userEvent.type(field, 'sesame');
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    const submit = await screen.findByRole('button', { name: 'Submit' });
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada');
    await userEvent.click(submit);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull());
    expect(requests.findLast(({ method }) => method === 'POST')).toMatchObject({
      headers: { 'xc-password': 'sesame' },
      body: { data: { Name: 'Ada' } },
    });
  });

  test('says that its link opens nothing where it was taken away meanwhile', async () => {
    given = { ...form, columns: form.columns.slice(0, 2) };
    show(answer, textType, '', () => {
      throw new ApiError(404, 'Not found', 'NOT_FOUND');
    });
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('This link opens nothing')).toBeTruthy();
    expect(screen.queryByText('Not found')).toBeNull();
  });

  test('leads from the words of a question into its field, which phones and browsers know for what it is', async () => {
    show(answer, { ...textType, entry: 'email' });
    await userEvent.click(await screen.findByText('Name'));
    const field = screen.getByLabelText<HTMLInputElement>('Name');
    expect(document.activeElement).toBe(field);
    expect([field.getAttribute('inputmode'), field.autocomplete]).toEqual(['email', 'email']);
  });

  test('sends no row in which nothing is answered', async () => {
    const memory = show(answer);
    await screen.findByLabelText('Name');
    await waitFor(async () => {
      await userEvent.click(screen.getByRole('button', { name: /Submit|Next/ }));
      screen.getByText('Fill in at least one field.');
    });
    expect(memory.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('goes on by the keys at the first question of its next page', async () => {
    show(answer);
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada{Enter}');
    const late = await screen.findByLabelText('Late');
    await userEvent.tab();
    expect(document.activeElement).toBe(late);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByLabelText('Why'));
  });

  test('leads back to a field that is needed since, and says what is wrong', async () => {
    const memory = show(answer);
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await userEvent.type(await screen.findByLabelText('Late'), 'yes');
    const [why, ...others] = form.columns;
    await readAgain(memory, { ...form, columns: [{ ...why, meta: { required: true } }, ...others] });
    await waitFor(async () => {
      await userEvent.click(screen.getByRole('button', { name: /Submit|Next/ }));
      expect(document.activeElement).toBe(screen.getByLabelText(/^Why/));
    });
    screen.getByText('Please answer this.');
  });

  test('takes no address that its type does not take for one, whatever the column itself takes', async () => {
    const mailType = { ...textType, label: 'E-mail', validators: [{ id: 'isEmail', accepts: isAddress }] };
    const short = { ...form, columns: form.columns.slice(0, 2) };
    const { requests } = show(() => short, mailType);
    await userEvent.type(await screen.findByLabelText('Name'), 'eve');
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    screen.getByText('Please give a valid value: E-mail.');
    const name = screen.getByLabelText<HTMLInputElement>('Name');
    expect([document.activeElement, name.getAttribute('aria-invalid')]).toEqual([name, 'true']);
    expect(requests.some(({ method }) => method === 'POST')).toBe(false);
    await userEvent.type(name, '@zoo.org');
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true));
  });

  test('names what it asks, not the column, where an answer cannot be read', async () => {
    const age = aColumn('cl_age', 'Age', { uidt: 'Number' });
    const asked = {
      ...form,
      columns: [place('cl_age', 1, { label: 'How old are you?' })],
      model: { columns: [age] },
    };
    show(() => asked, numberType);
    await userEvent.type(await screen.findByLabelText('How old are you?'), 'old');
    await userEvent.tab();
    expect(await screen.findByText('“How old are you?” must be a number.')).toBeTruthy();
    // The draft has it as it stands there.
    cleanup();
    show(() => asked, numberType);
    expect(await screen.findByLabelText('How old are you?')).toHaveProperty('value', 'old');
    expect(await screen.findByText('“How old are you?” must be a number.')).toBeTruthy();
  });

  describe('of several pages', () => {
    const age = aColumn('cl_age', 'Age', { uidt: 'Number' });
    const paged = (meta: object = {}) => ({
      ...form,
      columns: [place('cl_name', 1, {}), place('cl_age', 2, { startsPage: true, ...meta })],
      model: { columns: [columns[1], age] },
    });
    const button = (name: string) => screen.getByRole('button', { name });

    test('keeps what cannot be read on the page that is left, and says it there again', async () => {
      const { requests } = show(() => paged(), [textType, numberType]);
      await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
      await userEvent.click(button('Next'));
      await userEvent.type(screen.getByLabelText('Age'), 'old');
      await userEvent.click(button('Back'));
      expect(screen.queryByRole('textbox', { name: 'Age' })).toBeNull();
      await userEvent.click(button('Next'));
      expect(screen.getByLabelText('Age')).toHaveProperty('value', 'old');
      await userEvent.click(button('Submit'));
      screen.getByText('“Age” must be a number.');
      expect(requests.some(({ method }) => method === 'POST')).toBe(false);
      await userEvent.clear(screen.getByLabelText('Age'));
      await userEvent.click(button('Submit'));
      await screen.findByText(/Thank you/);
    });

    test('forgets what could not be read in a question that is not asked any more', async () => {
      const isAda = {
        kind: 'condition',
        id: 'f_1',
        logicalOp: 'and',
        columnId: 'cl_name',
        operator: 'eq',
        value: 'Ada',
      };
      const types = [textType, numberType];
      const { requests } = show(() => paged({ startsPage: false, condition: [isAda] }), types);
      await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
      await userEvent.tab();
      await userEvent.type(await screen.findByLabelText('Age'), 'old');
      await userEvent.tab();
      for (const name of ['Eve', 'Ada']) {
        await userEvent.clear(screen.getByLabelText('Name'));
        await userEvent.type(screen.getByLabelText('Name'), name);
        await userEvent.tab();
      }
      expect(await screen.findByLabelText('Age')).toHaveProperty('value', '');
      await userEvent.click(button('Submit'));
      await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true));
    });
  });

  describe('with answers that the server keeps for an hour until they are sent', () => {
    const hour = 3_600_000;
    const files = { ...textType, keptUnsaved: { stranger: hour, member: 24 * hour } };
    const short = { ...form, columns: form.columns.slice(0, 2) };
    const later = (ms: number) => {
      const now = Date.now() + ms;
      jest.spyOn(Date, 'now').mockImplementation(() => now);
    };
    afterEach(() => void jest.restoreAllMocks());
    const isSaid = () => screen.queryAllByText(/is not kept any more/).length;

    test('offers a draft without them after that, and says what is to be added again', async () => {
      show(() => short, files);
      await userEvent.type(await screen.findByLabelText('Name'), 'cv.pdf');
      await userEvent.tab();
      cleanup();
      later(hour / 2);
      show(() => short, files);
      expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'cv.pdf');
      expect(isSaid()).toBe(0);
      cleanup();
      later(hour / 2);
      show(() => short, files);
      expect(await screen.findByLabelText('Name')).toHaveProperty('value', '');
      expect(isSaid()).toBe(1);
      await userEvent.type(screen.getByLabelText('Name'), 'cv.pdf');
      await userEvent.tab();
      expect(isSaid()).toBe(0);
    });

    test('sends none that it kept open for longer, and leads to its question', async () => {
      const { requests } = show(() => short, files);
      await userEvent.type(await screen.findByLabelText('Name'), 'cv.pdf');
      await userEvent.type(screen.getByLabelText('Why'), 'letter.pdf');
      await userEvent.tab();
      later(hour);
      await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
      expect(isSaid()).toBe(2);
      expect(document.activeElement).toBe(screen.getByLabelText('Why'));
      expect(requests.some(({ method }) => method === 'POST')).toBe(false);
      await userEvent.type(screen.getByLabelText('Why'), 'letter.pdf');
      await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
      await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true));
    });
  });

  test('is sent as it was the first time where nobody knows whether that arrived', async () => {
    let isAway = true;
    const short = { ...form, columns: form.columns.slice(0, 2) };
    const { requests } = show(
      () => short,
      textType,
      '',
      () => {
        if (isAway) throw new ApiError(0, 'The server cannot be reached', 'UNREACHABLE');
        return {};
      },
    );
    await userEvent.type(await screen.findByLabelText('Name'), 'Eve');
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    await screen.findByText('The server cannot be reached');
    isAway = false;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    await screen.findByText(/Thank you/);
    const [first, again] = requests.filter(({ method }) => method === 'POST');
    expect(first?.headers?.['Idempotency-Key']).toBeTruthy();
    expect(again).toEqual(first);
  });

  test('says what is wrong with an answer when the press that leaves it has reached what it meant', async () => {
    const neverRead: WebColumnType = { ...textType, parse: () => ({ ok: false, message: 'is no date' }) };
    show(() => form, neverRead);
    const name = await screen.findByLabelText('Name');
    await userEvent.type(name, 'tomorrow');
    const next = screen.getByRole('button', { name: 'Next' });
    fireEvent.pointerDown(next);
    fireEvent.blur(name);
    expect(screen.queryByText(/is no date/)).toBeNull();
    fireEvent.pointerUp(next);
    fireEvent.click(next);
    screen.getByText(/is no date/);
    // The click found it: nobody goes on with an answer that cannot be read.
    expect(screen.queryByLabelText('Late')).toBeNull();
  });
});

describe('what the address of a form fills in', () => {
  const number: WebColumnType = {
    ...textType,
    parse: (input) =>
      Number.isNaN(Number(input))
        ? { ok: false, message: 'must be a number' }
        : { ok: true, value: Number(input) },
  };
  const linked: WebColumnType = {
    ...textType,
    Answer: ({ value }) => <output>{JSON.stringify(value)}</output>,
    addressed: {
      write: () => [],
      read: async (texts) =>
        texts.includes('None')
          ? { ok: false, message: 'No row is called None.' }
          : { ok: true, value: texts.map((Name) => ({ Id: 1, Name })) },
    },
  };

  test('is there, whatever the case of its name; what does not fit is told, and nothing else is lost', async () => {
    show(() => form, number, '?why=7&prefill_Name=many&prefill_Gone=1&utm_source=mail');
    expect((await screen.findByLabelText<HTMLInputElement>('Why')).value).toBe('7');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
    screen.getByText(/“Name” with “many”, which is not taken: .*must be a number/);
    screen.getByText(/“Gone”, which is no field/);
    expect(screen.queryByText(/utm_source/)).toBeNull();
  });

  test('may be rows that are looked up, or are not there', async () => {
    const { requests } = show(() => form, linked, '?Why=Plum&Why=Cherry&Name=None');
    await screen.findByText('[{"Id":1,"Name":"Plum"},{"Id":1,"Name":"Cherry"}]');
    await screen.findByText(/No row is called None\. Please answer it yourself\./);
    expect(requests.some(({ method }) => method === 'POST')).toBe(false);
  });
});
