import type { CellValue } from '@trellis/sdk/shared';

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
  readonly cells: readonly {
    readonly fk_column_id: string;
    readonly before: CellValue;
    readonly after: CellValue;
  }[];
}
