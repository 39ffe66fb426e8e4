import { afterEach, describe, expect, test } from '@jest/globals';
import type { Row, ViewEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest, type WebColumnType } from '@trellis/sdk/web';
import { useRows, useRowsInSight } from '@trellis/sdk/web/rows';
import { PopoverButton } from '@trellis/sdk/web/ui';
import { aProject, textType, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useEffect } from 'react';
import { number, project, rowPath, sent, show, table } from '../testing/row-panel.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('a row by itself', () => {
  test('a text that cannot be read stays, says why, and is not saved with the rest', async () => {
    const memory = show();
    memory.open();
    const age = await screen.findByRole('textbox', { name: /Age/ });
    await memory.user.clear(age);
    await memory.user.type(age, 'many');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(age).toHaveProperty('value', 'many');
    expect(screen.getByText('“Age” must be a number.')).toBeTruthy();
    expect(sent(memory)).toEqual([]);
    await memory.user.clear(age);
    await memory.user.type(age, '300');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('“Age” must be 200 at most.')).toBeTruthy();
    await memory.user.clear(age);
    await memory.user.type(age, '37');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(memory)).toMatchObject([{ method: 'PATCH', body: { Age: 37 } }]));
  });

  test('what is typed while it is saved stays, and is saved the next time', async () => {
    const saves: (() => void)[] = [];
    const memory = show(
      {},
      {
        api: async ({ method, path, body }) => {
          if (path.includes('/meta/')) return table;
          if (method !== 'PATCH') return { Id: 1, Name: 'Ada', Age: 36 };
          await new Promise<void>((resolve) => saves.push(resolve));
          return { Id: 1, ...(body as Row) };
        },
      },
    );
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saves).toHaveLength(1));
    await memory.user.type(name, 'y');
    await memory.user.type(screen.getByRole('textbox', { name: /Age/ }), '{Backspace}7{Tab}');
    await act(async () => saves[0]?.());
    await memory.user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saves).toHaveLength(2));
    expect(sent(memory)).toMatchObject([{ body: { Name: 'Adax' } }, { body: { Name: 'Adaxy', Age: 37 } }]);
    await act(async () => saves[1]?.());
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull());
  });

  test('keeps the keys when it is saved: the cursor stays in its field', async () => {
    const memory = show();
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x{Control>}s{/Control}');
    await waitFor(() => expect(sent(memory)).toMatchObject([{ body: { Name: 'Adax' } }]));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Name/ }));
    await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'y');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true);
    await memory.user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    ['with Caps Lock on', { key: 'S' }],
    ['on a keyboard of another alphabet', { key: 'ы' }],
  ])('is saved by the keys %s', async (_where, key) => {
    const memory = show();
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x');
    fireEvent.keyDown(name, { ...key, code: 'KeyS', ctrlKey: true });
    await waitFor(() => expect(sent(memory)).toMatchObject([{ body: { Name: 'Adax' } }]));
  });

  test('is not saved by keys that write a letter', async () => {
    const memory = show();
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x');
    // AltGr, as some systems tell of it.
    const press = { key: 'ś', code: 'KeyS', ctrlKey: true, altKey: true };
    expect(fireEvent.keyDown(name, press)).toBe(true);
    expect(sent(memory)).toEqual([]);
  });

  test('a value that must be there cannot be emptied', async () => {
    const memory = show();
    memory.open();
    await memory.user.clear(await screen.findByRole('textbox', { name: /Name/ }));
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('“Name” must not be empty.')).toBeTruthy();
    expect(sent(memory)).toEqual([]);
  });

  test('a refusal that names a column stands at its field', async () => {
    const memory = show(
      {},
      {
        api: (request) => {
          if (request.method === 'PATCH')
            throw new ApiError(400, 'taken already', 'TAKEN', { column: 'Name' });
          return request.path.includes('/meta/') ? table : { Id: 1, Name: 'Ada', Age: 36 };
        },
      },
    );
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByText('taken already')).className).toContain('problem');
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
  });

  test('closing asks before it throws away what stands in a field, and gives the focus back', async () => {
    const answers = [false, true];
    const memory = show({}, { confirm: () => answers.shift() ?? true });
    act(() => screen.getByRole('button', { name: 'Opener' }).focus());
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x{Escape}');
    await waitFor(() => expect(memory.questions).toHaveLength(1));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
    await memory.user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Opener' }));
  });

  test('Discard takes away what stands in its fields, also a text that cannot be read', async () => {
    const memory = show();
    memory.open();
    const age = await screen.findByRole('textbox', { name: /Age/ });
    await memory.user.type(age, ' or so{Tab}');
    await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'x{Tab}');
    expect(screen.getByText('“Age” must be a number.')).toBeTruthy();
    await memory.user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByRole('textbox', { name: /Age/ })).toHaveProperty('value', '36');
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Ada');
    expect(screen.queryByText('“Age” must be a number.')).toBeNull();
    expect(memory.toasts).toEqual([]);
  });

  test('Escape closes what a field has opened above it, and not the row', async () => {
    const opening: WebColumnType = {
      ...textType,
      Editor: ({ onCommit }) => (
        <PopoverButton icon="pencil" label="Write">
          {() => <input aria-label="Draft" onChange={({ target }) => onCommit(target.value)} />}
        </PopoverButton>
      ),
    };
    const memory = show({}, { registries: { columnTypes: [opening, number] } });
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'Write' }));
    await memory.user.type(screen.getByRole('textbox', { name: 'Draft' }), '{Escape}');
    expect(screen.queryByRole('textbox', { name: 'Draft' })).toBeNull();
    expect(screen.getByRole('dialog', { name: /Ada/ })).toBeTruthy();
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('after Discard the keys still reach it', async () => {
    const memory = show();
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x{Tab}');
    await memory.user.click(screen.getByRole('button', { name: 'Discard' }));
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(memory.questions).toEqual([]);
  });

  test('shows the fields in the order of its view, the hidden ones folded away', async () => {
    const view = { id: 'vw_1', title: 'Grid', view_type: 'grid', meta: null } as ViewEntity;
    const places = [
      { fk_column_id: 'cl_age', order: 1, show: true },
      { fk_column_id: 'cl_id', order: 2, show: false },
      { fk_column_id: 'cl_name', order: 3, show: true },
    ];
    const memory = show(
      { view },
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          'GET /api/v1/db/meta/views/vw_1/columns': places,
        },
      },
    );
    memory.open();
    const hidden = await screen.findByText('One field that the view hides');
    const labels = [...document.querySelectorAll('.rows-label')].map((each) => each.textContent);
    expect(labels.map((label) => label.replace('*', ''))).toEqual(['Name', 'Age', 'Id']);
    expect(hidden.closest('details')?.open).toBe(false);
    expect(hidden.closest('details')?.textContent).toContain('Id');
  });

  test('of a linked table, which has no view here, folds the columns of the system away', async () => {
    const columns = table.columns?.map((column) =>
      column.title === 'Age' ? { ...column, uidt: 'ForeignKey', system: true } : column,
    );
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': { ...table, columns },
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
        },
      },
    );
    memory.open();
    const hidden = await screen.findByText('One system field');
    expect(within(hidden.closest('details') as HTMLElement).getByText('Age')).toBeTruthy();
    expect(hidden.closest('details')?.open).toBe(false);
  });

  test('says where its row stands, also after somebody deleted one before it', async () => {
    let list: readonly Row[] = [1, 2, 3].map((Id) => ({ Id, Name: `row ${Id}`, Age: null }));
    function View() {
      const rows = useRows({ kind: 'table', project, table });
      useRowsInSight(rows);
      useEffect(() => rows.source.ensure(0, 10), [rows]);
      return null;
    }
    const answers = ({ path }: ApiRequest): unknown => {
      if (path.includes('/meta/')) return table;
      if (path.endsWith('/count')) return { count: list.length };
      return path === rowPath ? { list } : list.find(({ Id }) => path.endsWith(`/${JSON.stringify(Id)}`));
    };
    const memory = show({}, { api: answers }, <View />);
    const { rows } = memory.host.shell.context;
    await act(async () => rows?.source.settled());
    act(() => memory.panelRequests.open({ project, table, rowKey: '2', rows }));
    await screen.findByText('2 of 3');
    list = list.slice(1);
    act(() => rows?.source.refresh());
    expect(await screen.findByText('1 of 2')).toBeTruthy();
  });

  test('tells who opened it which row was looked at last, instead of giving the focus back itself', async () => {
    const closed: string[] = [];
    const memory = show({ onClosed: (rowKey) => closed.push(rowKey) });
    memory.open();
    await screen.findByRole('button', { name: 'History' });
    await memory.user.keyboard('{Escape}');
    expect(closed).toEqual(['1']);
  });

  test('a value that cannot be changed is drawn as its type draws it', async () => {
    const Cell: WebColumnType['Cell'] = ({ value }) => (
      <em>covered {(value as string | number).toString().length}</em>
    );
    const reader = aProject({ role: 'viewer' });
    show({ project: reader }, { registries: { columnTypes: [{ ...textType, Cell }, number] } }).open();
    expect((await screen.findByText('covered 3')).tagName).toBe('EM');
    expect(screen.getByRole('dialog').querySelector('.rows-fields')?.textContent).not.toContain('Ada');
  });

  test('offers what the rights on the rows of the table allow, and nothing else', async () => {
    const offered = async (denied: readonly string[]) => {
      const lacking = { ...table, denied };
      const api: MemoryHostOptions['api'] = ({ path }) =>
        path.includes('/meta/') ? lacking : { Id: 1, Name: 'Ada', Age: 36 };
      show({ table: lacking }, { api }).open();
      await screen.findByRole('textbox', { name: /Name/ });
      const names = ['Delete row', 'Duplicate row'].filter((name) => screen.queryByRole('button', { name }));
      cleanup();
      return names;
    };
    expect(await offered([])).toEqual(['Delete row', 'Duplicate row']);
    expect(await offered(['dataDelete', 'bulkDataDelete'])).toEqual(['Duplicate row']);
    expect(await offered(['dataInsert', 'bulkDataInsert'])).toEqual(['Delete row']);
  });

  test('is called by the text of its primary value, but not by one that is covered', async () => {
    const named = show();
    named.open();
    expect(await screen.findByRole('dialog', { name: 'Ada' })).toBeTruthy();
    // A text in Hebrew is read from the right in an English page, too.
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Name/ }).dir).toBe('auto');
    cleanup();
    const secret: WebColumnType = { ...textType, isCovered: true };
    const memory = show({}, { registries: { columnTypes: [secret, number] } });
    memory.open();
    expect(await screen.findByRole('dialog', { name: 'Row 1' })).toBeTruthy();
    expect(screen.queryByText('Ada')).toBeNull();
  });

  test('it waits out of sight while another project is open, or a page of its own that shows no table', async () => {
    const memory = show();
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    act(() => memory.host.shell.setContext({ project: { ...project, id: 'p_2' } }));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => memory.host.shell.setContext({ project }));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
    const team = { type: 'team', key: 'team', name: 'Team' };
    act(() => memory.host.shell.openTab(team));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => memory.host.shell.closeTab(team));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
  });
});
