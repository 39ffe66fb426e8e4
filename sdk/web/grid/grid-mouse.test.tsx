import { describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { activeCell, cellAt, showGrid, prepareGridBench } from '../../testing/grid-bench.tsx';
import { aColumn, textType } from '../../testing/table-fixtures.ts';

prepareGridBench();

describe('the mouse', () => {
  const at = (row: number, x: number) => ({ clientX: x, clientY: 36 + row * 34 + 10, button: 0 });
  const body = (): HTMLElement => document.querySelector<HTMLElement>('.tgrid-body') ?? document.body;

  test('a press selects, a drag makes a range, Shift extends it', () => {
    const { input } = showGrid();
    fireEvent.pointerDown(body(), at(1, 100));
    expect(activeCell()).toBe(cellAt(1, 0));
    expect(document.activeElement).toBe(input);
    fireEvent.pointerMove(window, at(3, 300));
    fireEvent.pointerUp(window, at(3, 300));
    expect(cellAt(3, 1).getAttribute('aria-selected')).toBe('true');
    expect(cellAt(4, 1).getAttribute('aria-selected')).toBe('false');
    fireEvent.pointerDown(body(), { ...at(4, 100), shiftKey: true });
    fireEvent.pointerUp(window, at(4, 100));
    expect(cellAt(4, 0).getAttribute('aria-selected')).toBe('true');
    expect(cellAt(3, 1).getAttribute('aria-selected')).toBe('false');
  });

  test('the handle at the corner of the selection fills the cells it is dragged over, in one write', async () => {
    const { source, onCommitCells } = showGrid();
    act(() => {
      source.put(0, { age: 10 });
      source.put(1, { age: 20 });
    });
    fireEvent.pointerDown(body(), at(0, 300));
    fireEvent.pointerMove(window, at(1, 300));
    fireEvent.pointerUp(window);
    const drag = (release: typeof fireEvent.pointerUp): void => {
      const handle = document.querySelector('.tgrid-fill');
      if (handle === null) throw new Error('There is no handle to fill with');
      fireEvent.pointerDown(handle, { button: 0, pointerType: 'touch' });
      fireEvent.pointerMove(window, at(3, 300));
      expect(document.querySelectorAll('.is-filling')).toHaveLength(4);
      release(window);
    };
    drag(fireEvent.pointerCancel);
    expect(onCommitCells).not.toHaveBeenCalled();
    drag(fireEvent.pointerUp);
    await waitFor(() => expect(cellAt(3, 1).textContent).toBe('40'));
    expect(cellAt(2, 1).textContent).toBe('30');
    expect(onCommitCells).toHaveBeenCalledTimes(1);
    expect(document.querySelector('.is-filling')).toBeNull();
  });

  test('where a page runs from the right to the left, so do the columns: arrows and the pointer follow the sight', async () => {
    document.documentElement.dir = 'rtl';
    try {
      const { user } = showGrid();
      fireEvent.pointerDown(body(), at(0, -100));
      fireEvent.pointerUp(window);
      expect(activeCell()).toBe(cellAt(0, 0));
      await user.keyboard('{ArrowLeft}');
      expect(activeCell()).toBe(cellAt(0, 1));
      await user.keyboard('{ArrowRight}');
      expect(activeCell()).toBe(cellAt(0, 0));
      fireEvent.pointerDown(body(), at(1, -300));
      fireEvent.pointerUp(window);
      expect(activeCell()).toBe(cellAt(1, 1));
    } finally {
      document.documentElement.dir = '';
    }
  });

  test('a double click opens the editor', () => {
    const { input } = showGrid();
    fireEvent.pointerDown(body(), at(1, 100));
    fireEvent.pointerUp(window, at(1, 100));
    fireEvent.doubleClick(body(), at(1, 100));
    expect(input).toHaveProperty('value', 'row 1');
  });

  test('two taps of a finger open the editor, one selects', () => {
    const { input } = showGrid();
    const tap = () => {
      fireEvent.pointerDown(body(), { ...at(1, 100), pointerType: 'touch' });
      fireEvent.click(body(), at(1, 100));
    };
    tap();
    expect(activeCell()).toBe(cellAt(1, 0));
    expect(input).toHaveProperty('value', '');
    tap();
    expect(input).toHaveProperty('value', 'row 1');
  });

  test('a press on another cell commits what was typed', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('Ada');
    fireEvent.pointerDown(body(), at(5, 300));
    fireEvent.pointerUp(window, at(5, 300));
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ rowKey: 'k0', value: 'Ada' });
    expect(activeCell()).toBe(cellAt(5, 1));
  });

  test('rows are ticked one by one or with Shift as a stretch, and deleted together', async () => {
    const onDeleteRows = jest.fn();
    const { user } = showGrid({ onDeleteRows });
    fireEvent.pointerMove(cellAt(1, 0));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
    expect(screen.getByText('1 row selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 4' }), { shiftKey: true });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onDeleteRows).toHaveBeenCalledWith(['k1', 'k2', 'k3']);
  });

  test('Shift ticks from the row that was ticked last, wherever that stands by now', () => {
    const onDeleteRows = jest.fn();
    const { source } = showGrid({ onDeleteRows });
    fireEvent.pointerMove(cellAt(1, 0));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
    // Somebody else deletes the first row.
    act(() => {
      source.rows = source.rows.slice(1);
    });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 3' }), { shiftKey: true });
    expect(screen.getByText('3 rows selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onDeleteRows).toHaveBeenCalledWith(['k1', 'k2', 'k3']);
  });

  test('a title that is refused stays in its field, to be changed or given up', async () => {
    const onRenameColumn = jest.fn((_id: string, title: string) =>
      title === 'Name' ? Promise.reject(new Error('There is such a column.')) : Promise.resolve(),
    );
    const { user } = showGrid({ onRenameColumn });
    await user.dblClick(screen.getByRole('columnheader', { name: /^Age/ }));
    await user.keyboard('Name{Enter}');
    const field = screen.getByLabelText<HTMLInputElement>('Title of column Age');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect([field.value, document.activeElement]).toEqual(['Name', field]);
    await user.tab();
    expect([field.value, field.isConnected]).toEqual(['Name', true]);
    await user.click(field);
    await user.type(field, 's{Enter}');
    await waitFor(() => expect(field.isConnected).toBe(false));
    expect(onRenameColumn.mock.calls).toEqual([
      ['age', 'Name'],
      ['age', 'Names'],
    ]);
  });

  test('a title that is being typed is kept when its column is scrolled out of sight', async () => {
    const columns = Array.from({ length: 20 }, (_, at) => ({
      entity: aColumn(`c${at}`, `Column ${at}`),
      width: 200,
      type: textType,
    }));
    const onRenameColumn = jest.fn((_id: string, _title: string) => Promise.resolve());
    const { user } = showGrid({ columns, onRenameColumn });
    await user.dblClick(screen.getByText('Column 1'));
    await user.keyboard('Height');
    const scroller = document.querySelector('.tgrid-scroller') ?? document.body;
    const scrollTo = (left: number) => {
      scroller.scrollLeft = left;
      fireEvent.scroll(scroller);
    };
    scrollTo(2000);
    expect(screen.getByText('Column 12')).toBeTruthy();
    expect(screen.queryByText('Column 2')).toBeNull();
    scrollTo(0);
    const field = screen.getByLabelText<HTMLInputElement>('Title of column Column 1');
    expect([field.value, document.activeElement]).toEqual(['Height', field]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(onRenameColumn).toHaveBeenCalledWith('c1', 'Height'));
  });

  test('the box over the rows says whether none, some or all are ticked', async () => {
    const { user } = showGrid({ onDeleteRows: jest.fn() });
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all rows' });
    const state = () => [all.checked, all.indeterminate];
    expect(state()).toEqual([false, false]);
    fireEvent.pointerMove(cellAt(1, 0));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
    expect(state()).toEqual([false, true]);
    await user.click(all);
    expect(state()).toEqual([false, false]);
    await user.click(all);
    await waitFor(() => expect(state()).toEqual([true, false]));
  });

  test('Delete asks for the ticked rows, not for a cell', async () => {
    const onDeleteRows = jest.fn();
    const { user, onCommitCells } = showGrid({ onDeleteRows });
    fireEvent.pointerMove(cellAt(1, 0));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
    await user.keyboard('{Delete}');
    expect(onDeleteRows).toHaveBeenCalledWith(['k1']);
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('a ticked row that others delete is ticked no more', async () => {
    const onDeleteRows = jest.fn();
    const { source, user } = showGrid({ onDeleteRows });
    for (const row of [1, 2]) {
      fireEvent.pointerMove(cellAt(row, 0));
      fireEvent.click(screen.getByRole('checkbox', { name: `Select row ${row + 1}` }));
    }
    act(() => {
      Object.assign(source, { wasDeleted: (key: string) => key === 'k1' });
      source.rows = source.rows.filter(({ key }) => key !== 'k1');
    });
    expect(screen.getByText('1 row selected')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onDeleteRows).toHaveBeenCalledWith(['k2']);
  });

  test('the active row is ticked from the keyboard', async () => {
    const { user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('{ArrowDown}{Shift>} {/Shift}');
    expect(screen.getByRole('checkbox', { name: 'Select row 2' })).toHaveProperty('checked', true);
  });

  test('a press on a title selects its column', async () => {
    const onSelectionChange = jest.fn();
    const { user } = showGrid({ onSelectionChange });
    await user.click(screen.getByRole('columnheader', { name: 'Age' }));
    expect(onSelectionChange).toHaveBeenLastCalledWith({
      active: { index: 0, rowKey: 'k0', columnId: 'age' },
      range: { top: 0, bottom: 99, columnIds: ['age'] },
      rowKeys: [],
    });
  });

  test('a title is dragged to another place, and its edge to another width', () => {
    const onReorderColumn = jest.fn();
    const onResizeColumn = jest.fn();
    showGrid({ onReorderColumn, onResizeColumn });
    const name = screen.getByRole('columnheader', { name: /^Name/ });
    fireEvent.pointerDown(name, { clientX: 100, button: 0 });
    fireEvent.pointerMove(window, { clientX: 330 });
    fireEvent.pointerUp(window, { clientX: 330 });
    expect(onReorderColumn).toHaveBeenCalledWith('name', 'done');
    fireEvent.pointerDown(screen.getByRole('separator', { name: 'Resize column Name' }), {
      clientX: 244,
      button: 0,
    });
    fireEvent.pointerMove(window, { clientX: 294 });
    fireEvent.pointerUp(window, { clientX: 294 });
    expect(onResizeColumn).toHaveBeenCalledWith('name', 250);
    expect(name.style.width).toBe('250px');
  });

  test('the right button asks the page for a menu of the cell', () => {
    const onContextMenu = jest.fn();
    showGrid({ onContextMenu });
    fireEvent.contextMenu(body(), at(2, 300));
    expect(onContextMenu).toHaveBeenCalledWith({
      kind: 'cell',
      rowKey: 'k2',
      index: 2,
      columnId: 'age',
      x: 300,
      y: 36 + 2 * 34 + 10,
    });
  });
});
