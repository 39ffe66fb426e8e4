import { FollowedSelection } from './followed-selection.ts';
import { type CellRange, rangeOf, sameRange } from './grid-selection.ts';
import type { GridState } from './grid-state.ts';
import { HeldColumns } from './held-columns.ts';

/** The cells that a paste begins from in a table without rows. */
const firstCell: CellRange = { top: 0, bottom: 0, left: 0, right: 0 };

/**
 * The cells that are selected when something is asked for that takes its time. It stays with their rows and columns, wherever the person
 * goes meanwhile.
 */
export class SelectedPlace {
  readonly #state: GridState;
  readonly #followed = new FollowedSelection();
  /** Where it does not follow a row: in a table without rows, or under the last one, however many come. */
  readonly #fixed: 'first' | 'end' | undefined;
  /** The columns that are written. */
  readonly #columns: HeldColumns | undefined;

  /** @param covers what is written where these cells are selected */
  constructor(state: GridState, covers: (selected: CellRange) => CellRange) {
    const { source, columns } = state.context;
    this.#state = state;
    this.#fixed = source.count === 0 && columns.length > 0 ? 'first' : state.isAtEnd ? 'end' : undefined;
    this.#followed.hold(state.getSnapshot().selection, state.context);
    const selected = this.now;
    const covered = selected && covers(selected);
    this.#columns = covered && new HeldColumns(state, covered.left, covered.right);
  }

  /** Where they are now; undefined where nothing was selected, or they are not shown any more. */
  get now(): CellRange | undefined {
    const { context, endRow: row } = this.#state;
    // Nothing of it may go to the column beside one that is gone.
    if (this.#columns !== undefined && this.#columns.left === undefined) return undefined;
    // A row that came since is another one's.
    if (this.#fixed === 'first') return context.source.count === 0 ? firstCell : undefined;
    if (this.#fixed === undefined) {
      const selection = this.#followed.follow(context, this.#state.bounds());
      return selection && rangeOf(selection);
    }
    const column = this.#followed.columnNow(context.columns);
    return column === undefined ? undefined : { top: row, bottom: row, left: column, right: column };
  }

  /** Whether the person is still there, and types nothing. */
  get isSelected(): boolean {
    const { selection, editing } = this.#state.getSnapshot();
    if (editing !== undefined) return false;
    if (this.#fixed === 'end') return this.#state.isAtEnd;
    if (selection === undefined) return this.#fixed === 'first';
    const { now } = this;
    return now !== undefined && sameRange(now, rangeOf(selection));
  }
}
