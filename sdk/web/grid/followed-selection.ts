import type { RowSource } from '../rows/index.ts';
import { type CellPlace, type GridBounds, type GridSelection, holdSelection } from './grid-selection.ts';

interface Held {
  readonly selection: GridSelection;
  /** The keys of the rows that are selected first and last; undefined until they are read. */
  readonly active: string | undefined;
  readonly head: string | undefined;
}

/**
 * A selection that stays with its rows: a place is another row as soon as rows come, go, or are hidden. What is typed must never go
 * to a row that the person did not select.
 */
export class FollowedSelection {
  #held: Held | undefined;
  #isLost = false;

  /** Where the selection was whose row is not shown any more; undefined while it is shown, or nothing was selected. */
  get lostPlace(): CellPlace | undefined {
    return this.#isLost ? this.#held?.selection.active : undefined;
  }

  /** Takes over what the person selected. */
  hold(selection: GridSelection | undefined, source: RowSource | undefined): void {
    this.#isLost = false;
    this.#held = selection && {
      selection,
      active: source?.rowAt(selection.active.row)?.key,
      head: source?.rowAt(selection.head.row)?.key,
    };
  }

  /** Where the same rows are now; undefined while they are not shown. They may come back: a read page can lack a row for a moment. */
  follow(source: RowSource, bounds: GridBounds): GridSelection | undefined {
    const held = this.#held;
    if (held === undefined) return undefined;
    const { active, head } = held.selection;
    const row = placeNow(source, { row: active.row, key: held.active, count: bounds.rows });
    const followed = row === undefined ? undefined : this.#movedTo(row, held, source, bounds);
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
