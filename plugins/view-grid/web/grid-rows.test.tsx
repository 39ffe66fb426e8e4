import { describe, expect, jest, test } from '@jest/globals';
import { type CellAction, RowPanelToken } from '@trellis/sdk/web';
import { numberType, textType } from '@trellis/sdk/testing/web';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { focusGrid, input, prepareGridView, show, table } from '../testing/grid-view.tsx';

prepareGridView();

describe('a grid whose rows come and go', () => {
  test('adds a row at the end and goes there', async () => {
    const { user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: /Add a row/ }));
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
  });

  test('a row that comes late leaves the focus in a panel that was opened meanwhile', async () => {
    show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    render(
      <div role="dialog" aria-modal="true">
        <button>Inside</button>
      </div>,
    );
    fireEvent.click(screen.getByRole('button', { name: /Add a row/ }));
    const inside = screen.getByRole('button', { name: 'Inside' });
    inside.focus();
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
    expect(document.activeElement).toBe(inside);
  });

  test('a row that needs a value is filled in at the side before it is added', async () => {
    const columns = (table.columns ?? []).map((each) =>
      each.id === 'cl_name' ? { ...each, rqd: true } : each,
    );
    const { server, services, user } = show({ columns });
    const open = jest.fn();
    services.bind(RowPanelToken, { value: { open } });
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: /Add a row/ }));
    expect(open).toHaveBeenCalledWith(
      expect.objectContaining({ rowKey: undefined, table: { ...table, columns } }),
    );
    expect(server.written()).toEqual([]);
  });

  test('a row that filters hide is the one that is typed into, and the person is told', async () => {
    const { server, user, toasts } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.hidesNewRows = true;
    await user.click(screen.getByRole('button', { name: /Add a row/ }));
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
    await user.keyboard('Eve{Enter}');
    await waitFor(() =>
      expect(server.written().at(-1)).toMatchObject({
        path: expect.stringMatching(/vw_1\/3$/),
        body: { Name: 'Eve' },
      }),
    );
    expect(toasts[0]?.summary).toMatch(/stays at the end for now/);
    expect(screen.getByText('2 rows')).toBeTruthy();
  });

  test('duplicates a row with what can be written of it, as one step', async () => {
    const { server, user, toasts } = show();
    const cell = await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.contextMenu(cell, { clientX: 100, clientY: 50 });
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Duplicate row',
      'Add a row at the end',
      'Delete row',
    ]);
    await user.click(screen.getByRole('menuitem', { name: 'Duplicate row' }));
    await waitFor(() => expect(toasts[0]?.summary).toBe('Row duplicated.'));
    expect(server.written().at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/v1/db/data/bulk/noco/p_1/md_1/copies',
      body: [{ of: '1', values: { Name: 'Ada', Age: 36 } }],
    });
    expect(JSON.stringify(server.written().at(-1)?.body)).not.toContain('Id');
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
  });

  test('deletes ticked rows after a question and offers to take it back', async () => {
    const { server, user, toasts, questions } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.pointerMove(screen.getByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull());
    expect(questions[0]).toMatchObject({
      title: 'Delete this row?',
      message: 'You can take it back with Undo.',
    });
    toasts[0]?.action?.run();
    await waitFor(() => expect(server.written().at(-1)?.path).toMatch(/operations\/p_1\/op\d+\/undo$/));
  });

  test('says before ticked rows are deleted how many of them are not shown any more', async () => {
    const { server, user, questions, receive } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    for (const [name, row] of [
      ['Ada', 1],
      ['Grace', 2],
    ] as const) {
      fireEvent.pointerMove(screen.getByRole('gridcell', { name }));
      fireEvent.click(screen.getByRole('checkbox', { name: `Select row ${row}` }));
    }
    // By a change of somebody else it does not meet the filters any more.
    server.rows = server.rows.slice(0, 1);
    const event = { kind: 'rows', projectId: 'p_1', tableId: 'md_1', seq: 1, requestId: 'r' } as const;
    act(() => receive({ ...event, changes: [{ op: 'update', key: '2' }] }));
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'Grace' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(questions[0]).toMatchObject({
        title: 'Delete 2 rows?',
        message: 'One of them is not shown here now. You can take it back with Undo.',
      }),
    );
  });

  test('promises no undo of a deletion where a column cannot tell what else goes', async () => {
    const warnOfDeletion = () => Promise.reject(new Error('no network'));
    const { user, questions } = show({ types: [numberType, { ...textType, warnOfDeletion }] });
    await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.pointerMove(screen.getByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(questions[0]?.message).toBe(
        'It could not be found out what else changes with “Name”; Undo may not bring all of it back.',
      ),
    );
  });

  test('the offer to take a deletion back takes nothing else back once something else was done', async () => {
    const { server, user, toasts } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.pointerMove(screen.getByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(toasts).toHaveLength(1));
    focusGrid();
    // The row that was selected is gone, and so is the selection until somebody moves.
    await user.keyboard('{ArrowDown}Eve{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(2));
    toasts[0]?.action?.run();
    await waitFor(() => expect(toasts[1]?.summary).toMatch(/not your last change/));
    expect(server.written().filter(({ path }) => path.includes('/undo'))).toEqual([]);
  });
});

