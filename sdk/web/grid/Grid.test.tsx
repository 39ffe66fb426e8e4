import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createRef, useLayoutEffect, type ComponentType, type ReactNode } from 'react';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Grid } from './Grid.tsx';
import type { AdoptedTexts, CellProps, EditorProps, WebColumnType } from '../extensions/index.ts';
import type { CellChange, MemoryRows } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';
import { aColumn, numberType, textType } from '../../testing/table-fixtures.ts';
import { makeRows, testColumns, testPlace } from '../../testing/grid-fixtures.ts';
import type { GridHandle, GridProps } from './grid-types.ts';

/** What jsdom lacks of a pointer event. */
class TestPointerEvent extends MouseEvent {
  readonly pointerId = 1;
  readonly pointerType: string;

  constructor(type: string, init: PointerEventInit = {}) {
    super(type, init);
    this.pointerType = init.pointerType ?? 'mouse';
  }
}

beforeEach(() => {
  Object.assign(window, { PointerEvent: TestPointerEvent, DragEvent: MouseEvent });
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(async () => {
  // Writes that a test does not wait for end before the page goes.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  cleanup();
  jest.restoreAllMocks();
});

/** Stores what the grid writes, as the page around it does. */
function storeIn(source: MemoryRows) {
  return jest.fn(async (changes: readonly CellChange[]) => {
    await Promise.resolve();
    for (const { index, columnId, value } of changes) source.put(index, { [columnId]: value });
    return [];
  });
}

function show(props: Partial<GridProps> = {}) {
  const source = makeRows(100);
  const onCommitCells = storeIn(source);
  const grid = (given: Partial<GridProps>) => (
    <Grid
      label="People"
      {...testPlace}
      columns={testColumns}
      source={source}
      onCommitCells={onCommitCells}
      {...given}
    />
  );
  const { unmount, rerender } = render(grid(props));
  return {
    source,
    onCommitCells,
    unmount,
    /** Draws the grid anew, as the page around it does. */
    rerender: (given: Partial<GridProps>) => rerender(grid(given)),
    user: userEvent.setup(),
    input: screen.getByRole('textbox'),
  };
}

const cellAt = (row: number, column: number): HTMLElement => {
  const found = document.querySelector<HTMLElement>(
    `[aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`,
  );
  if (found === null) throw new Error(`The cell at row ${row}, column ${column} is not drawn`);
  return found;
};
const activeCell = (): HTMLElement | null =>
  document.getElementById(screen.getByRole('textbox').getAttribute('aria-activedescendant') ?? '');

const paste = (input: HTMLElement, text: string): void => {
  fireEvent.paste(input, {
    clipboardData: { getData: (type: string) => (type === 'text/plain' ? text : '') },
  });
};
const copyFrom = (input: HTMLElement, kind: 'copy' | 'cut' = 'copy'): string => {
  const taken = new Map<string, string>();
  const clipboardData = { setData: (type: string, data: string) => taken.set(type, data) };
  fireEvent[kind](input, { clipboardData });
  return taken.get('text/plain') ?? '';
};

describe('what a grid shows', () => {
  test('only the rows in sight are drawn, and the counts tell of all', () => {
    show();
    expect(screen.getByRole('grid', { name: 'People' }).getAttribute('aria-rowcount')).toBe('101');
    expect(screen.getByRole('grid').getAttribute('aria-colcount')).toBe('5');
    expect(screen.getAllByRole('row').length).toBeLessThan(20);
    expect(cellAt(2, 0).textContent).toBe('row 2');
  });

  test('an empty table says so and offers the first row', async () => {
    const onAppendRow = jest.fn<NonNullable<GridProps['onAppendRow']>>();
    const { user } = show({ source: makeRows(0), onAppendRow });
    expect(screen.getByText('No rows yet')).toBeTruthy();
    expect(screen.getByText('Rows that you add appear here.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add a row' }));
    expect(onAppendRow).toHaveBeenCalledTimes(1);
  });

  test('an empty table that takes pasted rows says so, and takes them after a press into it', async () => {
    const onPasteRows = jest.fn<NonNullable<GridProps['onPasteRows']>>(() => Promise.resolve([]));
    const { input } = show({ source: makeRows(0), onAppendRow: () => undefined, onPasteRows });
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
    const { user } = show({ source });
    expect(screen.getByRole('alert').textContent).toContain('the server did not answer');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('rows of an unknown count are drawn as placeholders, and the grid says that it does not know', () => {
    const source = makeRows(0);
    source.counted = undefined;
    show({ source });
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('-1');
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    expect(document.querySelectorAll('.tgrid-skeleton').length).toBeGreaterThan(0);
  });

  test('the selection stays with its row as others add rows above, and is nowhere once the row is gone', async () => {
    const { source, onCommitCells, user, input } = show();
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
    const { source, user, input } = show();
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
    show({ columns: [{ entity: aColumn('age', 'Age'), width: 80, type: { ...textType, Cell } }] });
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
    show({ columns, onCellError });
    expect(
      screen.getAllByRole('img', { name: 'This cell cannot be shown: no stars' }).length,
    ).toBeGreaterThan(3);
    expect(cellAt(0, 0).textContent).toBe('row 0');
    expect(onCellError).toHaveBeenCalledTimes(1);
    expect(onCellError.mock.calls[0]?.[0]).toBe('stars');
  });
});

describe('a cell that is written in a place of its own', () => {
  function showOpening(opensTyped: boolean, props: Partial<GridProps> = {}) {
    const open = jest.fn<NonNullable<WebColumnType['open']>>();
    const type = { ...textType, open, opensTyped };
    const whyReadOnly = 'Press Enter.';
    const column = { entity: aColumn('name', 'Name'), width: 200, type, whyReadOnly };
    const shown = show({ columns: [column, ...testColumns.slice(1)], ...props });
    act(() => shown.input.focus());
    return { open, ...shown };
  }

  test('is opened by what is typed on it, where its type takes that', async () => {
    const { open, user, input } = showOpening(true);
    await user.keyboard('A');
    expect(open).toHaveBeenCalledTimes(1);
    expect(open.mock.calls[0]?.[0]).toMatchObject({ rowKey: 'k0', typedText: 'A' });
    expect(input).toHaveProperty('value', '');
  });

  test('tells how it is changed where its type does not, or where nothing may be changed', async () => {
    const other = showOpening(false);
    await other.user.keyboard('A');
    expect(other.open).not.toHaveBeenCalled();
    expect(screen.getByText('Press Enter.')).toBeTruthy();
    other.unmount();
    const reader = showOpening(true, { readOnly: true });
    await reader.user.keyboard('A');
    expect(reader.open).not.toHaveBeenCalled();
  });
});

describe('rows that are typed one after the other', () => {
  /** A grid that adds a row after an answer that the test waits for; `at`: where it is placed. */
  function showGrowing(at: 'start' | 'end' = 'end', props: Partial<GridProps> = {}) {
    const source = makeRows(3);
    let added = 0;
    const onAppendRow = jest.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const row = { key: `new${++added}`, values: {} };
      act(() => {
        source.rows = at === 'end' ? [...source.rows, row] : [row, ...source.rows];
      });
      return row.key;
    });
    const names = () => source.rows.map(({ values }) => values.name ?? null);
    return {
      ...show({ source, onCommitCells: storeIn(source), onAppendRow, ...props }),
      source,
      onAppendRow,
      names,
    };
  }
  const toLast = async (user: ReturnType<typeof userEvent.setup>): Promise<void> =>
    user.keyboard('{Control>}{End}{Home}{/Control}{Control>}{ArrowDown}{/Control}');

  test('Enter in the last row leads to the line under it, and each text that is typed there is a row of its own', async () => {
    const { user, input, names, onAppendRow, source } = showGrowing();
    act(() => input.focus());
    await toLast(user);
    await user.keyboard('Alpha{Enter}');
    expect(input.getAttribute('aria-label')).toBe('Name, new row');
    expect(onAppendRow).not.toHaveBeenCalled();
    await user.keyboard('Beta{Enter}Gamma{Enter}Del');
    await waitFor(() => expect(source.rows).toHaveLength(6));
    await waitFor(() => expect(names()).toEqual(['row 0', 'row 1', 'Alpha', 'Beta', 'Gamma', null]));
    expect(input).toHaveProperty('value', 'Del');
    await user.keyboard('ta{Tab}7{Enter}');
    await waitFor(() => expect(source.rows[5]?.values).toEqual({ name: 'Delta', age: 7 }));
    expect(input.getAttribute('aria-label')).toBe('Name, new row');
    expect(source.rows).toHaveLength(6);
  });

  test('each press of "Add a row" adds one, also while others are on their way', async () => {
    const { user, source } = showGrowing();
    const button = screen.getByRole('button', { name: 'Add a row' });
    await user.tripleClick(button);
    await waitFor(() => expect(source.rows).toHaveLength(6));
  });

  test('the arrow under the last row leads there too, and back; a longer way stops at the last row', async () => {
    const { user, input, onAppendRow } = showGrowing();
    act(() => input.focus());
    await user.keyboard('{PageDown}');
    expect(input.getAttribute('aria-label')).toBe('Name, row 3');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}');
    expect(input.getAttribute('aria-label')).toBe('Age, new row');
    expect(activeCell()?.textContent).toContain('Add a row');
    await user.keyboard('{Delete}{ArrowUp}');
    expect(activeCell()).toBe(cellAt(2, 1));
    expect(onAppendRow).not.toHaveBeenCalled();
  });

  test('whoever goes down from a new row adds another one, wherever the view has placed it', async () => {
    const { user, input, names } = showGrowing('start');
    act(() => input.focus());
    await user.click(screen.getByRole('button', { name: 'Add a row' }));
    await waitFor(() => expect(names()).toHaveLength(4));
    act(() => input.focus());
    await user.keyboard('{Home}Beta{Enter}Gamma{Enter}');
    await waitFor(() => expect(names()).toEqual(['Gamma', 'Beta', 'row 0', 'row 1', 'row 2']));
  });

  test('a row that others add at the end never comes under the text of a new one', async () => {
    const { user, input, names, source } = showGrowing();
    act(() => input.focus());
    await toLast(user);
    await user.keyboard('{ArrowDown}');
    act(() => {
      source.rows = [...source.rows, { key: 'foreign', values: { name: 'Foreign' } }];
    });
    await user.keyboard('Mine{Enter}');
    await waitFor(() => expect(names()).toEqual(['row 0', 'row 1', 'row 2', 'Foreign', 'Mine']));
  });

  test('Shift+Enter adds a row, and Enter on the line under the last one opens the editor of a new one', async () => {
    const { user, input, names } = showGrowing();
    act(() => input.focus());
    await user.keyboard('{Shift>}{Enter}{/Shift}Beta{Enter}{Enter}Gamma{Enter}');
    await waitFor(() => expect(names()).toEqual(['row 0', 'row 1', 'row 2', 'Beta', 'Gamma']));
  });

  test('what was typed for a row that could not be added is told', async () => {
    const onAppendRow = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5));
    const { user, input, names } = showGrowing('end', { onAppendRow });
    act(() => input.focus());
    await toLast(user);
    await user.keyboard('{ArrowDown}Beta{Enter}');
    expect(await screen.findByText(/No row was added for what you typed/)).toBeTruthy();
    expect(names()).toEqual(['row 0', 'row 1', 'row 2']);
    await user.keyboard('{ArrowUp}');
    expect(activeCell()).toBe(cellAt(2, 0));
  });

  /** A grid whose new row comes when the test lets it. */
  function showWaiting(props: Partial<GridProps> = {}, count = 3) {
    const source = makeRows(count);
    let come = (_row: boolean): void => undefined;
    const onAppendRow = (): Promise<string | undefined> =>
      new Promise((resolve) => {
        come = (isAdded) => {
          const isThere = source.rows.some(({ key }) => key === 'added');
          if (isAdded && !isThere) source.rows = [...source.rows, { key: 'added', values: {} }];
          resolve(isAdded ? 'added' : undefined);
        };
      });
    const onCommitCells = storeIn(source);
    const written = () => onCommitCells.mock.calls.map(([[change]]) => [change?.rowKey, change?.value]);
    const arrive = (isAdded = true) => act(async () => come(isAdded));
    const leavesAsking = (): boolean =>
      !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    return {
      ...show({ source, onAppendRow, onCommitCells, ...props }),
      source,
      written,
      arrive,
      leavesAsking,
    };
  }
  test('what is typed right after the press on "Add a row" of an empty table goes into the row', async () => {
    const { user, input, written, arrive, source } = showWaiting({}, 0);
    await user.click(screen.getByRole('button', { name: 'Add a row' }));
    expect(document.activeElement).toBe(input);
    await user.keyboard('Gra');
    // The live channel can be faster than the answer to the call.
    act(() => {
      source.rows = [{ key: 'added', values: {} }];
    });
    await user.keyboard('ce{Tab}');
    await arrive();
    await waitFor(() => expect(written()).toEqual([['added', 'Grace']]));
    expect(activeCell()).toBe(cellAt(0, 1));
  });

  /** Does what needs to know where on the screen the grid is. */
  const inFrame = (act: () => void): void => {
    const box = { left: 0, top: 0, right: 900, bottom: 400, width: 900, height: 400 } as DOMRect;
    const placed = jest.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(box);
    act();
    placed.mockRestore();
  };
  const press = (cell: HTMLElement): void =>
    inFrame(() => {
      fireEvent.pointerDown(cell, { clientX: 100, clientY: 50, button: 0 });
      fireEvent.pointerUp(window);
    });

  test('whoever goes elsewhere while a row is on its way types there, and stays there when the row comes', async () => {
    const { user, input, written, arrive } = showWaiting();
    act(() => input.focus());
    await user.keyboard('{ArrowDown}{Shift>}{Enter}{/Shift}');
    press(cellAt(0, 0));
    await user.keyboard('for row 0{Enter}');
    expect(written()).toEqual([['k0', 'for row 0']]);
    await arrive();
    expect(written()).toHaveLength(1);
    expect(activeCell()).toBe(cellAt(1, 0));
  });

  test('files that are dropped on a cell while a row is on its way stay with the editor that they opened', async () => {
    const Files = ({ initialFiles = [] }: EditorProps) => (
      <input aria-label="Files" readOnly value={initialFiles.map(({ name }) => name).join()} />
    );
    const type = { ...textType, takesFiles: true, Editor: Files };
    const columns = [{ entity: aColumn('name', 'Name'), width: 200, type }, ...testColumns.slice(1)];
    const { user, input, written, arrive } = showWaiting({ columns });
    act(() => input.focus());
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    inFrame(() =>
      fireEvent.drop(cellAt(0, 0), {
        clientX: 100,
        clientY: 50,
        dataTransfer: { types: ['Files'], files: [new File(['x'], 'pot.png')] },
      }),
    );
    await arrive();
    expect(cellAt(3, 0)).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Files' }).value).toBe('pot.png');
    expect(written()).toEqual([]);
  });

  test('what was typed for the row before the person went elsewhere goes into it', async () => {
    const { user, input, written, arrive, leavesAsking } = showWaiting();
    act(() => input.focus());
    await user.keyboard('{Shift>}{Enter}{/Shift}Beta{Tab}4');
    expect(leavesAsking()).toBe(true);
    press(cellAt(0, 0));
    expect(input).toHaveProperty('value', '');
    expect(leavesAsking()).toBe(true);
    await arrive();
    await waitFor(() =>
      expect(written()).toEqual([
        ['added', 'Beta'],
        ['added', 4],
      ]),
    );
    expect(activeCell()).toBe(cellAt(0, 0));
    await waitFor(() => expect(leavesAsking()).toBe(false));
  });

  test('Escape gives the keyboard back', async () => {
    const { user, input, written, arrive } = showWaiting();
    act(() => input.focus());
    await user.keyboard('{Shift>}{Enter}{/Shift}no{Escape}{ArrowDown}yes{Enter}');
    expect(written()).toEqual([['k1', 'yes']]);
    await arrive();
    expect(written()).toHaveLength(1);
  });

  test('a row that does not come within ten seconds gives the keyboard back, and gets its text when it comes', async () => {
    jest.useFakeTimers();
    try {
      const { input, written, arrive } = showWaiting();
      act(() => input.focus());
      fireEvent.keyDown(input, { key: 'Enter', shiftKey: true });
      fireEvent.input(input, { target: { value: 'Beta' } });
      fireEvent.keyDown(input, { key: 'Enter' });
      act(() => {
        jest.advanceTimersByTime(10_000);
      });
      fireEvent.keyDown(input, { key: 'ArrowDown' });
      expect(activeCell()).toBe(cellAt(1, 0));
      await arrive();
      expect(written()).toEqual([['added', 'Beta']]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('a row that does not come within ten seconds waits for the end of a text that is being typed', async () => {
    jest.useFakeTimers();
    try {
      const { input, written, arrive } = showWaiting();
      act(() => input.focus());
      fireEvent.keyDown(input, { key: 'Enter', shiftKey: true });
      fireEvent.input(input, { target: { value: 'Be' } });
      act(() => {
        jest.advanceTimersByTime(15_000);
      });
      expect(input).toHaveProperty('value', 'Be');
      fireEvent.input(input, { target: { value: 'Beta' } });
      fireEvent.keyDown(input, { key: 'Enter' });
      act(() => {
        jest.advanceTimersByTime(2000);
      });
      fireEvent.keyDown(input, { key: 'ArrowDown' });
      expect(activeCell()).toBe(cellAt(1, 0));
      await arrive();
      expect(written()).toEqual([['added', 'Beta']]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('what was typed for a row is handed on when the grid has gone and no row was added', async () => {
    const onUnsaved = jest.fn<NonNullable<GridProps['onUnsaved']>>();
    const { user, input, arrive, unmount } = showWaiting({ onUnsaved });
    act(() => input.focus());
    await user.keyboard('{Shift>}{Enter}{/Shift}Beta{Enter}');
    unmount();
    await arrive(false);
    await waitFor(() => expect(onUnsaved).toHaveBeenCalledTimes(1));
    expect(onUnsaved.mock.calls[0]?.[0]).toMatchObject([{ text: 'Beta' }]);
  });

  test('in a group Enter after a new row adds nothing; typing then adds to the same group', async () => {
    const source = makeRows(6);
    const besides: (number | undefined)[] = [];
    const append = (beside?: number) => {
      besides.push(beside);
      const key = `new${besides.length}`;
      source.rows = source.rows.toSpliced(3, 0, { key, values: {} });
      return Promise.resolve(key);
    };
    const onCommitCells = storeIn(source);
    const { user, input } = show({
      source,
      onCommitCells,
      onAppendRow: append,
      onAppendToGroup: () => append(),
    });
    act(() => input.focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{Shift>}{Enter}{/Shift}one{Enter}');
    expect(besides).toEqual([2]);
    await user.keyboard('two{Enter}');
    expect(besides).toEqual([2, 3]);
    await waitFor(() => expect(source.rows[3]?.values.name).toBe('two'));
  });

  test('a row that was added is one like others once the person was elsewhere', async () => {
    const { user, input, names, onAppendRow } = showGrowing('start');
    act(() => input.focus());
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    await waitFor(() => expect(names()).toHaveLength(4));
    await user.keyboard('{ArrowDown}{ArrowUp}late{Enter}');
    expect(activeCell()).toBe(cellAt(1, 0));
    expect(onAppendRow).toHaveBeenCalledTimes(1);
  });

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

    test('nothing is pasted, and that is said, where the rows do not stand together any more', async () => {
      const { source, names, make } = await pasteAndWait('one\ntwo', '{ArrowDown}');
      act(() => {
        source.rows = source.rows.toSpliced(2, 0, foreign);
      });
      await make();
      expect(await screen.findByText(/the selected rows have changed/)).toBeTruthy();
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
    const { input, rerender } = show(props);
    act(() => input.focus());
    paste(input, 'Name\tAge\tMail\nAnna\t30\tanna@zoo.org\nBen\t40\tben@zoo.org');
    await waitFor(() => expect(onAddColumns).toHaveBeenCalledTimes(1));
    expect(onAddColumns.mock.calls[0]?.[0]).toMatchObject({ from: 2, mayBeNamed: true });
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
    expect(screen.queryByText(/had no place/)).toBeNull();
  });

  test('what is to be left out is told, and the rest is pasted', async () => {
    const { source, input } = show({ onAddColumns: () => Promise.resolve(undefined) });
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

describe('the keyboard', () => {
  test('walks the cells and names the active one to assistive technology', async () => {
    const { user, input } = show();
    await user.tab();
    while (document.activeElement !== input) await user.tab();
    expect(activeCell()).toBe(cellAt(0, 0));
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(activeCell()).toBe(cellAt(1, 1));
    expect(input.getAttribute('aria-label')).toBe('Age, row 2');
    await user.keyboard('{Control>}{Home}{/Control}');
    expect(activeCell()).toBe(cellAt(0, 0));
    await user.keyboard('{Control>}{End}{/Control}');
    expect(input.getAttribute('aria-label')).toBe('Fixed, row 100');
  });

  test('typing replaces the value, Enter commits and goes down', async () => {
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('Ada{Enter}');
    expect(onCommitCells.mock.calls[0]?.[0]).toEqual([
      { rowKey: 'k0', index: 0, columnId: 'name', value: 'Ada', before: 'row 0', text: 'Ada' },
    ]);
    expect(activeCell()).toBe(cellAt(1, 0));
    await waitFor(() => expect(cellAt(0, 0).textContent).toBe('Ada'));
  });

  test('Enter opens the value as it is, Escape leaves it as it was', async () => {
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('{Enter}');
    expect(input).toHaveProperty('value', 'row 0');
    await user.keyboard(' changed{Escape}');
    expect(onCommitCells).not.toHaveBeenCalled();
    expect(cellAt(0, 0).textContent).toBe('row 0');
    expect(input).toHaveProperty('value', '');
  });

  test('an editor that was opened and not changed writes nothing', async () => {
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('{F2}{Tab}');
    expect(onCommitCells).not.toHaveBeenCalled();
    expect(activeCell()).toBe(cellAt(0, 1));
  });

  test('a held key opens a cell once', async () => {
    const open = jest.fn();
    const { input } = show({
      columns: [{ entity: aColumn('name', 'Name'), width: 80, type: { ...textType, open } }],
    });
    act(() => input.focus());
    for (let n = 0; n < 10; n++) fireEvent.keyDown(input, { key: 'Enter', repeat: n > 0 });
    expect(open).toHaveBeenCalledTimes(1);
    fireEvent.keyDown(input, { key: 'Enter' });
    expect(open).toHaveBeenCalledTimes(2);
  });

  test('Delete empties the range and leaves read-only cells', async () => {
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('{Shift>}{ArrowDown}{End}{/Shift}{Delete}');
    const cleared = onCommitCells.mock.calls[0]?.[0].map(({ rowKey, columnId, value }) => [
      rowKey,
      columnId,
      value,
    ]);
    expect(cleared).toEqual([
      ['k0', 'name', null],
      ['k0', 'age', null],
      ['k0', 'done', false],
      ['k1', 'name', null],
      ['k1', 'age', null],
    ]);
  });

  test('a cell that may not be empty says so when it is cleared, and the others are emptied', async () => {
    const required = aColumn('name', 'Name', { rqd: true });
    const columns = [{ entity: required, width: 200, type: textType }, ...testColumns.slice(1)];
    const { user, input, onCommitCells } = show({ columns });
    act(() => input.focus());
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}{Delete}');
    expect(screen.getByRole('alert').textContent).toContain('“Name” must not be empty.');
    expect(onCommitCells.mock.calls[0]?.[0].map((change) => change.columnId)).toEqual(['age']);
  });

  test('Space ticks a checkbox and opens the row elsewhere', async () => {
    const onOpenRow = jest.fn();
    const { user, input, onCommitCells } = show({ onOpenRow });
    act(() => input.focus());
    await user.keyboard(' ');
    expect(onOpenRow).toHaveBeenCalledWith('k0');
    await user.keyboard('{ArrowRight}{ArrowRight} ');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({
      columnId: 'done',
      value: false,
      before: true,
    });
  });

  test('typing into a read-only cell says why and writes nothing', async () => {
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('{End}x');
    expect(screen.getByRole('alert').textContent).toBe('“Fixed” is read-only.');
    expect(input).toHaveProperty('value', '');
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('Tab leaves the grid at its last cell, so that nobody is caught in it', async () => {
    const { user, input } = show();
    act(() => input.focus());
    await user.keyboard('{Control>}{End}{/Control}');
    expect(fireEvent.keyDown(input, { key: 'Tab' })).toBe(true);
  });

  test('Escape in a cell lets the next Tab leave the grid, in both directions', async () => {
    const { user, input } = show();
    act(() => input.focus());
    const leaves = (shiftKey: boolean): boolean => fireEvent.keyDown(input, { key: 'Tab', shiftKey });
    await user.keyboard('{ArrowDown}{ArrowRight}{Escape}');
    expect([leaves(false), activeCell()]).toEqual([true, cellAt(1, 1)]);
    await user.keyboard('{Escape}');
    expect([leaves(true), activeCell()]).toEqual([true, cellAt(1, 1)]);
    // A range is taken back first, and whatever is done in between means to stay.
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Escape}');
    expect([leaves(false), activeCell()]).toEqual([false, cellAt(1, 2)]);
    await user.keyboard('{Escape}{ArrowDown}');
    expect([leaves(false), activeCell()]).toEqual([false, cellAt(2, 3)]);
  });

  test('a message stays for whoever leaves the grid to read it, and a second Escape closes it', async () => {
    const { user, input } = show();
    act(() => input.focus());
    paste(input, 'Anna\t30\ttrue\tfixed\tmore');
    await user.keyboard('{Escape}{Escape}');
    expect(screen.getByText(/had no place/)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/had no place/)).toBeNull();
  });

  test('knows of the focus that a dialog gives back as it goes away', () => {
    function Dialog(): ReactNode {
      useLayoutEffect(() => () => screen.getByRole('textbox').focus(), []);
      return null;
    }
    const page = (isOpen: boolean) => (
      <>
        <Grid label="People" {...testPlace} columns={testColumns} source={makeRows(3)} />
        {isOpen && <Dialog />}
      </>
    );
    const { rerender, container } = render(page(true));
    expect(container.querySelector('.tgrid.is-focused')).toBeNull();
    rerender(page(false));
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
    expect(container.querySelector('.tgrid.is-focused')).not.toBeNull();
  });

  test('the page can lead to a column, in the row where the person is', async () => {
    const handle = createRef<GridHandle>();
    const { user, input } = show({ ref: handle } as Partial<GridProps>);
    act(() => handle.current?.goToColumn('age'));
    expect(activeCell()).toBe(cellAt(0, 1));
    act(() => input.focus());
    await user.keyboard('{ArrowDown}');
    act(() => handle.current?.goToColumn('fixed'));
    expect(activeCell()).toBe(cellAt(1, 3));
  });

  test('Enter after Tab leads to the column where Tab began, one row below', async () => {
    const { user, input } = show();
    act(() => input.focus());
    await user.keyboard('Anna{Tab}30{Enter}');
    expect(activeCell()).toBe(cellAt(1, 0));
    await user.keyboard('{Tab}{Tab}{Shift>}{Tab}{/Shift}40{Enter}');
    expect(activeCell()).toBe(cellAt(2, 0));
    await user.keyboard('{Tab}{ArrowDown}50{Enter}');
    expect(activeCell()).toBe(cellAt(4, 1));
  });

  test('Ctrl+Z and Ctrl+Y are handed to the page', async () => {
    const onUndo = jest.fn();
    const onRedo = jest.fn();
    const { user, input } = show({ onUndo, onRedo });
    act(() => input.focus());
    await user.keyboard('{Control>}z{/Control}{Control>}y{/Control}');
    expect([onUndo.mock.calls.length, onRedo.mock.calls.length]).toEqual([1, 1]);
  });
});

describe('edits that are not taken', () => {
  test('a text that cannot be read stays at its cell until it is corrected', async () => {
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('{ArrowRight}many{Enter}{ArrowUp}');
    expect(cellAt(0, 1).textContent).toBe('many');
    expect(cellAt(0, 1).getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toContain('“Age” must be a number.');
    await user.keyboard('{Enter}');
    expect(input).toHaveProperty('value', 'many');
    await user.clear(input);
    await user.keyboard('7{Enter}');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ columnId: 'age', value: 7 });
    await waitFor(() => expect(cellAt(0, 1).getAttribute('aria-invalid')).toBeNull());
  });

  test('a value that the server refuses is shown with its reason; Escape takes the stored one back', async () => {
    const refuse = jest.fn(async (changes: readonly CellChange[]) => {
      await Promise.resolve();
      return changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Taken already' }));
    });
    const { user, input } = show({ onCommitCells: refuse });
    act(() => input.focus());
    await user.keyboard('Ada{Enter}{ArrowUp}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Taken already'));
    expect(cellAt(0, 0).textContent).toBe('Ada');
    await user.keyboard('{Escape}');
    expect(cellAt(0, 0).textContent).toBe('row 0');
  });

  test.each([
    ['typed', { kind: 'text', text: '55' }],
    ['committed as a value', { kind: 'value', value: 110 }],
  ] as const)(
    'a text %s stays as it was typed when the server refuses it because its type went off meanwhile',
    async (_how, said) => {
      const off = 'The column type is switched off';
      const refuse = jest.fn((changes: readonly CellChange[]) =>
        Promise.resolve(changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: off }))),
      );
      // Its text is not what it stores, and it is written in more than one way.
      const doubled: WebColumnType = {
        ...numberType,
        Editor: ({ onChange, onCommit }: EditorProps) => (
          <input
            aria-label="Picker"
            autoFocus
            onChange={(event) => onChange({ kind: 'text', text: event.target.value })}
            onBlur={() => {
              if (said.kind === 'value') onCommit(said.value);
            }}
          />
        ),
        parse: (text) => ({ ok: true, value: Number(text) * 2 }),
        format: (value) => `${Number(value) / 2} units`,
      };
      const columnsWith = (type: WebColumnType | undefined): GridColumn[] => [
        { entity: aColumn('age', 'Age'), width: 200, type },
      ];
      const props = { label: 'People', ...testPlace, source: makeRows(3), onCommitCells: refuse };
      const { rerender } = render(<Grid {...props} columns={columnsWith(doubled)} />);
      const user = userEvent.setup();
      act(() => screen.getByRole('textbox').focus());
      await user.keyboard('{Enter}');
      await user.type(screen.getByRole('textbox', { name: 'Picker' }), '55');
      rerender(<Grid {...props} columns={columnsWith(undefined)} />);
      await user.keyboard('{Enter}');
      expect(refuse.mock.calls[0]?.[0][0]).toMatchObject({ value: 110 });
      await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBe('true'));
      expect(cellAt(0, 0).textContent).toBe('55');
    },
  );

  test('a pasted text that the server refuses stays as it was pasted', async () => {
    const refuse = (changes: readonly CellChange[]) =>
      Promise.resolve(
        changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Taken already' })),
      );
    const { input } = show({ onCommitCells: refuse });
    act(() => input.focus());
    fireEvent.keyDown(input, { key: 'ArrowRight' });
    paste(input, '007');
    await waitFor(() => expect(cellAt(0, 1).getAttribute('aria-invalid')).toBe('true'));
    expect(cellAt(0, 1).textContent).toBe('007');
  });

  test('a refused text stays when its cell is only opened, until whoever opened it says that it is dealt with', async () => {
    const open = jest.fn<NonNullable<WebColumnType['open']>>();
    const { user, input } = show({
      columns: [{ entity: aColumn('name', 'Name'), width: 80, type: { ...textType, open } }],
      onCommitCells: (changes) =>
        Promise.resolve(
          changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Nobody knows it' })),
        ),
    });
    act(() => input.focus());
    paste(input, 'Carl');
    await waitFor(() => expect(cellAt(0, 0).textContent).toBe('Carl'));
    await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBe('true'));
    await user.keyboard('{Enter}');
    expect(open.mock.calls[0]?.[0].refusedText).toBe('Carl');
    expect(cellAt(0, 0).textContent).toBe('Carl');
    act(() => open.mock.calls[0]?.[0].onRefusedDone?.());
    expect(cellAt(0, 0).textContent).toBe('row 0');
  });

  test('leaving the grid commits what was typed', async () => {
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('Ada');
    act(() => input.blur());
    expect(onCommitCells).toHaveBeenCalledTimes(1);
  });
});

describe('a cell that goes away under the typing hand', () => {
  const without = (id: string) => testColumns.filter(({ entity }) => entity.id !== id);

  test('tells what was typed once its column is gone, and nothing goes to the one beside it', async () => {
    const { source, onCommitCells, rerender, user, input } = show();
    act(() => input.focus());
    await user.keyboard('{ArrowRight}half typed');
    rerender({ columns: without('age'), source, onCommitCells });
    expect(screen.getByText(/“half typed” was not saved. The column “Age” was taken away/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
    expect(activeCell()).toBeNull();
    await user.keyboard(' text{Enter}');
    expect(onCommitCells).not.toHaveBeenCalled();
    expect(input).toHaveProperty('value', '');
    await user.keyboard('{ArrowDown}');
    expect(activeCell()).not.toBeNull();
  });

  test('is left alone where another column goes away: the edit stays with its own', async () => {
    const { source, onCommitCells, rerender, user, input } = show();
    act(() => input.focus());
    await user.keyboard('{ArrowRight}4');
    rerender({ columns: without('name'), source, onCommitCells });
    expect(input.getAttribute('aria-label')).toBe('Age, row 1');
    await user.keyboard('2{Enter}');
    expect(onCommitCells.mock.calls[0]?.[0]).toMatchObject([{ columnId: 'age', value: 42 }]);
  });

  test('tells what was typed where its row was deleted', async () => {
    const onCommitCells = () => Promise.reject(new Error('This row is gone.'));
    const { source, user, input } = show({ onCommitCells });
    act(() => input.focus());
    await user.keyboard('Anna');
    act(() => {
      source.rows = source.rows.slice(1);
    });
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/“Anna” was not saved. Name: This row is gone/)).toBeTruthy();
  });
});

describe('leaving the page', () => {
  const leave = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  test('for another view commits what was typed', async () => {
    const { user, input, onCommitCells, unmount } = show();
    act(() => input.focus());
    await user.keyboard('Ada');
    unmount();
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ rowKey: 'k0', value: 'Ada' });
  });

  test('is asked about while something is not stored', async () => {
    const { user, input } = show({ onCommitCells: () => new Promise(() => {}) });
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

describe('an editor of a column type', () => {
  const Editor = ({ initialText, onChange, onCommit }: EditorProps) => (
    <input
      aria-label="Picker"
      autoFocus
      defaultValue={initialText}
      onChange={(event) => onChange({ kind: 'text', text: event.target.value })}
      onDoubleClick={() => onCommit('double')}
    />
  );
  const pickerColumns = (Editor: ComponentType<EditorProps>): GridColumn[] => [
    { entity: aColumn('name', 'Name'), width: 200, type: { ...textType, Editor } },
    ...testColumns.slice(1),
  ];

  test('is shown what others write into its cell meanwhile', async () => {
    const Showing = ({ value }: EditorProps) => (
      <output aria-label="Shown">{typeof value === 'string' && value}</output>
    );
    const { source, user, input } = show({ columns: pickerColumns(Showing) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    const shown = screen.getByRole('status', { name: 'Shown' });
    act(() => source.put(0, { name: 'Theirs' }));
    expect(shown.textContent).toBe('Theirs');
  });

  test('opens with what was typed and commits what it reported when the user goes on', async () => {
    const { user, input, onCommitCells } = show({ columns: pickerColumns(Editor) });
    act(() => input.focus());
    await user.keyboard('a');
    const picker = screen.getByRole('textbox', { name: 'Picker' });
    expect(picker).toHaveProperty('value', 'a');
    await user.type(picker, 'b{Tab}');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ columnId: 'name', value: 'ab' });
    expect(screen.queryByRole('textbox', { name: 'Picker' })).toBeNull();
    expect(document.activeElement).toBe(input);
  });

  test('holds a text that cannot be read until it is corrected, wherever the person goes', async () => {
    const columns: GridColumn[] = [
      testColumns[0] as GridColumn,
      { ...(testColumns[1] as GridColumn), type: { ...numberType, Editor } },
      ...testColumns.slice(2),
    ];
    const { user, input, onCommitCells } = show({ columns });
    act(() => input.focus());
    await user.keyboard('{ArrowRight}');
    await user.keyboard('{Enter}');
    await user.type(screen.getByRole('textbox', { name: 'Picker' }), 'soon');
    const body = document.querySelector<HTMLElement>('.tgrid-body') ?? document.body;
    fireEvent.pointerDown(body, { clientX: 100, clientY: 36 + 5 * 34 + 10, button: 0 });
    fireEvent.pointerUp(window);
    expect(cellAt(0, 1).textContent).toBe('soon');
    expect(cellAt(0, 1).getAttribute('aria-invalid')).toBe('true');
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('holds the refused text that it opens with: Enter alone sends it again, Escape leaves it', async () => {
    let isRefused = true;
    const answer = jest.fn((changes: readonly CellChange[]) =>
      Promise.resolve(
        isRefused
          ? changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Taken already' }))
          : [],
      ),
    );
    const { user, input } = show({ columns: pickerColumns(Editor), onCommitCells: answer });
    const picker = () => screen.getByRole('textbox', { name: 'Picker' });
    act(() => input.focus());
    await user.keyboard('a');
    await user.type(picker(), 'b{Enter}');
    await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBe('true'));
    await user.keyboard('{ArrowUp}{Enter}');
    expect(picker()).toHaveProperty('value', 'ab');
    await user.keyboard('{Escape}');
    expect(answer).toHaveBeenCalledTimes(1);
    expect(cellAt(0, 0).textContent).toBe('ab');
    isRefused = false;
    await user.keyboard('{Enter}');
    await user.keyboard('{Enter}');
    expect(answer.mock.calls[1]?.[0][0]).toMatchObject({ columnId: 'name', value: 'ab' });
    await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBeNull());
  });

  test('is given the table, its columns, the row and the project', async () => {
    const given: EditorProps[] = [];
    const Noting = (props: EditorProps) => {
      given.push(props);
      return <input aria-label="Picker" autoFocus />;
    };
    const { user, input } = show({ columns: pickerColumns(Noting) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    expect(given[0]).toMatchObject({
      ...testPlace,
      columns: testPlace.table.columns,
      row: { Name: 'row 0', Age: 0 },
      column: { id: 'name' },
    });
  });

  test('commits by itself, and gives the focus back', async () => {
    const { user, input, onCommitCells } = show({ columns: pickerColumns(Editor) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    await user.dblClick(screen.getByRole('textbox', { name: 'Picker' }));
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ value: 'double' });
    expect(document.activeElement).toBe(input);
  });

  test('that has gone can still write its cell, from what the cell holds by then', async () => {
    let late: EditorProps['onLate'];
    const columns = pickerColumns(({ onLate, onChange }) => {
      late = onLate;
      return (
        <input
          aria-label="Picker"
          onChange={({ target }) => onChange({ kind: 'value', value: target.value })}
        />
      );
    });
    const { source, input, user } = show({ columns });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    await user.type(screen.getByRole('textbox', { name: 'Picker' }), 'a');
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('textbox', { name: 'Picker' })).toBeNull();
    act(() => late?.((now) => (now === 'a' ? 'a and late' : 'lost')));
    await waitFor(() => expect(source.rowAt(0)?.values.name).toBe('a and late'));
    expect(activeCell()).toBe(cellAt(1, 0));
  });

  test('that commits when it loses the focus is asked before another cell is selected', async () => {
    const OnBlur = ({ onCommit }: EditorProps) => (
      <input aria-label="Picker" autoFocus onBlur={(event) => onCommit(event.target.value)} />
    );
    const { user, input, onCommitCells } = show({ columns: pickerColumns(OnBlur) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    await user.type(screen.getByRole('textbox', { name: 'Picker' }), 'Eve{Tab}');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ columnId: 'name', value: 'Eve' });
    expect(activeCell()).toBe(cellAt(0, 1));
  });

  test('that throws is closed, with a message', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const Broken = (): never => {
      throw new Error('no options');
    };
    const { user, input } = show({
      columns: pickerColumns(Broken),
    });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    expect(screen.getByText(/no options/)).toBeTruthy();
    expect(cellAt(0, 0).textContent).toBe('row 0');
  });
});

describe('the clipboard', () => {
  test('a range is copied as text, and what is on its way counts', async () => {
    const { user, input } = show({ onCommitCells: () => new Promise(() => {}) });
    act(() => input.focus());
    await user.keyboard('Ada{Enter}{ArrowUp}{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
    expect(copyFrom(input)).toBe('Ada\t0\nrow 1\t1\n');
  });

  test('cutting copies and empties', async () => {
    const { input, onCommitCells } = show();
    act(() => input.focus());
    expect(copyFrom(input, 'cut')).toBe('row 0');
    await waitFor(() => expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ value: null }));
  });

  test('pasting writes cells, marks those that cannot be read, and tells what was left out', async () => {
    const { user, input, onCommitCells } = show();
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
    const { user, input } = show({ source, onCommitCells: storeIn(source), onPasteRows });
    act(() => input.focus());
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    paste(input, 'c\t3\nd\tmany\ne\t5');
    await waitFor(() => expect(cellAt(3, 1).textContent).toBe('many'));
    expect(onPasteRows.mock.calls[0]?.[0]).toEqual([{ name: 'd' }, { name: 'e', age: 5 }]);
    expect(cellAt(4, 0).textContent).toBe('e');
  });

  test('Ctrl+D fills down and Ctrl+R to the side, as a paste would', async () => {
    const { onCommitCells, user, input } = show();
    await user.click(input);
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}d{/Control}');
    await waitFor(() => expect(cellAt(1, 0).textContent).toBe('row 0'));
    await user.keyboard('{Escape}{Shift>}{ArrowRight}{/Shift}{Control>}r{/Control}');
    expect(screen.getByText(/1 cell was not taken/)).toBeTruthy();
    expect(onCommitCells).toHaveBeenCalledTimes(1);
  });

  test('rows that could not be added are listed, not lost', async () => {
    const onPasteRows = () => Promise.reject(new Error('the table is full'));
    const { input } = show({ source: makeRows(0), onPasteRows });
    paste(input, 'Ada\t36');
    await waitFor(() => expect(screen.getByText(/the table is full/)).toBeTruthy());
    expect(screen.getByText('Ada | 36')).toBeTruthy();
  });
});

describe('the mouse', () => {
  const at = (row: number, x: number) => ({ clientX: x, clientY: 36 + row * 34 + 10, button: 0 });
  const body = (): HTMLElement => document.querySelector<HTMLElement>('.tgrid-body') ?? document.body;

  test('a press selects, a drag makes a range, Shift extends it', () => {
    const { input } = show();
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
    const { source, onCommitCells } = show();
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
      const { user } = show();
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
    const { input } = show();
    fireEvent.pointerDown(body(), at(1, 100));
    fireEvent.pointerUp(window, at(1, 100));
    fireEvent.doubleClick(body(), at(1, 100));
    expect(input).toHaveProperty('value', 'row 1');
  });

  test('two taps of a finger open the editor, one selects', () => {
    const { input } = show();
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
    const { user, input, onCommitCells } = show();
    act(() => input.focus());
    await user.keyboard('Ada');
    fireEvent.pointerDown(body(), at(5, 300));
    fireEvent.pointerUp(window, at(5, 300));
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ rowKey: 'k0', value: 'Ada' });
    expect(activeCell()).toBe(cellAt(5, 1));
  });

  test('rows are ticked one by one or with Shift as a stretch, and deleted together', async () => {
    const onDeleteRows = jest.fn();
    const { user } = show({ onDeleteRows });
    fireEvent.pointerMove(cellAt(1, 0));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
    expect(screen.getByText('1 row selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 4' }), { shiftKey: true });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onDeleteRows).toHaveBeenCalledWith(['k1', 'k2', 'k3']);
  });

  test('Shift ticks from the row that was ticked last, wherever that stands by now', () => {
    const onDeleteRows = jest.fn();
    const { source } = show({ onDeleteRows });
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
    const { user } = show({ onRenameColumn });
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

  test('the box over the rows says whether none, some or all are ticked', async () => {
    const { user } = show({ onDeleteRows: jest.fn() });
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
    const { user, onCommitCells } = show({ onDeleteRows });
    fireEvent.pointerMove(cellAt(1, 0));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
    await user.keyboard('{Delete}');
    expect(onDeleteRows).toHaveBeenCalledWith(['k1']);
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('the active row is ticked from the keyboard', async () => {
    const { user, input } = show();
    act(() => input.focus());
    await user.keyboard('{ArrowDown}{Shift>} {/Shift}');
    expect(screen.getByRole('checkbox', { name: 'Select row 2' })).toHaveProperty('checked', true);
  });

  test('a press on a title selects its column', async () => {
    const onSelectionChange = jest.fn();
    const { user } = show({ onSelectionChange });
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
    show({ onReorderColumn, onResizeColumn });
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
    show({ onContextMenu });
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
