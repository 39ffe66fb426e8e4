import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CellValue, ColumnEntity, FilterOperator } from '@trellis/sdk/shared';
import {
  ApiError,
  CellEditor,
  defineWebColumnType,
  type ApiClient,
  type ApiRequest,
  type WebColumnType,
} from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { multiSelect, singleSelect } from '../shared/index.ts';
import { adoptOptions } from './adopt-options.ts';
import { MultiSelectEditor, SingleSelectEditor } from './SelectEditor.tsx';
import { OptionsFilter } from './OptionsFilter.tsx';
import { SelectOptionsPanel } from './SelectOptionsPanel.tsx';

const single = defineWebColumnType({ ...singleSelect, Editor: SingleSelectEditor });
const multi = defineWebColumnType({ ...multiSelect, Editor: MultiSelectEditor });
const option = (title: string) => ({ id: `sl_${title}`, title, color: '#cfdffe' });
const meta = { options: ['Open', 'Done', 'Late'].map(option) };
const state = aColumn('cl_1', 'State', { uidt: 'SingleSelect', meta });
const tags = aColumn('cl_2', 'Tags', { uidt: 'MultiSelect', meta });

// As in a page that came without TLS, which makes options as well.
const page = crypto as { randomUUID?: unknown };
beforeAll(() => void Object.defineProperty(page, 'randomUUID', { value: undefined, configurable: true }));
afterAll(() => void delete page.randomUUID);
afterEach(cleanup);

const titles = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const active = () => document.querySelector('[data-active="true"]')?.textContent;

/** As the grid shows it: open at once. */
function inGrid(
  column: ColumnEntity,
  value: string | null,
  options: MemoryHostOptions & { readonly initialText?: string } = {},
) {
  const onCommit = jest.fn();
  const onCancel = jest.fn();
  const Editor = column === state ? SingleSelectEditor : MultiSelectEditor;
  const { initialText, ...host } = options;
  const shown = renderWithHost(
    <Editor
      autoFocus
      value={value}
      initialText={initialText}
      column={column}
      project={aProject()}
      options={meta}
      onChange={jest.fn()}
      onCommit={onCommit}
      onCancel={onCancel}
    />,
    host,
  );
  return { ...shown, onCommit, onCancel, user: userEvent.setup() };
}

function Fields({ onCommit }: { readonly onCommit: (value: CellValue) => void }) {
  const [values, setValues] = useState<Record<string, CellValue>>({ cl_1: 'Done', cl_2: null });
  const field = (column: ColumnEntity, type: WebColumnType) => (
    <CellEditor
      column={column}
      type={type}
      value={values[column.id] ?? null}
      onCommit={(value) => {
        onCommit(value);
        setValues({ ...values, [column.id]: value });
      }}
    />
  );
  return (
    <>
      {field(state, single)}
      {field(tags, multi)}
    </>
  );
}

describe('the editors in a form', () => {
  function show() {
    const onCommit = jest.fn();
    renderWithHost(<Fields onCommit={onCommit} />);
    const button = (name: string) => screen.getByRole('button', { name });
    return { onCommit, button, user: userEvent.setup() };
  }

  test('are closed fields that open when pressed, and close by a choice, by Escape and by a press outside', async () => {
    const { onCommit, button, user } = show();
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(button('State: Done'));
    await user.click(screen.getByRole('option', { name: 'Late' }));
    expect(onCommit.mock.calls).toEqual([['Late']]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button('State: Late'));

    await user.click(button('State: Late'));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button('State: Late'));

    await user.click(button('State: Late'));
    await user.click(document.querySelector('.tr-popover-mask') as Element);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button('State: Late'));
    expect(onCommit).toHaveBeenCalledTimes(1);
  });

  test('take several options by the mouse, and Tab goes on to the next field', async () => {
    const { onCommit, button, user } = show();
    await user.click(button('Tags'));
    await user.click(screen.getByRole('option', { name: 'Open' }));
    await user.click(screen.getByRole('option', { name: 'Late' }));
    expect(onCommit).not.toHaveBeenCalled();
    await user.click(button('Done'));
    expect(onCommit.mock.calls).toEqual([['Open,Late']]);
    expect(screen.queryByRole('dialog')).toBeNull();

    await user.click(button('State: Done'));
    await user.keyboard('late{Tab}');
    expect(onCommit).toHaveBeenLastCalledWith('Late');
    expect(document.activeElement).toBe(button('Tags: Open, Late'));
  });

  test('are cleared by Delete and by a button of the list', async () => {
    const { onCommit, button, user } = show();
    await user.click(button('State: Done'));
    await user.click(button('Clear'));
    expect(onCommit.mock.calls).toEqual([[null]]);
    await user.click(button('State'));
    await user.keyboard('{ArrowDown}{Enter}');
    await user.keyboard('{Delete}');
    expect(onCommit.mock.calls).toEqual([[null], ['Done'], [null]]);
  });
});

