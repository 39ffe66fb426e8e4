import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  ApiError,
  type ApiRequest,
  type ViewProps,
  type WebColumnType,
  type WebFilterOperator,
} from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import type { ViewColumns } from '@trellis/sdk/web/views';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { fieldOptions, formOptions, type FieldOptions } from '../shared/index.ts';
import { FormBuilder, type ConditionDrafts } from './FormBuilder.tsx';
import { FormSettings } from './FormSettings.tsx';
import { PictureOption } from './PictureOption.tsx';
import { useFormChanges } from './use-form-changes.ts';

afterEach(cleanup);

const project = aProject({ title: 'Zoo' });
const view = { id: 'vw_1', fk_model_id: 'md_1', title: 'Form', view_type: 'form', meta: {} } as never;
const members = { list: [{ email: 'ann@example.com' }, { email: 'bob@example.com' }] };

function Settings() {
  const options = read;
  const changes = useFormChanges({ view } as unknown as ViewProps, {} as never);
  return (
    <FormSettings
      {...{ project, view, options }}
      onChange={(change) => changes.setForm(options, change)}
      onPicture={changes.setPicture}
    />
  );
}

/** What the page read of the form, which nobody reads again here. */
const read = formOptions({ heading: 'Ask' });

function show(save: (request: ApiRequest, call: number) => unknown, isMailReady = true) {
  let calls = 0;
  return renderWithHost(<Settings />, {
    project,
    api: (request) => {
      if (request.method === 'PATCH') return save(request, calls++);
      return request.path.endsWith('/users') ? { users: members } : { mail_ready: isMailReady };
    },
  });
}

function Picture({ shrunk, address }: { readonly shrunk: string | undefined; readonly address: string }) {
  const options = formOptions({ bannerUrl: address });
  const changes = useFormChanges({ view } as unknown as ViewProps, {} as never);
  return (
    <PictureOption
      label="Banner"
      place="banner"
      viewId="vw_1"
      options={options}
      onPicture={changes.setPicture}
      shrink={() => Promise.resolve(shrunk)}
    />
  );
}

