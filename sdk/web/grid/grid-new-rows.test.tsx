import { describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { EditorProps } from '../extensions/index.ts';
import { aColumn, textType } from '../../testing/table-fixtures.ts';
import { makeRows, testColumns } from '../../testing/grid-fixtures.ts';
import {
  activeCell,
  cellAt,
  showGrid,
  showGrowing,
  storeIn,
  toLast,
  prepareGridBench,
} from '../../testing/grid-bench.tsx';
import type { GridProps } from './grid-types.ts';

prepareGridBench();

describe('rows that are typed one after the other', () => {
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
      ...showGrid({ source, onAppendRow, onCommitCells, ...props }),
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

  test('under the grid stands a way to a new row, wherever the person has scrolled', async () => {
    const footer = { figures: undefined, children: '6 rows' };
    const { user, names, onAppendRow } = showGrowing('end', { footer });
    const before = names().length;
    await user.click(screen.getByRole('button', { name: 'New row' }));
    await waitFor(() => expect(names()).toHaveLength(before + 1));
    await user.keyboard('Beta{Enter}');
    await waitFor(() => expect(names().at(-1)).toBe('Beta'));
    expect(onAppendRow).toHaveBeenCalledTimes(1);
  });

  test('under a grid that takes no rows, and under an empty one, stands no way to one', () => {
    const footer = { figures: undefined, children: 'Some rows' };
    showGrid({ footer });
    expect(screen.queryByRole('button', { name: 'New row' })).toBeNull();
    cleanup();
    showGrid({ footer, source: makeRows(0), onAppendRow: () => undefined });
    expect(screen.queryByRole('button', { name: 'New row' })).toBeNull();
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
    const { user, input } = showGrid({
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
});