describe('the editors in the grid', () => {
  test('Enter on the option that is chosen keeps it', async () => {
    const { user, onCommit } = inGrid(state, 'Done');
    await user.keyboard('{Enter}');
    expect(onCommit.mock.calls).toEqual([['Done', 'down']]);
  });

  test('Tab commits and goes on to the side', async () => {
    const first = inGrid(state, 'Done');
    await first.user.tab();
    expect(first.onCommit.mock.calls).toEqual([['Done', 'right']]);
    cleanup();
    const second = inGrid(tags, 'Done');
    await second.user.keyboard('{ArrowUp}{Enter}');
    await second.user.tab({ shift: true });
    expect(second.onCommit.mock.calls).toEqual([['Done,Open', 'left']]);
  });

  test('Escape cancels what was ticked, a press outside keeps it', async () => {
    const { user, onCommit, onCancel } = inGrid(tags, null);
    await user.keyboard('{Enter}{Escape}');
    expect(onCancel).toHaveBeenCalledTimes(1);
    expect(onCommit).not.toHaveBeenCalled();
    cleanup();
    const other = inGrid(tags, null);
    await other.user.keyboard('{Enter}');
    await other.user.click(document.querySelector('.tr-popover-mask') as Element);
    expect(other.onCommit.mock.calls).toEqual([['Open']]);
  });

  test('a name with a comma is no option of several, and the list says so', async () => {
    const { user } = inGrid(tags, null);
    await user.keyboard('a,b');
    expect(screen.queryAllByRole('option')).toEqual([]);
    expect(screen.getByText('The name of an option cannot contain a comma here.')).toBeTruthy();
  });
});

