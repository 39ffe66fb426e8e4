import type { CellValue, ColumnEntity } from '@trellis/sdk/shared';

/** One thing that happened to a row, as the history of the row lists it. */
export interface RowEvent {
  /** Given as `before` to read what happened earlier. */
  readonly id: number;
  readonly op: 'insert' | 'update' | 'delete';
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The e-mail address of who did it; null for callers who are not told. */
  readonly user: string | null;
  /** True where something was taken back. */
  readonly isUndo: boolean;
  /** True where what the row held was deleted for good. */
  readonly isPurged: boolean;
  /** A foreign key that changed has a cell of its link column beside its own; links that other rows hold are lists of rows. */
  readonly cells: readonly {
    readonly fk_column_id: string;
    readonly before: CellValue;
    readonly after: CellValue;
  }[];
}

/** Rows that one write deleted and that are still gone. */
export interface DeletionEntity {
  /** Taking this operation back restores them. */
  readonly operation_id: string;
  readonly table: { readonly id: string; readonly title: string };
  readonly count: number;
  /** The column by which rows are named; null where the caller may not read it. */
  readonly column: ColumnEntity | null;
  /** What some of the rows hold in it. */
  readonly names: readonly CellValue[];
  /** The e-mail address of who deleted them. */
  readonly user: string;
  /** ISO 8601 in UTC. */
  readonly deleted_at: string;
}

/** What taking a write back did. */
export interface UndoneEntity {
  /** How many rows were written. */
  readonly rows: number;
  /** How many stay as they are, since what they held was deleted for good; left out where there are none. */
  readonly purged?: number;
}
