import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ColumnEntity, ColumnTrial, ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import {
  ApiError,
  defineWebColumnType,
  type ApiRequest,
  type OptionsPanelProps,
  type WebColumnType,
} from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import ColumnPanel from './ColumnPanel.tsx';

function type(id: string, label: string, description: string) {
  return defineWebColumnType<string>({
    id,
    label,
    description,
    icon: 'minus',
    storage: 'string',
    accepts: ['string'],
    fallback: 'SingleLineText',
    operators: [],
    parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
    format: (value) => value ?? '',
    examples: [],
    Editor: 'text',
  });
}

const columnTypes = [
  type('SingleLineText', 'Single line text', 'A name, a title, a word.'),
  type('LongText', 'Long text', 'Notes and paragraphs.'),
  type('Number', 'Number', 'A whole number.'),
];
const column = (id: string, title: string, uidt: string): ColumnEntity =>
  ({ id, title, uidt, pk: false, rqd: false, cdf: null, meta: null }) as ColumnEntity;
const title = column('cl_title', 'Title', 'SingleLineText');
const table = { id: 'md_1', title: 'Animals', columns: [title] } as unknown as TableEntity;

function show(options: MemoryHostOptions & { readonly column?: ColumnEntity } = {}) {
  const onClose = jest.fn();
  const { column: edited, ...host } = options;
  const result = renderWithHost(<ColumnPanel table={table} column={edited} onClose={onClose} />, {
    registries: { columnTypes },
    ...host,
  });
  const written = () =>
    result.requests.filter(({ method = 'GET', path }) => method !== 'GET' && !path.endsWith('/trial'));
  return { ...result, written, onClose, user: userEvent.setup() };
}

const uses = {
  views: [{ id: 'vw_1', title: 'Newest', filters: false, sorts: true }],
  columns: [{ id: 'cl_2', title: 'Shout', table: 'Animals' }],
};

afterEach(cleanup);

describe('changing a column', () => {
  test('sends what was changed here alone: what others change meanwhile stays', async () => {
    const { user, written, onClose } = show({
      column: title,
      api: { 'PATCH /api/v1/db/meta/columns/cl_title': title },
    });
    await user.click(screen.getByRole('button', { name: 'More settings' }));
    await user.type(screen.getByLabelText('Description'), 'What it is called');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(written().map(({ body }) => body)).toEqual([{ description: 'What it is called' }]);
  });

  test('sends nothing when nothing was changed', async () => {
    const { user, written, onClose } = show({ column: title });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(onClose).toHaveBeenCalled();
    expect(written()).toEqual([]);
  });
});