describe('the menu of a row', () => {
  const meta = { pageSize: 25 };
  const rows = ['Ada', 'Bo', 'Cleo', 'Dan'].map((Name, at) => ({ Id: at + 1, Name, Age: at, Map: null }));
  type Shown = ReturnType<typeof show>;

  /** Opens the menu of the row with a name, which stands where it stood at first. */
  async function openMenu(name: string): Promise<void> {
    const at = rows.findIndex(({ Name }) => Name === name);
    fireEvent.contextMenu(await screen.findByRole('gridcell', { name }), {
      clientX: 100,
      clientY: 50 + at * 34,
    });
  }

  /** Somebody else deletes a row, and the grid shows what is left. */
  async function deleteElsewhere({ server, receive }: Shown, name: string): Promise<void> {
    const key = String(server.rows.find(({ Name }) => Name === name)?.Id as number);
    server.rows = server.rows.filter(({ Name }) => Name !== name);
    const event = { kind: 'rows', projectId: 'p_1', tableId: 'md_1', seq: 1, requestId: 'r' } as const;
    act(() => receive({ ...event, changes: [{ op: 'delete', key }] }));
    await waitFor(() => expect(screen.queryByRole('gridcell', { name })).toBeNull());
  }

  test('means the row that it was opened on, wherever others have moved it', async () => {
    const shown = show({ rows, meta });
    await openMenu('Cleo');
    await deleteElsewhere(shown, 'Ada');
    await shown.user.click(screen.getByRole('menuitem', { name: 'Delete row' }));
    await waitFor(() => expect(shown.server.rows.map(({ Name }) => Name)).toEqual(['Bo', 'Dan']));
  });

  test('means the rows that were selected with it, without those that are gone', async () => {
    const shown = show({ rows, meta });
    await screen.findByRole('gridcell', { name: 'Bo' });
    focusGrid();
    await shown.user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await openMenu('Cleo');
    expect(screen.getByRole('menuitem', { name: 'Delete 3 rows' })).toBeTruthy();
    await deleteElsewhere(shown, 'Bo');
    await shown.user.click(screen.getByRole('menuitem', { name: 'Delete 2 rows' }));
    await waitFor(() => expect(shown.server.rows.map(({ Name }) => Name)).toEqual(['Ada']));
  });

  test('stays as it is while its row is not shown any more: what is under the pointer is what was meant', async () => {
    const run = jest.fn<CellAction['run']>();
    const shown = show({ rows, meta, cellActions: [{ id: 'copy', label: 'Copy link', icon: 'link', run }] });
    await openMenu('Cleo');
    const items = () => screen.getAllByRole('menuitem').map((item) => item.textContent);
    const before = items();
    expect(before).toContain('Copy link');
    shown.server.rows = shown.server.rows.filter(({ Name }) => Name !== 'Cleo');
    const event = { kind: 'rows', projectId: 'p_1', tableId: 'md_1', seq: 1, requestId: 'r' } as const;
    act(() => shown.receive({ ...event, changes: [{ op: 'update', key: '3' }] }));
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'Cleo' })).toBeNull());
    expect(items()).toEqual(before);
    await shown.user.click(screen.getByRole('menuitem', { name: 'Copy link' }));
    expect(run.mock.calls[0]?.[0]).toMatchObject({ rowKey: '3', row: { Name: 'Cleo' } });
  });

  test('closes once its row is gone', async () => {
    const shown = show({ rows, meta });
    await openMenu('Cleo');
    await deleteElsewhere(shown, 'Cleo');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  });
});
