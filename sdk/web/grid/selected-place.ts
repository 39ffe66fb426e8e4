import { FollowedSelection } from './followed-selection.ts';
import { type CellRange, rangeOf, sameRange } from './grid-selection.ts';
import type { GridState } from './grid-state.ts';
import { HeldColumns } from './held-columns.ts';

/** The cells at which a paste begins in a table without rows. */
const firstCell: CellRange = { top: 0, bottom: 0, left: 0, right: 0 };

/**
 * The cells that are selected when a slow action starts. They stay with their rows and columns, wherever the person goes meanwhile.
 */
export class SelectedPlace {
  readonly #state: GridState;
  readonly #followed = new FollowedSelection();
  /** The position if it follows no row: in a table without rows, or under the last one, however many are added. */
  readonly #fixed: 'first' | 'end' | undefined;
  /** The columns to write. */
  readonly #columns: HeldColumns | undefined;

  /** @param covers the cells to write for a selection */
  constructor(state: GridState, covers: (selected: CellRange) => CellRange) {
    const { source, columns } = state.context;
    this.#state = state;
    this.#fixed = source.count === 0 && columns.length > 0 ? 'first' : state.isAtEnd ? 'end' : undefined;
    this.#followed.hold(state.getSnapshot().selection, state.context);
    const selected = this.now;
    const covered = selected && covers(selected);
    this.#columns = covered && new HeldColumns(state, covered.left, covered.right);
  }

  /** The current cells; undefined if nothing was selected, or they are no longer shown. */
  get now(): CellRange | undefined {
    const { context, endRow: row } = this.#state;
    // Nothing may go to the column beside a deleted one.
    if (this.#columns !== undefined && this.#columns.left === undefined) return undefined;
    // A row that was added since belongs to somebody else.
    if (this.#fixed === 'first') return context.source.count === 0 ? firstCell : undefined;
    if (this.#fixed === undefined) {
      const selection = this.#followed.follow(context, this.#state.bounds());
      return selection && rangeOf(selection);
    }
    const column = this.#followed.columnNow(context.columns);
    return column === undefined ? undefined : { top: row, bottom: row, left: column, right: column };
  }

  /** Whether the person is still there and is not typing. */
  get isSelected(): boolean {
    const { selection, editing } = this.#state.getSnapshot();
    if (editing !== undefined) return false;
    if (this.#fixed === 'end') return this.#state.isAtEnd;
    if (selection === undefined) return this.#fixed === 'first';
    const { now } = this;
    return now !== undefined && sameRange(now, rangeOf(selection));
  }
}