describe('adding a column', () => {
  test('the browser asks before the page goes with what was entered of it', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const { user } = show();
    expect(asks()).toBe(false);
    await user.keyboard('Legs');
    expect(asks()).toBe(true);
    await user.clear(screen.getByLabelText('Name'));
    expect(asks()).toBe(false);
  });

  test('a name and Enter are enough', async () => {
    const { user, requests, onClose } = show({ api: { 'POST /api/v1/db/meta/tables/md_1/columns': table } });
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    await user.keyboard('Legs{Enter}');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests[0]?.body).toMatchObject({ title: 'Legs', uidt: 'SingleLineText', rqd: false });
  });

  test('is there once it was added, also where it could not be put into its place', async () => {
    const onClose = jest.fn();
    const added = {
      ...table,
      columns: [...(table.columns ?? []), column('cl_legs', 'Legs', 'SingleLineText')],
    };
    const { requests, toasts } = renderWithHost(
      <ColumnPanel
        table={table}
        view={{ id: 'vw_1', title: 'Grid' } as ViewEntity}
        beforeColumnId="cl_title"
        onClose={onClose}
      />,
      {
        registries: { columnTypes },
        api({ method, path }) {
          if (method === 'POST') return added;
          throw new ApiError(409, `Not now: ${path}`);
        },
      },
    );
    await userEvent.keyboard('Legs{Enter}');
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(toasts).toMatchObject([
      {
        severity: 'warn',
        summary: 'Legs was added, and stands at the end',
        detail: expect.stringContaining('Not now'),
      },
    ]);
  });

  test('begins with the options that its type has for whoever makes it', async () => {
    const price = {
      ...type('Price', 'Price', 'An amount.'),
      options: {
        schema: { type: 'object', properties: { unit: { type: 'string' } } },
        defaults: { unit: 'USD' },
      },
      newOptions: () => ({ unit: 'EUR' }),
    } as unknown as WebColumnType;
    const { user, written } = show({
      registries: { columnTypes: [...columnTypes, price] },
      api: { 'POST /api/v1/db/meta/tables/md_1/columns': table },
    });
    await user.click(screen.getByRole('button', { name: 'Column type: Single line text' }));
    await user.keyboard('Price{Enter}');
    await user.click(screen.getByRole('button', { name: 'Add column' }));
    await waitFor(() => expect(written()[0]?.body).toMatchObject({ uidt: 'Price', meta: { unit: 'EUR' } }));
  });

  test('it is said where strangers do not see it', async () => {
    const legs = { ...title, id: 'cl_legs', title: 'Legs' };
    const open = (id: string) => ({ id, title: id, type: 'grid', uuid: `uuid of ${id}` });
    const { user, toasts } = show({
      api: {
        'POST /api/v1/db/meta/tables/md_1/columns': {
          ...table,
          columns: [...(table.columns ?? []), legs],
          views: [open('vw_1'), open('vw_2'), { ...open('vw_3'), uuid: null }],
        },
        'GET /api/v1/db/meta/views/vw_1/columns': [{ fk_column_id: legs.id, show: false }],
        'GET /api/v1/db/meta/views/vw_2/columns': [{ fk_column_id: legs.id, show: false }],
      },
    });
    await user.keyboard('Legs{Enter}');
    await waitFor(() =>
      expect(toasts.map(({ summary }) => summary)).toEqual(['Legs is not shown in 2 shared views']),
    );
  });

  test('a type is searched, walked and chosen by keyboard alone, and the keys of the panel work after it', async () => {
    const { user, questions } = show({ confirm: () => false });
    await user.tab();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Search types' }));
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    const button = screen.getByRole('button', { name: 'Column type: Number' });
    await waitFor(() => expect(document.activeElement).toBe(button));
    await user.keyboard('{Escape}');
    expect(questions).toHaveLength(1);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])('a press beside it asks before it throws away what was entered (%s)', async (agrees, closed) => {
    const { user, questions, onClose } = show({ confirm: () => agrees });
    await user.keyboard('Legs');
    await user.click(document.querySelector('.tr-popover-mask') ?? document.body);
    expect(questions.map(({ title: asked }) => asked)).toEqual(['Throw the changes away?']);
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(closed));
    if (!agrees) expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Legs');
  });

  test('nothing is asked where nothing was entered, and by Cancel', async () => {
    const { user, questions, onClose } = show();
    await user.keyboard('{Escape}');
    await user.keyboard('Legs');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(questions).toEqual([]);
  });

  test('a type is found by its name in the API as well', async () => {
    const { user } = show();
    await user.click(screen.getByRole('button', { name: 'Column type: Single line text' }));
    await user.keyboard('singlelinetext');
    expect(screen.getAllByRole('option')).toHaveLength(1);
  });

  test('what is yet to be chosen is said before anything is sent', async () => {
    const lackOf = ({ table: to }: Readonly<Record<string, unknown>>) =>
      to === undefined ? 'Choose the table to link to.' : undefined;
    const { user, written } = show({
      registries: { columnTypes: columnTypes.map((type) => ({ ...type, lackOf })) },
    });
    await user.keyboard('Company{Enter}');
    expect(await screen.findByText('Choose the table to link to.')).toBeTruthy();
    expect(written()).toEqual([]);
  });

  test('opening the list of types and leaving it by Enter keeps the type', async () => {
    const { user } = show({ column: column('cl_n', 'Legs', 'Number') });
    await user.click(screen.getByRole('button', { name: 'Column type: Number' }));
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Column type: Number' })).toBeTruthy();
  });

  test('Escape in the list of types closes the list and not the panel', async () => {
    const { user, onClose } = show();
    await user.click(screen.getByRole('button', { name: 'Column type: Single line text' }));
    await user.keyboard('paragraphs');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'Long textNotes and paragraphs.',
    ]);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
  });

  test('a name that is taken is refused before anything is sent', async () => {
    const { user, requests } = show();
    await user.keyboard('TITLE{Enter}');
    expect(screen.getByRole('alert').textContent).toBe("There is already one called 'TITLE'");
    expect(requests).toEqual([]);
  });

  test('Tab goes round in the panel', async () => {
    const { user } = show();
    await user.tab({ shift: true });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add column' }));
    await user.tab();
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  });
});

