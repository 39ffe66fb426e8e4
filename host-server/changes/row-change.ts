import type { Change, TableSchema, ValuesByColumn } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import type { LoggedRow } from './log-entry.ts';

/** One row's change before it is recorded. For an update, the changed columns and the remaining columns of their foreign keys. */
export interface RowChange {
  readonly op: Change['op'];
  readonly rowKey: RowKey | undefined;
  readonly before: ValuesByColumn | undefined;
  readonly after: ValuesByColumn | undefined;
}

/** Changes of one kind to rows with the same columns: the compact form of a bulk write, without an object per row. */
export interface AlikeChanges {
  readonly op: Change['op'];
  /** Column ids, in the order of the cells. */
  readonly columns: readonly string[];
  /** Each row has a cell for every column. */
  readonly rows: readonly LoggedRow[];
}

/** A write to all rows of a condition that are too many to record one by one. It cannot be undone. */
export interface SetChange {
  readonly op: Change['op'];
  /** The condition, as the caller wrote it. */
  readonly predicate: string;
  /** The values that every row was set to; empty for a delete. */
  readonly patch: ValuesByColumn;
  /** The number of rows. */
  readonly count: number;
  /** What the foreign keys of its rows named. */
  readonly ends: SetEnds;
}

/** What foreign keys named in a set of rows before and after its change: each distinct change once, as a row without a key. */
export interface SetEnds {
  readonly columns: readonly string[];
  readonly rows: readonly LoggedRow[];
}

/** The changes of one call to one table. */
export interface TableChanges {
  readonly table: TableSchema;
  /** In the order of execution. */
  readonly changes: readonly RowChange[];
  /** Replaces `changes`. */
  readonly alike?: AlikeChanges;
  /** Replaces `changes`. */
  readonly set?: SetChange;
}
