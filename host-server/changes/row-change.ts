import type { Change, TableSchema, ValuesByColumn } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import type { LoggedRow } from './log-entry.ts';

/** One row's change before it is recorded. Of an update the columns that changed, with the rest of their foreign keys. */
export interface RowChange {
  readonly op: Change['op'];
  readonly rowKey: RowKey | undefined;
  readonly before: ValuesByColumn | undefined;
  readonly after: ValuesByColumn | undefined;
}

/** Changes of one kind to rows with the same columns: what a bulk write hands over without an object for each row. */
export interface AlikeChanges {
  readonly op: Change['op'];
  /** Column ids, in the order of the cells. */
  readonly columns: readonly string[];
  /** Each with a cell for every column. */
  readonly rows: readonly LoggedRow[];
}

/** A write to all rows of a condition that were too many to remember one by one. It cannot be undone. */
export interface SetChange {
  readonly op: Change['op'];
  /** The condition, as the caller wrote it. */
  readonly predicate: string;
  /** What every row was set to; empty for a delete. */
  readonly patch: ValuesByColumn;
  /** How many rows. */
  readonly count: number;
  /** What the foreign keys of its rows named. */
  readonly ends: SetEnds;
}

/** What foreign keys named in a set of rows and name after its change: each change of a foreign key once, as a row without a key. */
export interface SetEnds {
  readonly columns: readonly string[];
  readonly rows: readonly LoggedRow[];
}

/** What one call did to one table. */
export interface TableChanges {
  readonly table: TableSchema;
  /** In the order in which they were made. */
  readonly changes: readonly RowChange[];
  /** In place of `changes`. */
  readonly alike?: AlikeChanges;
  /** In place of `changes`. */
  readonly set?: SetChange;
}