describe('a picture of a form', () => {
  const path = '/api/v1/db/meta/forms/vw_1/pictures/banner';
  const file = new File(['x'], 'banner.png', { type: 'image/png' });
  const showPicture = (shrunk: string | undefined, address = '') =>
    renderWithHost(<Picture {...{ shrunk, address }} />, {
      project,
      api: {
        [`GET ${path}`]: { picture: 'data:image/png;base64,AAAA' },
        [`PUT ${path}`]: { url: '/p' },
        [`DELETE ${path}`]: { url: '' },
      },
    });
  const writesOf = (requests: readonly ApiRequest[]) =>
    requests.filter(({ method = 'GET' }) => method !== 'GET');

  test('is sent once it is small, shown to members whether or not the form is shared, and taken away', async () => {
    const { requests } = showPicture('AAAA', '/api/v1/db/public/form-pictures/x');
    await waitFor(() => expect(document.querySelector('img')?.src).toBe('data:image/png;base64,AAAA'));
    await userEvent.upload(screen.getByLabelText('File for: Banner'), file);
    await waitFor(() =>
      expect(writesOf(requests)[0]).toMatchObject({ method: 'PUT', path, body: { picture: 'AAAA' } }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Take it away' }));
    await waitFor(() => expect(writesOf(requests)[1]).toMatchObject({ method: 'DELETE', path }));
  });

  test('that is none is told of, and nothing is sent', async () => {
    const { requests, toasts } = showPicture(undefined);
    await userEvent.upload(screen.getByLabelText('File for: Banner'), file);
    await waitFor(() => expect(toasts).toMatchObject([{ severity: 'error' }]));
    expect(requests).toEqual([]);
  });

  test('of another site is said to be shown to nobody', () => {
    showPicture(undefined, 'https://example.com/a.png');
    expect(screen.getByText(/is not shown: pages load no pictures from other sites/)).toBeTruthy();
    expect(document.querySelector('img')).toBeNull();
  });
});

describe('the settings of a form', () => {
  test('keep each of two choices that follow each other before the form is read again', async () => {
    let answer: () => void = () => undefined;
    const bodies: unknown[] = [];
    show(({ body }) => {
      bodies.push(body);
      return new Promise((resolve) => (answer = () => resolve({})));
    });
    await userEvent.click(await screen.findByLabelText('ann@example.com'));
    await userEvent.click(screen.getByLabelText('bob@example.com'));
    await waitFor(() => expect(bodies).toHaveLength(1));
    await act(async () => answer());
    await waitFor(() => expect(bodies).toHaveLength(2));
    const ann = { 'ann@example.com': true };
    expect(bodies[1]).toMatchObject({
      meta: { emails: { ...ann, 'bob@example.com': true } },
      meta_before: { emails: ann },
    });
  });

  test('ask before a text is lost that was not saved', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    let isRefused = true;
    show(() => {
      if (isRefused) throw new ApiError(409, 'Not now');
      return {};
    });
    const title = await screen.findByRole('textbox', { name: 'Title' });
    expect(asks()).toBe(false);
    await userEvent.type(title, ' me');
    expect(asks()).toBe(true);
    await userEvent.tab();
    await waitFor(() => expect(title).toHaveProperty('value', 'Ask me'));
    expect(asks()).toBe(true);
    isRefused = false;
    await userEvent.type(title, '!');
    await userEvent.tab();
    await waitFor(() => expect(asks()).toBe(false));
  });

  test('show a text that is saved until the form is read again', async () => {
    let answer: () => void = () => undefined;
    show(() => new Promise((resolve) => (answer = () => resolve({}))));
    const title = await screen.findByRole('textbox', { name: 'Title' });
    await userEvent.type(title, ' me');
    await userEvent.tab();
    await act(async () => answer());
    expect(title).toHaveProperty('value', 'Ask me');
    await userEvent.type(title, '!');
    expect(title).toHaveProperty('value', 'Ask me!');
  });

  test('keep a text in its field that was refused', async () => {
    const { toasts } = show(() => {
      throw new ApiError(400, 'Too long');
    });
    const field = await screen.findByLabelText<HTMLInputElement>('Title');
    await userEvent.type(field, ' me');
    await userEvent.tab();
    await waitFor(() => expect(JSON.stringify(toasts)).toContain('Too long'));
    expect(field.value).toBe('Ask me');
  });
});

test.each([
  [true, 0],
  [false, 1],
])(
  'mail that can be sent (%s) asks for no plugin, and other mail names the one it needs',
  async (isReady, hints) => {
    show(() => ({}), isReady);
    await screen.findByText('ann@example.com');
    expect(screen.queryAllByText(/Switch on the SMTP plugin in the app store/)).toHaveLength(hints);
  },
);

test('whom mail can go to, and whether any goes out, is shown as others change it', async () => {
  let people = [{ email: 'ann@example.com' }];
  let isReady = false;
  const { receive } = renderWithHost(<Settings />, {
    project,
    api: ({ path }) => (path.endsWith('/users') ? { users: { list: people } } : { mail_ready: isReady }),
  });
  await screen.findByText('ann@example.com');
  expect(await screen.findByText(/Switch on the SMTP plugin/)).toBeTruthy();
  people = [...people, { email: 'cy@example.com' }];
  act(() => receive({ kind: 'projects' }));
  expect(await screen.findByText('cy@example.com')).toBeTruthy();
  isReady = true;
  act(() => receive({ kind: 'objects', projectId: '', objectKind: 'plugin-settings', requestId: '' }));
  await waitFor(() => expect(screen.queryByText(/Switch on the SMTP plugin/)).toBeNull());
});

const filterOperators = ['linkedto', 'eq', 'notempty', 'empty'].map((id) => ({
  id,
  label: `compares by ${id}`,
  arity: 'none',
  build: (): never => {
    throw new Error('Nothing is asked here');
  },
})) satisfies readonly WebFilterOperator[];
const linkType: WebColumnType = {
  ...textType,
  id: 'LinkToAnotherRecord',
  storage: 'virtual',
  operators: filterOperators.map(({ id }) => id),
  Answer: () => null,
};

/** A form of two fields with its builder; `ofName` is kept of the first. */
function build(
  inView: Partial<ViewColumns> = {},
  ofName: Partial<FieldOptions> = {},
  name = aColumn('cl_1', 'Name'),
) {
  const why = aColumn('cl_2', 'Why');
  const fieldsWith = (kept: Partial<FieldOptions>) =>
    [name, why].map((column, order) => ({
      column,
      inView: { id: `vc_${column.id}`, fk_column_id: column.id, show: true, order },
      options: fieldOptions(column === name ? kept : {}),
    }));
  function Editor({ isGone = false, kept = ofName }) {
    const fields = fieldsWith(kept);
    const [drafts, setDrafts] = useState<ConditionDrafts>({});
    return (
      <FormBuilder
        {...({ project, view, table: aTable([name, why]), readOnly: false } as unknown as ViewProps)}
        {...{ options: read, inView: inView as never, drafts }}
        columns={(isGone ? fields.slice(1) : fields) as never}
        asked={undefined}
        isBarred={false}
        onDraft={(columnId, draft) => setDrafts({ ...drafts, [columnId]: draft })}
      />
    );
  }
  const registries = { columnTypes: [textType, linkType], filterOperators };
  const memory = renderWithHost(<Editor />, { project, registries, api: () => ({}) });
  /** Somebody else takes the first field away. */
  const takeAway = () => memory.rerender(<Editor isGone />);
  /** Somebody else changes what is kept of it. */
  const change = (kept: Partial<FieldOptions>) => memory.rerender(<Editor kept={kept} />);
  return { ...memory, takeAway, change };
}

test('what is typed of a field stays when somebody else takes the field away, and that is said', async () => {
  const { takeAway } = build();
  await userEvent.click(await screen.findByRole('button', { name: 'Name' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Help text' }), 'As in your passport');
  takeAway();
  expect(screen.getByRole('textbox', { name: 'Help text' })).toHaveProperty('value', 'As in your passport');
  expect(screen.getByText('Somebody has taken this field out of the form.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'All fields' }));
  expect(screen.queryByText('Somebody has taken this field out of the form.')).toBeNull();
});

test.each([
  ['Message when it is missing', { required: true }],
  ['Message below the least', { least: 3 }],
  ['Message above the most', { most: 3 }],
  ['Message when it does not match', { pattern: '[A-Z]+' }],
] as const)(
  'what is typed as “%s” stays while somebody else takes away what it is for, and is saved when its field is left',
  async (label, kept) => {
    const saved = jest.fn<ViewColumns['setOptions']>(() => Promise.resolve());
    const { change } = build({ setOptions: saved }, kept);
    await userEvent.click(await screen.findByRole('button', { name: 'Name' }));
    await userEvent.type(screen.getByRole('textbox', { name: label }), 'Half');
    change({});
    const field = screen.getByRole('textbox', { name: label });
    expect(screen.getByText('Somebody has taken away meanwhile what this text is for.')).toBeTruthy();
    await userEvent.type(field, ' and whole');
    expect(field).toHaveProperty('value', 'Half and whole');
    await userEvent.tab();
    await waitFor(() => expect(screen.queryByRole('textbox', { name: label })).toBeNull());
    expect(Object.values(saved.mock.calls[0]?.[1] ?? {})).toContain('Half and whole');
  },
);

test('a field is made one for owners and creators alone, and fields for everybody ask nothing of it', async () => {
  const changed = jest.fn<ViewColumns['setOptions']>(() => Promise.resolve());
  build({ setOptions: changed });
  await userEvent.click(await screen.findByRole('button', { name: 'Name' }));
  await userEvent.click(screen.getByRole('switch', { name: 'For owners and creators alone' }));
  expect(changed).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ creatorsOnly: true }));
  cleanup();
  build({}, { creatorsOnly: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Why' }));
  expect(screen.getByText('Conditions ask of the fields before this one; there are none.')).toBeTruthy();
});

test('a condition that is not saved is said to be so, and is there again after the list of fields', async () => {
  build();
  await userEvent.click(await screen.findByRole('button', { name: 'Why' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add filter' }));
  await screen.findByText('The condition is not saved yet.');
  await userEvent.click(screen.getByRole('button', { name: 'All fields' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Why' }));
  expect(await screen.findByText('The condition is not saved yet.')).toBeTruthy();
});

test('a condition asks of links whether there are any, since nothing else is known before the row is there', async () => {
  build({}, {}, aColumn('cl_1', 'Team', { uidt: linkType.id, virtual: true, storage: 'virtual' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Why' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add filter' }));
  const comparison = await screen.findByLabelText<HTMLSelectElement>('Comparison');
  const labels = Array.from(comparison.options, ({ text }) => text);
  expect(labels).toEqual(['compares by notempty', 'compares by empty']);
});
