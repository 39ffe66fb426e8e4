import type { RowSource } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';
import { type CellPlace, type GridBounds, type GridSelection, holdSelection } from './grid-selection.ts';

interface Held {
  readonly selection: GridSelection;
  /** The keys of the first and the last selected row; undefined until they are loaded. */
  readonly active: string | undefined;
  readonly head: string | undefined;
  /** The ids of the columns of the same cells. */
  readonly activeColumn: string | undefined;
  readonly headColumn: string | undefined;
}

/** What a selection refers to. */
export interface SelectedOn {
  readonly source: RowSource;
  readonly columns: readonly GridColumn[];
}

/**
 * A selection that follows its rows and columns: an index is another row as soon as rows are added, deleted, or hidden. Typed text
 * must never go to a cell that the person did not select.
 */
export class FollowedSelection {
  #held: Held | undefined;
  #isLost = false;
  /** Whether the selection must not be restored automatically. */
  #isGivenUp = false;

  /** The last place of a selection whose row is no longer shown; undefined while it is shown, or if nothing was selected. */
  get lostPlace(): CellPlace | undefined {
    return this.#isLost ? this.#held?.selection.active : undefined;
  }

  /** Stores the person's selection. */
  hold(selection: GridSelection | undefined, on: SelectedOn | undefined): void {
    this.#isLost = false;
    this.#isGivenUp = false;
    this.#held = selection && {
      selection,
      active: on?.source.rowAt(selection.active.row)?.key,
      head: on?.source.rowAt(selection.head.row)?.key,
      activeColumn: on?.columns[selection.active.column]?.entity.id,
      headColumn: on?.columns[selection.head.column]?.entity.id,
    };
  }

  /** Drops the selection without another: the next movement starts from its place, and text typed until then goes nowhere. */
  giveUp(): void {
    this.#isLost = this.#held !== undefined;
    this.#isGivenUp = true;
  }

  /** The current index of the selected column; if it was deleted, the column at its index. */
  columnNow(columns: readonly GridColumn[]): number | undefined {
    const held = this.#held;
    return held && columnNow(columns, held.activeColumn, held.selection.active.column);
  }

  /**
   * The current place of the same rows; undefined while they are not shown. They may return: a loaded page can lack a row for a
   * moment.
   */
  follow({ source, columns }: SelectedOn, bounds: GridBounds): GridSelection | undefined {
    const held = this.#held;
    if (held === undefined || this.#isGivenUp) return undefined;
    const { active, head } = held.selection;
    const row = placeNow(source, { row: active.row, key: held.active, count: bounds.rows });
    const followed =
      row === undefined
        ? undefined
        : withColumns(this.#movedTo(row, held, source, bounds), {
            active: columnNow(columns, held.activeColumn, active.column),
            head: columnNow(columns, held.headColumn, head.column),
          });
    const selection = holdSelection(followed, bounds);
    this.#isLost = selection === undefined;
    if (selection === undefined) return undefined;
    const isSame =
      selection.active.row === active.row &&
      selection.head.row === head.row &&
      selection.active.column === active.column &&
      selection.head.column === head.column;
    const kept = isSame ? held.selection : selection;
    this.#held = {
      selection: kept,
      active: source.rowAt(kept.active.row)?.key ?? held.active,
      head: source.rowAt(kept.head.row)?.key ?? (isSame ? held.head : undefined),
      activeColumn: columns[kept.active.column]?.entity.id,
      headColumn: columns[kept.head.column]?.entity.id,
    };
    return kept;
  }

  #movedTo(row: number, held: Held, source: RowSource, bounds: GridBounds): GridSelection {
    const { active, head } = held.selection;
    const by = row - active.row;
    const expected = head.row + by;
    const last =
      head.row === active.row ? row : placeNow(source, { row: expected, key: held.head, count: bounds.rows });
    // Other rows are between the two now, which nobody selected.
    return {
      active: { row, column: active.column },
      head: { row: last === expected ? expected : row, column: head.column },
    };
  }
}

/** The current index of a column that was at an index; its replacement at the index if it was deleted. */
function columnNow(columns: readonly GridColumn[], id: string | undefined, at: number): number {
  if (id === undefined || columns[at]?.entity.id === id) return at;
  const found = columns.findIndex(({ entity }) => entity.id === id);
  return found < 0 ? at : found;
}

function withColumns(
  { active, head }: GridSelection,
  columns: { readonly active: number; readonly head: number },
): GridSelection {
  return { active: { ...active, column: columns.active }, head: { ...head, column: columns.head } };
}

/** The current index of a row that was at an index; undefined if it is not shown. */
function placeNow(
  source: RowSource,
  { row, key, count }: { readonly row: number; readonly key: string | undefined; readonly count: number },
): number | undefined {
  if (key === undefined) return row;
  const there = source.rowAt(row)?.key;
  if (there === key) return row;
  const found = source.indexOf(key);
  if (found !== undefined) return found;
  return there === undefined && row < count ? row : undefined;
}
