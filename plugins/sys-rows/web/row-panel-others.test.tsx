import { afterEach, describe, expect, test } from '@jest/globals';
import type { Row } from '@trellis/sdk/shared';
import { ApiError, type EditorProps, type WebColumnType } from '@trellis/sdk/web';
import { aColumn, aTable, aView, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { number, rowPath, sent, show, table } from '../testing/row-panel.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const linking = (related: string) =>
  aTable([
    ...(table.columns ?? []),
    {
      ...aColumn('cl_link', 'Owner', { uidt: 'SingleLineText' }),
      virtual: true,
      colOptions: { fk_related_model_id: related },
    },
  ]);

describe('what others change while a row is open', () => {
  test('a row that somebody deletes keeps what was typed and offers no way to save it', async () => {
    let isGone = false;
    const memory = show(
      {},
      {
        api: ({ path }) => {
          if (path.includes('/meta/')) return table;
          if (isGone) throw new ApiError(404, 'Not found', 'ROW_NOT_FOUND');
          return { Id: 1, Name: 'Ada', Age: 36 };
        },
      },
    );
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x{Tab}');
    isGone = true;
    act(() => memory.host.invalidate(['row:md_1:1']));
    expect(await screen.findByText('This row is gone.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
  });

  test('a row of a linked table is shown as it is now', async () => {
    let owner = 'Bo';
    const linked = linking('md_owners');
    const memory = show(
      { table: linked },
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': linked,
          [`GET ${rowPath}/1`]: () => ({ Id: 1, Name: 'Ada', Age: 36, Owner: owner }),
        },
      },
    );
    memory.open();
    await screen.findByText('Bo');
    owner = 'Cy';
    act(() =>
      memory.receive({
        kind: 'rows',
        projectId: 'p_1',
        tableId: 'md_owners',
        changes: [{ key: '7', op: 'update' }],
        requestId: 'other',
      } as never),
    );
    expect(await screen.findByText('Cy')).toBeTruthy();
  });

  test('a row is saved though a column with a problem is gone, and what was typed for it is told', async () => {
    let columns = table.columns ?? [];
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': () => ({ ...table, columns }),
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          [`PATCH ${rowPath}/1`]: ({ body }: { readonly body: Row }) => ({ Id: 1, ...body }),
        },
      },
    );
    memory.open();
    const age = await screen.findByRole('textbox', { name: 'Age' });
    await memory.user.clear(age);
    await memory.user.type(age, 'old{Tab}');
    const name = screen.getByRole('textbox', { name: /Name/ });
    await memory.user.type(name, ' Lovelace{Tab}');
    columns = columns.filter(({ id }) => id !== 'cl_age');
    act(() => memory.host.invalidate(['table:md_1']));
    await waitFor(() => expect(screen.queryByText('Age')).toBeNull());
    expect(memory.toasts).toMatchObject([{ summary: 'The column “Age” was taken away while you typed.' }]);
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(memory)).toMatchObject([{ body: { Name: 'Ada Lovelace' } }]));
  });

  test('what is being typed for a column that is taken away is told, though nobody left its field', async () => {
    let columns = table.columns ?? [];
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': () => ({ ...table, columns }),
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
        },
      },
    );
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: 'Age' }), ' and a half');
    columns = columns.filter(({ id }) => id !== 'cl_age');
    act(() => memory.host.invalidate(['table:md_1']));
    await waitFor(() => expect(screen.queryByText('Age')).toBeNull());
    expect(memory.toasts).toMatchObject([
      { summary: 'The column “Age” was taken away while you typed.', detail: '36 and a half' },
    ]);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  test('what is being typed into a column whose plugin is switched off is told', async () => {
    const memory = show({}, { registries: { columnTypes: [textType] } });
    const plugin = memory.registries.get('columnTypes').register(number, 'acme');
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: 'Age' }), '0');
    act(() => void plugin.dispose());
    expect(screen.queryByRole('textbox', { name: 'Age' })).toBeNull();
    expect(memory.toasts).toMatchObject([
      { summary: 'There is no field any more for what you typed for “Age”.', detail: '360' },
    ]);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  test('a field that somebody types in stays where it is when its view hides it, until it is saved', async () => {
    let isShown = true;
    const places = () => [
      { fk_column_id: 'cl_name', order: 1, show: true },
      { fk_column_id: 'cl_age', order: 2, show: isShown },
      { fk_column_id: 'cl_id', order: 3, show: !isShown },
    ];
    const memory = show(
      { view: aView() },
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          [`PATCH ${rowPath}/1`]: ({ body }: { readonly body: Row }) => ({ Id: 1, ...body }),
          'GET /api/v1/db/meta/views/vw_1/columns': places,
        },
      },
    );
    memory.open();
    const age = await screen.findByRole('textbox', { name: 'Age' });
    await memory.user.type(age, '0');
    isShown = false;
    act(() => memory.host.invalidate(['view:vw_1']));
    await waitFor(() => expect(screen.getByText('Id').closest('details')).toBeNull());
    expect(document.activeElement).toBe(age);
    expect(age).toHaveProperty('value', '360');
    expect(age.isConnected).toBe(true);
    await memory.user.clear(age);
    await memory.user.type(age, '40');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('One field that the view hides')).toBeTruthy();
    expect(sent(memory)).toMatchObject([{ body: { Age: 40 } }]);
  });

  test('a value that somebody else stored is told at the field in which another one waits to be saved', async () => {
    let name = 'Ada';
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: () => ({ Id: 1, Name: name, Age: 36 }),
        },
      },
    );
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), ' L.{Tab}');
    expect(screen.queryByRole('status')).toBeNull();
    name = 'Augusta';
    act(() => memory.host.invalidate(['row:md_1:1']));
    const told = 'Somebody else changed this to “Augusta” meanwhile. Saving replaces it.';
    expect((await screen.findByText(told)).getAttribute('role')).toBe('status');
    await memory.user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Augusta');
    expect(screen.queryByText(told)).toBeNull();
  });

  test('a value that was just saved is nobody else’s where another one is written before the row is read again', async () => {
    let stored: Row = { Id: 1, Name: 'Ada', Age: 36 };
    const gates: (() => void)[] = [];
    let waits = false;
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: async () => {
            if (waits) await new Promise<void>((resolve) => gates.push(resolve));
            return stored;
          },
          [`PATCH ${rowPath}/1`]: ({ body }: { readonly body: Row }) => {
            waits = true;
            stored = { ...stored, ...body, Age: 37 };
            return stored;
          },
        },
      },
    );
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, ' L.{Control>}s{/Control}');
    await waitFor(() => expect(gates).not.toHaveLength(0));
    await memory.user.clear(name);
    await memory.user.type(name, 'Countess{Tab}');
    waits = false;
    await act(async () => gates.forEach((open) => open()));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Age' })).toHaveProperty('value', '37'));
    expect(screen.queryByRole('status')).toBeNull();
    expect(name).toHaveProperty('value', 'Countess');
    expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
  });

  test('a covered value that somebody else stored is told of and not shown, also while another one is typed', async () => {
    const Secret = ({ onChange }: EditorProps) => (
      <input aria-label="Secret" onChange={({ target }) => onChange({ kind: 'text', text: target.value })} />
    );
    const covered: WebColumnType = { ...textType, isCovered: true, Editor: Secret };
    let name = 'Ada';
    const memory = show(
      {},
      {
        registries: { columnTypes: [covered, number] },
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: () => ({ Id: 1, Name: name, Age: 36 }),
        },
      },
    );
    const store = (text: string) => {
      name = text;
      act(() => memory.host.invalidate(['row:md_1:1']));
    };
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: 'Secret' }), 'mine');
    store('Augusta');
    const typing = 'Meanwhile something else was stored. What you write replaces it.';
    expect(await screen.findByText(typing)).toBeTruthy();
    await memory.user.tab();
    store('Byron');
    const waiting = 'Somebody else changed this meanwhile. Saving replaces it.';
    expect(await screen.findByText(waiting)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/Augusta|Byron/);
  });
});