describe('an option that is added by typing', () => {
  const path = '/api/v1/db/meta';
  const others = { options: [...meta.options, option('Added by others')] };

  test('joins those that others have added meanwhile, and stays the active line', async () => {
    const { user, requests } = inGrid(tags, null, {
      api: {
        [`GET ${path}/tables/md_1`]: aTable([{ ...tags, meta: others }]),
        [`PATCH ${path}/columns/cl_2`]: {},
      },
    });
    await user.keyboard('New{Enter}');
    await waitFor(() => expect(titles()).toEqual(['Open', 'Done', 'Late', 'Added by others', 'New']));
    expect(requests.at(-1)?.body).toMatchObject({
      meta: { options: [...others.options, { title: 'New' }] },
    });
    expect(screen.getByRole('option', { name: 'New' }).getAttribute('aria-selected')).toBe('true');
    expect(active()).toBe('New');
  });

  test('is chosen and not made again when somebody else has made it', async () => {
    const { user, requests, onCommit } = inGrid(state, null, {
      api: { [`GET ${path}/tables/md_1`]: aTable([{ ...state, meta: others }]) },
    });
    await user.keyboard('added by OTHERS{Enter}');
    await waitFor(() => expect(onCommit.mock.calls).toEqual([['Added by others', 'down']]));
    expect(requests).toHaveLength(1);
  });

  test('is chosen where somebody else made it in the same moment', async () => {
    let reads = 0;
    const { user, onCommit } = inGrid(state, null, {
      api: ({ method }) => {
        if (method === 'PATCH') throw new ApiError(400, 'Duplicates are not allowed!', 'COLUMN_SETTING');
        reads += 1;
        return aTable([reads === 1 ? state : { ...state, meta: others }]);
      },
    });
    await user.keyboard('added by OTHERS{Enter}');
    await waitFor(() => expect(onCommit.mock.calls).toEqual([['Added by others', 'down']]));
  });

  test('is waited for by a second Enter and a press outside, and its name stays when it is refused', async () => {
    let refuse = (_error: Error): void => undefined;
    const { user, requests, toasts, onCommit, onCancel } = inGrid(state, 'Open', {
      api: () =>
        new Promise((_resolve, reject) => {
          refuse = reject;
        }),
    });
    await user.keyboard('New{Enter}');
    expect(titles()).toEqual(['Adding “New” …']);
    await user.keyboard('{Enter}');
    await user.click(document.querySelector('.tr-popover-mask') as Element);
    expect(requests).toHaveLength(1);
    expect(onCommit).not.toHaveBeenCalled();
    expect(onCancel).not.toHaveBeenCalled();
    refuse(new ApiError(500, 'The server is away.'));
    await waitFor(() => expect(titles()).toEqual(['Add “New”']));
    expect(toasts).toMatchObject([{ severity: 'error', summary: 'The server is away.' }]);
    expect(screen.getByRole('combobox')).toHaveProperty('value', 'New');
  });
});

describe('options that are pasted', () => {
  const people = aTable([state, tags]);
  /** Options that rows use. */
  let used: readonly string[] = [];
  beforeEach(() => {
    used = [];
  });
  function paste(texts: readonly string[], column = tags, permissions = ['columnUpdate']) {
    const sent: unknown[] = [];
    let now = column;
    const api = {
      request: <T,>({ method, body }: ApiRequest): Promise<T> => {
        if (method === 'PATCH') {
          const { meta } = body as { readonly meta: { readonly options: { readonly title: string }[] } };
          if (used.some((title) => !meta.options.some((of) => of.title === title)))
            return Promise.reject(new ApiError(400, 'Rows use it.', 'OPTIONS_IN_USE'));
          sent.push(body);
          now = { ...column, meta };
        }
        return Promise.resolve({ ...people, columns: [now] } as T);
      },
    };
    const adopt = adoptOptions(api as unknown as ApiClient, column === tags);
    const into = { project: { ...aProject(), permissions }, table: people, column };
    return adopt(texts, into).then(({ refused, made }) => ({ sent, refused: [...refused], made }));
  }
  const titlesSent = (body: unknown) =>
    (body as { meta: { options: { title: string }[] } }).meta.options.map(({ title }) => title);

  test('become options of the column, all in one change, and each once', async () => {
    const { sent, refused } = await paste(['Open, New', 'new,Later', 'done']);
    expect(sent.map(titlesSent)).toEqual([['Open', 'Done', 'Late', 'New', 'Later']]);
    expect(refused).toEqual([]);
  });

  test('change nothing where the column knows them all', async () => {
    const { sent, refused, made } = await paste(['open', 'Done'], state);
    expect([sent, refused, made]).toEqual([[], [], undefined]);
  });

  test('go with the paste where no row uses them, and come back with it', async () => {
    const { sent, made } = await paste(['New, Later, Soon']);
    used = ['Later'];
    await made?.undo();
    expect(sent.map(titlesSent).at(-1)).toEqual(['Open', 'Done', 'Late', 'Later']);
    await made?.redo();
    expect(sent.map(titlesSent).at(-1)).toEqual(['Open', 'Done', 'Late', 'Later', 'New', 'Soon']);
  });

  test('are refused for whoever may not change the column', async () => {
    const { sent, refused } = await paste(['Open', 'New'], state, ['dataUpdate']);
    expect(sent).toEqual([]);
    expect(refused).toEqual([['New', 'has no such option']]);
  });

  test('are refused where they are too long for a name', async () => {
    const long = 'x'.repeat(200);
    expect((await paste([long], state)).refused).toEqual([[long, 'has no such option']]);
  });
});