describe('editing a column', () => {
  const lion = { from: 'Lion', to: null, lost: true };
  const refusal = new ApiError(409, '2 of 3 values cannot be converted to Number.', 'RETYPE_LOSES_VALUES', {
    samples: ['Lion', 'Newt'],
  });

  async function retype(agrees: boolean) {
    const api = (request: ApiRequest) => {
      const { meta } = request.body as { readonly meta?: { readonly acceptLoss?: boolean } };
      if (meta?.acceptLoss !== true) throw refusal;
      return table;
    };
    const shown = show({ column: title, api, confirm: () => agrees });
    await shown.user.click(screen.getByRole('button', { name: 'Column type: Single line text' }));
    await shown.user.keyboard('Number{Enter}');
    await shown.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(shown.questions).toHaveLength(1));
    return shown;
  }

  test('what a change of type would lose is shown, and nothing is lost without a yes', async () => {
    const { questions, written, onClose } = await retype(false);
    expect(questions[0]?.message).toBe(
      '2 of 3 values cannot be converted to Number. For example: Lion, Newt.',
    );
    await screen.findByRole('alert');
    expect(written()).toHaveLength(1);
    expect(onClose).not.toHaveBeenCalled();
  });

  test('after a yes the type changes, and both the start and the end of it are told', async () => {
    const { written, onClose, toasts } = await retype(true);
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(written()[1]?.body).toMatchObject({ uidt: 'Number', meta: { acceptLoss: true } });
    expect(toasts.map(({ summary }) => summary)).toEqual([
      'Changing the type of Title …',
      'Title has the type Number now',
    ]);
  });

  function tries(parts: readonly Partial<ColumnTrial>[]) {
    const left = [...parts];
    return show({
      column: title,
      confirm: () => true,
      api: (request: ApiRequest) => {
        if (request.path.endsWith('/uses')) return { views: [], columns: [] };
        if (!request.path.endsWith('/trial')) return table;
        const part = left.shift();
        return part ? { converts: true, samples: [], ...part } : new Promise(() => {});
      },
    });
  }
  async function chooseNumber(user: UserEvent): Promise<void> {
    await user.click(screen.getByRole('button', { name: 'Column type: Single line text' }));
    await user.keyboard('Number{Enter}');
  }

  test('what a change of type would do is looked at in parts before it is saved, and asked about once', async () => {
    const { user, questions, written, requests, onClose } = tries([
      { rows: 1500, seen: 1000, values: 900, lost: 1, next: 'there', samples: [lion] },
      { seen: 500, values: 450, lost: 0, samples: [{ from: ' 7', to: '7', lost: false }] },
    ]);
    await chooseNumber(user);
    const kept = 'The trash of the project keeps all former values for 30 days, as the column “Title (old)”.';
    await screen.findByText((text) =>
      text.startsWith('1 of 1,350 values cannot be converted and would be empty.'),
    );
    expect(screen.getByText('Lion').closest('li')?.textContent).toBe('Lion → empty');
    expect(requests.filter(({ path }) => path.endsWith('/trial')).map(({ body }) => body)).toEqual([
      { uidt: 'Number' },
      { uidt: 'Number', after: 'there' },
    ]);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(questions.map(({ message }) => message)).toEqual([
      `1 of 1,350 values cannot be converted and would be empty. ${kept}`,
    ]);
    expect(written().map(({ body }) => body)).toMatchObject([{ uidt: 'Number', meta: { acceptLoss: true } }]);
  });

  test('what goes with a type is said before the column gets another one', async () => {
    const leavingNotice = 'What it holds goes with it.';
    const types = columnTypes.map((of) => (of.id === title.uidt ? { ...of, leavingNotice } : of));
    const showWith = (values: number) =>
      show({
        column: title,
        registries: { columnTypes: types },
        api: (request: ApiRequest) =>
          request.path.endsWith('/trial')
            ? { converts: true, samples: [], rows: 3, seen: 3, values, lost: 0 }
            : uses,
      });
    const { user } = showWith(2);
    expect(screen.queryByText(leavingNotice)).toBeNull();
    await chooseNumber(user);
    expect(await screen.findByText(leavingNotice)).toBeTruthy();
    cleanup();
    await chooseNumber(showWith(0).user);
    await screen.findByText('All 0 values can be converted.');
    expect(screen.queryByText(leavingNotice)).toBeNull();
  });

  test('whoever does not want to wait stops the look at the values', async () => {
    const { user, requests } = tries([
      { rows: 9000, seen: 1000, values: 900, lost: 1, next: 'there', samples: [lion] },
    ]);
    await chooseNumber(user);
    await user.click(await screen.findByRole('button', { name: 'Stop looking' }));
    await screen.findByRole('button', { name: 'Look at all' });
    expect(screen.getByText('1,000 of 9,000 rows looked at')).toBeTruthy();
    const asked = requests.length;
    await user.click(screen.getByRole('button', { name: 'Look at all' }));
    await waitFor(() => expect(requests.length).toBeGreaterThan(asked));
  });

  test('a change of which nothing is lost is saved without a question', async () => {
    const { user, questions, onClose } = tries([{ rows: 3, seen: 3, values: 3, lost: 0 }]);
    await chooseNumber(user);
    await screen.findByText('All 3 values can be converted.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(questions).toEqual([]);
  });

  const list = { type: 'array', items: { type: 'string' } } as const;
  const withOptions = [
    { id: 'SingleSelect', properties: { options: list, hint: { type: 'string' } } },
    { id: 'MultiSelect', properties: { options: list, hint: { type: 'number' } } },
  ].map(({ id, properties }) => ({
    ...type(id, id, 'Of a list.'),
    options: { schema: { type: 'object', properties }, defaults: { options: [] } },
    OptionsPanel: ({ options, onChange }: OptionsPanelProps) => (
      <button type="button" onClick={() => onChange({ ...options, hint: 'another word' })}>
        Change the hint
      </button>
    ),
  })) as unknown as readonly WebColumnType[];
  const state: ColumnEntity = {
    ...column('cl_s', 'State', 'SingleSelect'),
    meta: { options: ['Open', 'Done'], hint: 'a word' },
  };

  test('options are saved over those that the panel began with, and what somebody else changed is asked about', async () => {
    const { user, written, questions, onClose } = show({
      column: state,
      registries: { columnTypes: withOptions },
      api: (request) => {
        if ('meta_before' in (request.body as object))
          throw new ApiError(409, 'Somebody else changed them.', 'OPTIONS_CHANGED');
        return table;
      },
    });
    await user.click(screen.getByRole('button', { name: 'Change the hint' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    const meta = { ...state.meta, hint: 'another word' };
    expect(written()[0]?.body).toEqual({ meta, meta_before: state.meta });
    expect(questions[0]?.message).toContain('Somebody else changed them.');
    expect(written()[1]?.body).toEqual({ meta });
  });

  test('options that mean the same to the next type are kept', async () => {
    const { user, written, onClose } = show({
      column: state,
      registries: { columnTypes: withOptions },
      api: { 'PATCH /api/v1/db/meta/columns/cl_s': table },
    });
    await user.click(screen.getByRole('button', { name: 'Column type: SingleSelect' }));
    await user.keyboard('Multi{Enter}');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    const body = written()[0]?.body as Readonly<Record<string, unknown>> | undefined;
    expect(body?.uidt).toBe('MultiSelect');
    expect(body?.meta).toEqual({ options: ['Open', 'Done'] });
  });

  test('formulas that compare with a renamed option are named, and stay as they are where the person says so', async () => {
    const trial: ColumnTrial = {
      converts: true,
      rows: 2,
      seen: 2,
      values: 2,
      lost: 0,
      samples: [],
      naming: [
        { id: 'cl_f', title: 'Mark', table: 'Tasks', follows: true, remains: false },
        { id: 'cl_g', title: 'Found', table: 'Tasks', follows: false, remains: true },
      ],
      next: undefined,
    };
    const { user, written, onClose } = show({
      column: state,
      registries: { columnTypes: withOptions },
      api: (request) => (request.path.endsWith('/trial') ? trial : table),
    });
    await user.click(screen.getByRole('button', { name: 'Change the hint' }));
    expect(
      await screen.findByText(/compare with an option that gets another name: “Tasks.Mark”/),
    ).toBeTruthy();
    expect(screen.getByText(/name it in another way.*: “Tasks.Found”/)).toBeTruthy();
    await user.click(screen.getByRole('switch', { name: 'Let them compare with the new name' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(written()[0]?.body).toMatchObject({ meta: { hint: 'another word', keepFormulas: true } });
  });

  test('nothing is told of a change of type where options alone are in question', async () => {
    const { user, questions, toasts, onClose } = show({
      column: state,
      registries: { columnTypes: withOptions },
      api: (request) => {
        const { meta } = request.body as { readonly meta: { readonly acceptLoss?: boolean } };
        if (meta.acceptLoss !== true) throw new ApiError(409, 'Two values are lost.', 'OPTIONS_IN_USE');
        return table;
      },
    });
    await user.click(screen.getByRole('button', { name: 'Change the hint' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(questions).toHaveLength(1);
    expect(toasts).toEqual([]);
  });

  test('a column is deleted only after a question', async () => {
    const { user, questions, requests, onClose } = show({
      column: title,
      api: {
        'GET /api/v1/db/meta/columns/cl_title/uses': uses,
        'DELETE /api/v1/db/meta/columns/cl_title': true,
      },
    });
    await user.click(screen.getByRole('button', { name: 'Delete column' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(questions[0]).toMatchObject({ title: 'Delete column Title?', danger: true });
    expect(questions[0]?.message).toMatch(/These views sort by it: “Newest”\. These columns are computed/);
    expect(requests).toHaveLength(2);
  });

  test('choosing another type names the views and columns that it concerns', async () => {
    const { user } = show({
      column: title,
      api: { 'GET /api/v1/db/meta/columns/cl_title/uses': uses },
    });
    expect(screen.queryByText(/sort by it/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Column type: Single line text' }));
    await user.keyboard('Number{Enter}');
    expect(await screen.findByText(/sort by it: “Newest”.*computed from it: “Animals.Shout”/)).toBeTruthy();
  });

  test('what has begun to use a column since the panel was open before is named', async () => {
    let now: object = { views: [], columns: [] };
    const { user, rerender, requests } = show({ column: title, api: () => now });
    const choose = async () => {
      await user.click(screen.getByRole('button', { name: 'Column type: Single line text' }));
      await user.keyboard('Number{Enter}');
    };
    await choose();
    await waitFor(() => expect(requests.some(({ path }) => path.endsWith('/uses'))).toBe(true));
    rerender(<></>);
    now = uses;
    rerender(<ColumnPanel table={table} column={title} onClose={() => undefined} />);
    await choose();
    expect(await screen.findByText(/sort by it: “Newest”/)).toBeTruthy();
  });

  test('deleting a column of an opened database says that the database keeps it', async () => {
    const { user, questions } = show({
      column: title,
      project: { id: 'p_1', title: 'Shop', is_meta: false } as ProjectEntity,
      confirm: () => false,
      api: { 'GET /api/v1/db/meta/columns/cl_title/uses': uses },
    });
    await user.click(screen.getByRole('button', { name: 'Delete column' }));
    await waitFor(() => expect(questions[0]?.message).toMatch(/The database keeps it, with its values/));
  });

  test('a column whose plugin is off can be renamed or deleted, and nothing else', async () => {
    const { user, requests, onClose } = show({
      column: column('cl_r', 'Stars', 'Rating'),
      api: { 'PATCH /api/v1/db/meta/columns/cl_r': table },
    });
    expect(screen.getByText(/The plugin of the type 'Rating' is switched off/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Column type/ })).toBeNull();
    await user.clear(screen.getByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'Score{Enter}');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests[0]?.body).toEqual({ title: 'Score' });
  });
});

describe('what a column asks and says', () => {
  test('is saved with it: its description, that no value stands twice, and a default value that its type can read', async () => {
    const refusing: WebColumnType = {
      ...type('Number', 'Number', 'A whole number.'),
      parse: (input) =>
        typeof input === 'string' && /\D/.test(input)
          ? { ok: false, message: 'must be a whole number' }
          : { ok: true, value: typeof input === 'string' ? input : null },
    };
    const { user, requests, onClose } = show({
      column: column('cl_n', 'Legs', 'Number'),
      registries: { columnTypes: [refusing] },
      api: { 'PATCH /api/v1/db/meta/columns/cl_n': table },
    });
    await user.click(screen.getByRole('button', { name: 'More settings' }));
    await user.type(screen.getByLabelText('Description'), 'How many it walks on');
    await user.click(screen.getByLabelText('No value twice'));
    await user.type(screen.getByLabelText('Default value'), 'four');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText(/must be a whole number/)).toBeTruthy();
    expect(requests).toEqual([]);
    await user.clear(screen.getByLabelText('Default value'));
    await user.type(screen.getByLabelText('Default value'), '4');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests[0]?.body).toEqual({
      description: 'How many it walks on',
      unique: true,
      cdf: '4',
    });
  });
});

test('a default value is shown as the cell of a new row, drawn by its type with the options that stand in the panel', async () => {
  const stars: WebColumnType = {
    ...type('Number', 'Number', 'A whole number.'),
    parse: (input) => ({ ok: true, value: typeof input === 'string' && input !== '' ? input : null }),
    Cell: ({ value }) => <output aria-label="Stars">{'★'.repeat(Number(value))}</output>,
  };
  const { user } = show({
    column: { ...column('cl_n', 'Legs', 'Number'), cdf: '2' },
    registries: { columnTypes: [stars] },
  });
  const sample = screen.getByRole('group', { name: 'In a new row' });
  expect(within(sample).getByRole('status', { name: 'Stars' }).textContent).toBe('★★');
  await user.clear(screen.getByLabelText('Default value'));
  await user.type(screen.getByLabelText('Default value'), '4');
  await user.tab();
  expect(screen.getByRole('status', { name: 'Stars' }).textContent).toBe('★★★★');
  await user.clear(screen.getByLabelText('Default value'));
  await user.tab();
  expect(screen.queryByRole('group', { name: 'In a new row' })).toBeNull();
});

test.each([
  ['description', (user: UserEvent) => user.type(screen.getByLabelText('Description'), 'Counted on Mondays')],
  ['rule', (user: UserEvent) => user.click(screen.getByLabelText('No value twice'))],
])('a press beside the panel does not throw away a new %s without asking', async (_, change) => {
  const { user, questions, onClose } = show({
    column: column('cl_n', 'Legs', 'SingleLineText'),
    confirm: () => false,
  });
  await user.click(screen.getByRole('button', { name: 'More settings' }));
  await change(user);
  await user.click(document.querySelector('.tr-popover-mask') ?? document.body);
  expect(questions).toHaveLength(1);
  expect(onClose).not.toHaveBeenCalled();
});

test('a column that somebody else deletes closes its panel, which says so and what was not saved', async () => {
  const { user, host, toasts, written, onClose } = show({ column: title });
  act(() => host.shell.setContext({ table }));
  expect(onClose).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText('Name'), 'Species');
  act(() => host.shell.setContext({ table: { ...table, columns: [] } }));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(toasts).toMatchObject([
    {
      summary: 'The column “Title” is not there any more.',
      detail: 'What you changed of it was not saved.',
    },
  ]);
  expect(written()).toEqual([]);
});
