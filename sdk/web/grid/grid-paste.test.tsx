import { describe, expect, jest, test, beforeEach } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { AdoptedTexts } from '../extensions/index.ts';
import type { GridColumn } from './grid-column.ts';
import { aColumn, textType } from '../../testing/table-fixtures.ts';
import { makeRows, testColumns } from '../../testing/grid-fixtures.ts';
import {
  cellAt,
  copyFrom,
  paste,
  showGrid,
  showGrowing,
  storeIn,
  toLast,
  prepareGridBench,
} from '../../testing/grid-bench.tsx';
import type { GridProps } from './grid-types.ts';

prepareGridBench();

describe('rows that are pasted under the last one', () => {
  test('rows that are pasted there are added', async () => {
    const onPasteRows = jest.fn<NonNullable<GridProps['onPasteRows']>>(() => Promise.resolve(['a', 'b']));
    const { user, input, onCommitCells } = showGrowing('end', { onPasteRows });
    act(() => input.focus());
    await toLast(user);
    await user.keyboard('{ArrowDown}');
    paste(input, 'one\ntwo');
    await waitFor(() => expect(onPasteRows).toHaveBeenCalledTimes(1));
    expect(onPasteRows.mock.calls[0]?.[0]).toEqual([{ name: 'one' }, { name: 'two' }]);
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  describe('while a column makes room for what is pasted', () => {
    const made = { undo: jest.fn(() => Promise.resolve()), redo: jest.fn(() => Promise.resolve()) };
    beforeEach(() => {
      made.undo.mockClear();
    });

    async function pasteAndWait(text: string, keys: string) {
      let make = (): void => undefined;
      const adopt = () =>
        new Promise<AdoptedTexts>((resolve) => {
          make = () => resolve({ refused: new Map(), made });
        });
      const [first, ...others] = testColumns;
      const columns = [{ ...(first as GridColumn), type: { ...textType, adopt } }, ...others];
      const onPasteRows = jest.fn<NonNullable<GridProps['onPasteRows']>>(() => Promise.resolve([]));
      const shown = showGrowing('end', { columns, onPasteRows });
      act(() => shown.input.focus());
      await shown.user.keyboard(keys);
      paste(shown.input, text);
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      return { ...shown, onPasteRows, make: () => act(async () => make()) };
    }
    const foreign = { key: 'foreign', values: { name: 'Foreign' } };

    test('rows that others add above are not written', async () => {
      const { source, names, make } = await pasteAndWait('one\ntwo', '{ArrowDown}');
      act(() => {
        source.rows = [foreign, ...source.rows];
      });
      await make();
      await waitFor(() => expect(names()).toEqual(['Foreign', 'row 0', 'one', 'two']));
    });

    test('rows that others add below are not written: those that reach past the end are still added', async () => {
      const { source, names, make, onPasteRows } = await pasteAndWait('one\ntwo', '{ArrowDown}{ArrowDown}');
      act(() => {
        source.rows = [...source.rows, foreign];
      });
      await make();
      await waitFor(() => expect(names()).toEqual(['row 0', 'row 1', 'one', 'Foreign']));
      expect(onPasteRows.mock.calls[0]?.[0]).toEqual([{ name: 'two' }]);
    });

    test('who goes on elsewhere stays there, and the paste goes to where it was asked for', async () => {
      const { user, input, names, make } = await pasteAndWait('one', '{ArrowDown}');
      await user.keyboard('{ArrowDown}typed');
      await make();
      await waitFor(() => expect(names()).toEqual(['row 0', 'one', 'row 2']));
      expect(input).toHaveProperty('value', 'typed');
      await user.keyboard('{Enter}');
      await waitFor(() => expect(names()).toEqual(['row 0', 'one', 'typed']));
    });

    test('another paste waits for it, and goes to its own cells', async () => {
      const { user, input, names, make, onPasteRows } = await pasteAndWait('one', '{ArrowDown}');
      await user.keyboard('{ArrowDown}');
      paste(input, 'two\nthree');
      await waitFor(async () => {
        await make();
        expect(names()).toEqual(['row 0', 'one', 'two']);
      });
      expect(onPasteRows.mock.calls.map(([rows]) => rows)).toEqual([[{ name: 'three' }]]);
    });

    test('nothing is pasted, and that is said, where the rows do not stand together any more', async () => {
      const { source, names, make } = await pasteAndWait('one\ntwo', '{ArrowDown}');
      act(() => {
        source.rows = source.rows.toSpliced(2, 0, foreign);
      });
      await make();
      expect(await screen.findByText(/the selected cells have changed/)).toBeTruthy();
      expect(names()).toEqual(['row 0', 'row 1', 'Foreign', 'row 2']);
      expect(made.undo).toHaveBeenCalledTimes(1);
    });
  });

  test('a column can make room for what is pasted, and say what it does not take', async () => {
    const made = { undo: () => Promise.resolve(), redo: () => Promise.resolve() };
    const adopt = jest.fn(() => Promise.resolve({ refused: new Map([['two', 'has no such option']]), made }));
    const onStepPrepared = jest.fn();
    const [first, ...others] = testColumns;
    const columns = [{ ...(first as GridColumn), type: { ...textType, adopt } }, ...others];
    const { user, input, names } = showGrowing('end', { columns, onStepPrepared });
    act(() => input.focus());
    await user.keyboard('{Home}');
    paste(input, 'one\ntwo\none');
    expect(await screen.findByText(/1 cell was not taken/)).toBeTruthy();
    expect(adopt.mock.calls).toEqual([[['one', 'two'], expect.objectContaining({ column: first?.entity })]]);
    expect(onStepPrepared.mock.calls).toEqual([
      [expect.objectContaining({ kind: 'paste' }), expect.anything()],
    ]);
    await waitFor(() => expect(names()).toEqual(['one', 'row 1', 'one']));
    expect(cellAt(1, 0).textContent).toContain('two');
  });

  test('columns are added for what is pasted beyond the last one, and go with the paste', async () => {
    const more: GridColumn = { entity: aColumn('mail', 'Mail'), width: 100, type: textType };
    const source = makeRows(0);
    const onPasteRows = jest.fn<NonNullable<GridProps['onPasteRows']>>(async (rows) => {
      source.rows = rows.map((values, at) => ({ key: `p${at}`, values }));
      return source.rows.map(({ key }) => key);
    });
    const onStepPrepared = jest.fn<NonNullable<GridProps['onStepPrepared']>>();
    const undo = jest.fn(() => Promise.resolve());
    const onAddColumns = jest.fn<NonNullable<GridProps['onAddColumns']>>(async () => ({
      columnIds: ['mail'],
      isNamed: true,
      made: { undo, redo: () => Promise.resolve() },
    }));
    const props = {
      source,
      columns: testColumns.slice(0, 2),
      onAppendRow: () => undefined,
      onPasteRows,
      onStepPrepared,
      onAddColumns,
    };
    const { input, rerender } = showGrid(props);
    act(() => input.focus());
    paste(input, 'Name\tAge\tMail\nAnna\t30\tanna@zoo.org\nBen\t40\tben@zoo.org');
    await waitFor(() => expect(onAddColumns).toHaveBeenCalledTimes(1));
    expect(onAddColumns.mock.calls[0]?.[0]).toMatchObject({ from: 2, mayBeNamed: true });
    expect(screen.getByText('Pasting…')).toBeTruthy();
    rerender({ ...props, columns: [...props.columns, more] });
    await waitFor(() => expect(onPasteRows).toHaveBeenCalledTimes(1));
    expect(onPasteRows.mock.calls[0]?.[0]).toEqual([
      { name: 'Anna', age: 30, mail: 'anna@zoo.org' },
      { name: 'Ben', age: 40, mail: 'ben@zoo.org' },
    ]);
    const step = onPasteRows.mock.calls[0]?.[1];
    expect(onStepPrepared.mock.calls[0]?.[0]).toBe(step);
    await onStepPrepared.mock.calls[0]?.[1].undo();
    expect(undo).toHaveBeenCalledTimes(1);
    expect(screen.queryByText(/had no place|Pasting/)).toBeNull();
  });

  test('a paste into a table without rows writes over none that others add meanwhile', async () => {
    const source = makeRows(0);
    const onPasteRows = jest.fn<NonNullable<GridProps['onPasteRows']>>(async () => []);
    const onAddColumns = jest.fn<NonNullable<GridProps['onAddColumns']>>(async () => {
      act(() => {
        source.rows = [{ key: 'foreign', values: { name: 'Foreign' } }];
      });
      return undefined;
    });
    const { input, onCommitCells } = showGrid({ source, onPasteRows, onAddColumns });
    act(() => input.focus());
    paste(input, 'a\tb\tc\td\te');
    expect(await screen.findByText(/the selected cells have changed/)).toBeTruthy();
    expect(onCommitCells).not.toHaveBeenCalled();
    expect(onPasteRows).not.toHaveBeenCalled();
  });

  test.each([
    ['the selected one', 'name'],
    ['one beside it that it covers', 'done'],
  ])('a paste goes to no other column where %s goes while it waits', async (_which, gone) => {
    let answer = (): void => undefined;
    const onAddColumns = jest.fn<NonNullable<GridProps['onAddColumns']>>(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(undefined);
        }),
    );
    const source = makeRows(100);
    const onCommitCells = storeIn(source);
    const { input, rerender } = showGrid({ source, onCommitCells, onAddColumns });
    act(() => input.focus());
    paste(input, '1\t2\ttrue\td\te');
    await waitFor(() => expect(onAddColumns).toHaveBeenCalledTimes(1));
    rerender({
      source,
      onCommitCells,
      onAddColumns,
      columns: testColumns.filter(({ entity }) => entity.id !== gone),
    });
    await act(async () => answer());
    expect(await screen.findByText(/the selected cells have changed/)).toBeTruthy();
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('whoever cancels the question for columns pastes nothing', async () => {
    const onPasteRows = jest.fn<NonNullable<GridProps['onPasteRows']>>(async () => []);
    const onAddColumns = jest.fn<NonNullable<GridProps['onAddColumns']>>(async () => 'cancelled');
    const { input, source } = showGrid({ onAddColumns, onPasteRows });
    act(() => input.focus());
    paste(input, 'a\tb\tc\td\te\tf\tg\th');
    await waitFor(() => expect(onAddColumns).toHaveBeenCalledTimes(1));
    await act(() => Promise.resolve());
    expect(onPasteRows).not.toHaveBeenCalled();
    expect(source.rowAt(0)?.values.name).toBe('row 0');
    expect(screen.queryByText(/had no place/)).toBeNull();
  });

  test('what is to be left out is told, and the rest is pasted', async () => {
    const { source, input } = showGrid({ onAddColumns: () => Promise.resolve(undefined) });
    act(() => input.focus());
    paste(input, 'Anna\t30\ttrue\tfixed\tmore');
    expect(await screen.findByText(/1 pasted column had no place/)).toBeTruthy();
    await waitFor(() => expect(source.rowAt(0)?.values.name).toBe('Anna'));
  });

  test('a paste selects all that it brought, the rows that were added for it too', async () => {
    const onPasteRows: NonNullable<GridProps['onPasteRows']> = async (rows) => {
      await Promise.resolve();
      const added = rows.map((values, at) => ({ key: `pasted${at}`, values }));
      act(() => {
        source.rows = [...source.rows, ...added];
      });
      return added.map(({ key }) => key);
    };
    const { user, input, source } = showGrowing('end', { onPasteRows });
    act(() => input.focus());
    await toLast(user);
    paste(input, 'one\t1\ntwo\t2\nthree\t3');
    await waitFor(() => expect(source.rows).toHaveLength(5));
    await waitFor(() => expect(copyFrom(input).trim()).toBe('one\t1\ntwo\t2\nthree\t3'));
  });
});

describe('the clipboard', () => {
  test('a range is copied as text, and what is on its way counts', async () => {
    const { user, input } = showGrid({ onCommitCells: () => new Promise(() => {}) });
    act(() => input.focus());
    await user.keyboard('Ada{Enter}{ArrowUp}{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
    expect(copyFrom(input)).toBe('Ada\t0\nrow 1\t1\n');
  });

  test('cutting copies and empties', async () => {
    const { input, onCommitCells } = showGrid();
    act(() => input.focus());
    expect(copyFrom(input, 'cut')).toBe('row 0');
    await waitFor(() => expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ value: null }));
  });

  test('pasting writes cells, marks those that cannot be read, and tells what was left out', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('{ArrowRight}');
    paste(input, '5\ttrue\tx\ty\nmany\tfalse\tx\ty');
    await waitFor(() => expect(onCommitCells).toHaveBeenCalledTimes(1));
    expect(onCommitCells.mock.calls[0]?.[0].map((change) => change.value)).toEqual([5, true, false]);
    expect(cellAt(1, 1).textContent).toBe('many');
    const notice = screen.getByText(/not taken/).textContent;
    expect(notice).toContain('1 pasted column had no place');
    expect(notice).toContain('2 cells are read-only');
    expect(screen.getByText(/Age, row 2: “many”/)).toBeTruthy();
  });

  test('rows beyond the last one are added, and a text that cannot be read stands in the new row', async () => {
    const source = makeRows(3);
    const onPasteRows = jest.fn(async (rows: readonly Readonly<Record<string, unknown>>[]) => {
      await Promise.resolve();
      source.rows = [...source.rows, ...rows.map((values, at) => ({ key: `n${at}`, values }))];
      return rows.map((_, at) => `n${at}`);
    });
    const { user, input } = showGrid({ source, onCommitCells: storeIn(source), onPasteRows });
    act(() => input.focus());
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    paste(input, 'c\t3\nd\tmany\ne\t5');
    await waitFor(() => expect(cellAt(3, 1).textContent).toBe('many'));
    expect(onPasteRows.mock.calls[0]?.[0]).toEqual([{ name: 'd' }, { name: 'e', age: 5 }]);
    expect(cellAt(4, 0).textContent).toBe('e');
  });

  test('Ctrl+D fills down and Ctrl+R to the side, as a paste would', async () => {
    const { onCommitCells, user, input } = showGrid();
    await user.click(input);
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}d{/Control}');
    await waitFor(() => expect(cellAt(1, 0).textContent).toBe('row 0'));
    await user.keyboard('{Escape}{Shift>}{ArrowRight}{/Shift}{Control>}r{/Control}');
    expect(screen.getByText(/1 cell was not taken/)).toBeTruthy();
    expect(onCommitCells).toHaveBeenCalledTimes(1);
  });

  test('a second paste at once at the same place writes over the first one, and adds nothing twice', async () => {
    const source = makeRows(3);
    const onPasteRows = jest.fn(async (rows: readonly Readonly<Record<string, unknown>>[]) => {
      await new Promise((resolve) => setTimeout(resolve));
      const keys = rows.map((_, at) => `n${source.rows.length + at}`);
      act(() => {
        source.rows = [...source.rows, ...rows.map((values, at) => ({ key: keys[at] ?? '', values }))];
      });
      return keys;
    });
    const { user, input } = showGrid({ source, onCommitCells: storeIn(source), onPasteRows });
    act(() => input.focus());
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    paste(input, 'a\nb');
    paste(input, 'c\nd');
    const names = () => source.rows.map(({ values }) => values.name);
    await waitFor(() => expect(names()).toEqual(['row 0', 'row 1', 'c', 'd']));
    expect(onPasteRows).toHaveBeenCalledTimes(1);
  });

  test('a paste with no cell selected says so, and changes nothing', async () => {
    const { source, input, onCommitCells } = showGrid();
    act(() => input.focus());
    act(() => {
      source.rows = source.rows.slice(1);
    });
    paste(input, 'lost');
    expect(await screen.findByText(/no cell is selected/)).toBeTruthy();
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('a clipboard that holds no text empties no cell', async () => {
    const { input, onCommitCells } = showGrid();
    act(() => input.focus());
    fireEvent.paste(input, { clipboardData: { getData: () => '', files: [] } });
    await act(() => Promise.resolve());
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('rows that could not be added are listed, not lost', async () => {
    const onPasteRows = () => Promise.reject(new Error('the table is full'));
    const { input } = showGrid({ source: makeRows(0), onPasteRows });
    paste(input, 'Ada\t36');
    await waitFor(() => expect(screen.getByText(/the table is full/)).toBeTruthy());
    expect(screen.getByText('Ada | 36')).toBeTruthy();
  });
});