describe('the panel of options', () => {
  function show() {
    const onChange = jest.fn();
    function Panel() {
      const [options, setOptions] = useState(meta);
      return (
        <SelectOptionsPanel
          options={options}
          column={state}
          onChange={(next) => {
            onChange(next.options.map(({ title }) => title));
            setOptions(next as typeof meta);
          }}
        />
      );
    }
    renderWithHost(<Panel />);
    return { onChange, user: userEvent.setup() };
  }

  test('Enter adds a line after its own, and a line that stays empty is no option', async () => {
    const { onChange, user } = show();
    await user.click(screen.getByRole('textbox', { name: 'Open' }));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toHaveProperty('value', ''));
    await user.keyboard('New{Enter}');
    await waitFor(() => expect(document.activeElement).toHaveProperty('value', ''));
    expect(onChange).toHaveBeenLastCalledWith(['Open', 'New', 'Done', 'Late']);
  });

  test('Escape closes the colours and nothing around them', async () => {
    const onEscape = jest.fn();
    const { user } = show();
    document.body.addEventListener('keydown', onEscape);
    const colour = screen.getByRole('button', { name: 'Colour of Open' });
    await user.click(colour);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Colour of Open' })).toBeNull();
    expect(onEscape).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(onEscape).toHaveBeenCalledTimes(1);
    document.body.removeEventListener('keydown', onEscape);
  });

  test('keeps the focus after a colour was chosen and an option removed', async () => {
    const { user } = show();
    const colour = screen.getByRole('button', { name: 'Colour of Open' });
    await user.click(colour);
    await user.click(screen.getByRole('button', { name: 'Light amber' }));
    expect(document.activeElement).toBe(colour);
    await user.click(screen.getByRole('button', { name: 'Remove Late' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Done' }));
  });
});

const anyOf: FilterOperator = {
  id: 'anyof',
  label: 'has any of',
  arity: 'list',
  build: () => ({ kind: 'always', value: true }),
};

test('An option with a comma in its name is chosen, shown and named by a filter as one', async () => {
  const onChange = jest.fn<(value: unknown) => void>();
  const options = [...meta.options, option('Bonn, Rhine')];
  const column = { ...state, meta: { options } };
  const filter = { column, type: single, operator: anyOf, readOnly: false, onChange };
  renderWithHost(<OptionsFilter {...filter} value={['Open', 'Bonn, Rhine']} />);
  await userEvent.click(screen.getByRole('button', { name: 'State: Open, Bonn, Rhine' }));
  await userEvent.click(screen.getByRole('option', { name: /Open/ }));
  await userEvent.click(screen.getByRole('option', { name: /Late/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(onChange).toHaveBeenLastCalledWith('"Bonn, Rhine",Late');
  cleanup();
  renderWithHost(<OptionsFilter {...filter} value={'"Bonn, Rhine",Late'} />);
  expect(screen.getByText('Bonn, Rhine')).toBeTruthy();
  cleanup();
  renderWithHost(<CellEditor column={column} type={single} value="Bonn, Rhine" onCommit={jest.fn()} />);
  expect(screen.getByText('Bonn, Rhine')).toBeTruthy();
});

test('A filter names several options of a column of one', async () => {
  const onChange = jest.fn<(value: unknown) => void>();
  renderWithHost(
    <OptionsFilter
      column={state}
      type={single}
      operator={anyOf}
      value="Open"
      readOnly={false}
      onChange={onChange}
    />,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'State: Open' }));
  await user.click(screen.getByRole('option', { name: /Late/ }));
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(onChange).toHaveBeenLastCalledWith('Open,Late');
});
