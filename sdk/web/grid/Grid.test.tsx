import { describe, expect, jest, test } from '@jest/globals';
import { lazy, type ComponentType } from 'react';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { CellProps } from '../extensions/index.ts';
import { aColumn, textType } from '../../testing/table-fixtures.ts';
import { makeRows, testColumns } from '../../testing/grid-fixtures.ts';
import {
  activeCell,
  cellAt,
  copyFrom,
  paste,
  showGrid,
  prepareGridBench,
} from '../../testing/grid-bench.tsx';
import type { GridProps } from './grid-types.ts';

prepareGridBench();

describe('what a grid shows', () => {
  test('only the rows in sight are drawn, and the counts tell of all', () => {
    showGrid();
    expect(screen.getByRole('grid', { name: 'People' }).getAttribute('aria-rowcount')).toBe('101');
    expect(screen.getByRole('grid').getAttribute('aria-colcount')).toBe('5');
    expect(screen.getAllByRole('row').length).toBeLessThan(20);
    expect(cellAt(2, 0).textContent).toBe('row 2');
  });

  test('an empty table says so and offers the first row', async () => {
    const onAppendRow = jest.fn<NonNullable<GridProps['onAppendRow']>>();
    const { user } = showGrid({ source: makeRows(0), onAppendRow });
    expect(screen.getByText('No rows yet')).toBeTruthy();
    expect(screen.getByText('Rows that you add appear here.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add a row' }));
    expect(onAppendRow).toHaveBeenCalledTimes(1);
  });

  test('an empty table that takes pasted rows says so, and takes them after a press into it', async () => {
    const onPasteRows = jest.fn<NonNullable<GridProps['onPasteRows']>>(() => Promise.resolve([]));
    const { input } = showGrid({ source: makeRows(0), onAppendRow: () => undefined, onPasteRows });
    expect(screen.getByText(/paste rows of a spreadsheet/)).toBeTruthy();
    fireEvent.pointerDown(document.querySelector('.tgrid-body') ?? input, { clientX: 400, clientY: 300 });
    expect(document.activeElement).toBe(input);
    paste(input, 'one\ntwo');
    await waitFor(() => expect(onPasteRows).toHaveBeenCalledTimes(1));
    expect(onPasteRows.mock.calls[0]?.[0]).toHaveLength(2);
  });

  test('rows that could not be loaded say why and can be asked for again', async () => {
    const source = makeRows(0);
    source.counted = undefined;
    source.error = new Error('the server did not answer');
    const { user } = showGrid({ source });
    expect(screen.getByRole('alert').textContent).toContain('the server did not answer');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('rows of an unknown count are drawn as placeholders, and the grid says that it does not know', () => {
    const source = makeRows(0);
    source.counted = undefined;
    showGrid({ source });
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('-1');
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    expect(document.querySelectorAll('.tgrid-skeleton').length).toBeGreaterThan(0);
  });

  test('the selection stays with its row as others add rows above, and is nowhere once the row is gone', async () => {
    const { source, onCommitCells, user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('{ArrowDown}');
    const { rows } = source;
    act(() => {
      source.rows = [{ key: 'new', values: { name: 'new' } }, ...rows];
    });
    expect(activeCell()?.textContent).toBe('row 1');
    act(() => {
      source.rows = rows.toSpliced(1, 1);
    });
    expect(activeCell()).toBeNull();
    await user.keyboard('x{Enter}');
    expect(onCommitCells).not.toHaveBeenCalled();
    act(() => {
      source.rows = rows;
    });
    expect(activeCell()?.textContent).toBe('row 1');
  });

  test('a range whose rows are no longer together shrinks to the active cell', async () => {
    const { source, user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    expect(copyFrom(input).trim()).toBe('row 0\nrow 1');
    act(() => {
      source.rows = source.rows.toSpliced(1, 0, { key: 'new', values: { name: 'new' } });
    });
    expect(copyFrom(input).trim()).toBe('row 0');
  });

  test('rows that are there already are drawn at once, each cell with its row by titles', () => {
    const Cell: ComponentType<CellProps> = ({ row }) => (
      <b>{typeof row?.Name === 'string' && `of ${row.Name}`}</b>
    );
    showGrid({ columns: [{ entity: aColumn('age', 'Age'), width: 80, type: { ...textType, Cell } }] });
    expect(cellAt(0, 0).textContent).toBe('of row 0');
  });

  test('a cell that throws is marked, told once, and leaves the others alone', () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const onCellError = jest.fn();
    const Broken = (): never => {
      throw new Error('no stars');
    };
    const columns = [
      ...testColumns,
      { entity: aColumn('stars', 'Stars'), width: 80, type: { ...textType, Cell: Broken } },
    ];
    showGrid({ columns, onCellError });
    expect(
      screen.getAllByRole('img', { name: 'This cell cannot be shown: no stars' }).length,
    ).toBeGreaterThan(3);
    expect(cellAt(0, 0).textContent).toBe('row 0');
    expect(onCellError).toHaveBeenCalledTimes(1);
    expect(onCellError.mock.calls[0]?.[0]).toBe('stars');
  });

  test('a cell whose code is still on its way leaves the others there, and an editor has the focus once it comes', async () => {
    let arrive: (made: { default: ComponentType }) => void = () => undefined;
    const late = () => lazy(() => new Promise<{ default: ComponentType }>((resolve) => (arrive = resolve)));
    const stars = { entity: aColumn('stars', 'Stars'), width: 80 };
    const [Cell, Editor] = [late(), late()];
    const { rerender, user, input } = showGrid({
      columns: [{ ...stars, type: { ...textType, Cell } }, ...testColumns],
    });
    expect(cellAt(0, 0).textContent).toBe('');
    expect(cellAt(0, 1).textContent).toBe('row 0');
    await act(async () => arrive({ default: () => '***' }));
    expect(cellAt(0, 0).textContent).toBe('***');
    rerender({ columns: [{ ...stars, type: { ...textType, Editor } }, ...testColumns] });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    expect(cellAt(0, 1).textContent).toBe('row 0');
    await act(async () => arrive({ default: () => <input aria-label="Stars of the row" /> }));
    expect(document.activeElement).toBe(screen.getByLabelText('Stars of the row'));
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(input);
  });
});

describe('leaving the page', () => {
  const leave = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  test('for another view commits what was typed', async () => {
    const { user, input, onCommitCells, unmount } = showGrid();
    act(() => input.focus());
    await user.keyboard('Ada');
    unmount();
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ rowKey: 'k0', value: 'Ada' });
  });

  test('is asked about while something is not stored', async () => {
    const { user, input } = showGrid({ onCommitCells: () => new Promise(() => {}) });
    expect(leave()).toBe(false);
    act(() => input.focus());
    await user.keyboard('Ada');
    expect(leave()).toBe(true);
    await user.keyboard('{Escape}');
    expect(leave()).toBe(false);
    await user.keyboard('Ada{Enter}');
    expect(leave()).toBe(true);
  });
});
