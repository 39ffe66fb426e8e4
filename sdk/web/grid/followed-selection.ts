import type { RowSource } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';
import { type CellPlace, type GridBounds, type GridSelection, holdSelection } from './grid-selection.ts';

interface Held {
  readonly selection: GridSelection;
  /** The keys of the rows that are selected first and last; undefined until they are read. */
  readonly active: string | undefined;
  readonly head: string | undefined;
  /** The ids of the columns of the same cells. */
  readonly activeColumn: string | undefined;
  readonly headColumn: string | undefined;
}

/** What a selection lies on. */
export interface SelectedOn {
  readonly source: RowSource;
  readonly columns: readonly GridColumn[];
}

/**
 * A selection that stays with its rows and columns: a place is another row as soon as rows come, go, or are hidden. What is typed
 * must never go to a cell that the person did not select.
 */
export class FollowedSelection {
  #held: Held | undefined;
  #isLost = false;
  /** True once nobody is to come back to it by itself. */
  #isGivenUp = false;

  /** Where the selection was whose row is not shown any more; undefined while it is shown, or nothing was selected. */
  get lostPlace(): CellPlace | undefined {
    return this.#isLost ? this.#held?.selection.active : undefined;
  }

  /** Takes over what the person selected. */
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

  /** Leaves the place without another: the next movement starts from it, and what is typed until then goes nowhere. */
  giveUp(): void {
    this.#isLost = this.#held !== undefined;
    this.#isGivenUp = true;
  }

  /** The column that is selected as it stands now; the one at its place where it is gone. */
  columnNow(columns: readonly GridColumn[]): number | undefined {
    const held = this.#held;
    return held && columnNow(columns, held.activeColumn, held.selection.active.column);
  }

  /** Where the same rows are now; undefined while they are not shown. They may come back: a read page can lack a row for a moment. */
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
    // Other rows lie between the two now: nobody selected those.
    return {
      active: { row, column: active.column },
      head: { row: last === expected ? expected : row, column: head.column },
    };
  }
}

/** Where a column is now that was at a place; there is what stands in its place once it is gone. */
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

/** Where a row is now that was at a place; undefined where it is not shown. */
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
