import { afterEach, beforeEach, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { makeRows, testColumns, testPlace, type TestRows } from './grid-fixtures.ts';
import { Grid } from '../web/grid/Grid.tsx';
import type { GridProps } from '../web/grid/grid-types.ts';
import type { CellChange, MemoryRows } from '../web/rows/index.ts';

/** The parts of a pointer event that jsdom lacks. */
class TestPointerEvent extends MouseEvent {
  readonly pointerId = 1;
  readonly pointerType: string;

  constructor(type: string, init: PointerEventInit = {}) {
    super(type, init);
    this.pointerType = init.pointerType ?? 'mouse';
  }
}

/** Gives jsdom the sizes that a grid measures, for the tests of a file. */
export function prepareGridBench(): void {
  beforeEach(() => {
    Object.assign(window, { PointerEvent: TestPointerEvent, DragEvent: MouseEvent });
    jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  });
  afterEach(async () => {
    // Writes that a test does not wait for must end before the page is removed.
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    cleanup();
    jest.restoreAllMocks();
  });
}

/** Stores the grid's writes, as the page around it does. */
export function storeIn(source: MemoryRows) {
  return jest.fn(async (changes: readonly CellChange[]) => {
    await Promise.resolve();
    for (const { index, columnId, value } of changes) source.put(index, { [columnId]: value });
    return [];
  });
}

export function showGrid(props: Partial<GridProps> = {}) {
  const source: TestRows = makeRows(100);
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
    /** Draws the grid again, as the page around it does. */
    rerender: (given: Partial<GridProps>) => rerender(grid(given)),
    user: userEvent.setup(),
    input: screen.getByRole('textbox'),
  };
}

export const cellAt = (row: number, column: number): HTMLElement => {
  const found = document.querySelector<HTMLElement>(
    `[aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`,
  );
  if (found === null) throw new Error(`The cell at row ${row}, column ${column} is not drawn`);
  return found;
};
export const activeCell = (): HTMLElement | null =>
  document.getElementById(screen.getByRole('textbox').getAttribute('aria-activedescendant') ?? '');

export const paste = (input: HTMLElement, text: string): void => {
  fireEvent.paste(input, {
    clipboardData: { getData: (type: string) => (type === 'text/plain' ? text : '') },
  });
};
export const copyFrom = (input: HTMLElement, kind: 'copy' | 'cut' = 'copy'): string => {
  const taken = new Map<string, string>();
  const clipboardData = { setData: (type: string, data: string) => taken.set(type, data) };
  fireEvent[kind](input, { clipboardData });
  return taken.get('text/plain') ?? '';
};
/** A grid that adds a row after an answer that the test controls; `at`: the row's place. */
export function showGrowing(at: 'start' | 'end' = 'end', props: Partial<GridProps> = {}) {
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
    ...showGrid({ source, onCommitCells: storeIn(source), onAppendRow, ...props }),
    source,
    onAppendRow,
    names,
  };
}
export const toLast = async (user: ReturnType<typeof userEvent.setup>): Promise<void> =>
  user.keyboard('{Control>}{End}{Home}{/Control}{Control>}{ArrowDown}{/Control}');
