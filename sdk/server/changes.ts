import { createToken, type CellValue, type Disposable, type RowKey } from '../shared/index.ts';

/** Values by column id. @public */
export type ValuesByColumn = Readonly<Record<string, CellValue>>;

/**
 * One mutation, recorded with the data it changed. Audit, outbox, live updates, history, undo and trash are based on it.
 * @public
 */
export interface Change {
  readonly id: string;
  /** Shared by the changes of one call. */
  readonly operationId: string;
  readonly kind: 'row' | 'rowSet' | 'schema';
  readonly op: 'insert' | 'update' | 'delete';
  readonly actorId: string;
  readonly actorEmail: string;
  readonly projectId: string;
  readonly baseId: string;
  readonly tableId: string;
  readonly rowKey: RowKey | undefined;
  /** The whole row for a delete, the changed cells for an update, undefined for an insert. */
  readonly before: ValuesByColumn | undefined;
  /** The whole row for an insert, the changed cells for an update, undefined for a delete. */
  readonly after: ValuesByColumn | undefined;
  /** The facts about a set of rows (`rowSet`) that were too many to record one by one. */
  readonly set?: ChangedSet;
  /** `api`, `undo`, `import`, `job`. */
  readonly origin: string;
  readonly requestId: string;
  /** Texts that plugins store with the changes of a call (registry `changeMarks`), by the ids of the marks; undefined if there are none. */
  readonly marks?: Readonly<Record<string, string>>;
  /** UTC, milliseconds since 1970. */
  readonly at: number;
  /** True for a change of a row that was purged: `before` and `after` are empty, and it cannot be undone. */
  readonly isPurged?: true;
}

/** A set of rows that one call changed in the same way. @public */
export interface ChangedSet {
  /** The number of rows. */
  readonly count: number;
  /** The ids of the columns that were set; empty if the rows were deleted. */
  readonly columns: readonly string[];
}

/** Stores texts with the changes of a call, for facts that only its handler knows. @beta */
export interface ChangeMarks {
  /**
   * Stores at most 1,000 characters with the changes that the call writes from now on, in addition to those of the registry
   * `changeMarks`. Does nothing for a call that is over, or that cannot write (GET).
   *
   * @param requestId the `id` of the request
   * @param id begins with the plugin's id
   */
  keep(requestId: string, id: string, mark: string): void;
  /**
   * As `keep`, for all changes of work that no call began, such as a step of an automation, until the result is disposed.
   *
   * @param requestId the request id of the scope that the work writes with; no other work may use it at the same time
   */
  hold(requestId: string, id: string, mark: string): Disposable;
}
/** Marks of changes. @beta */
export const ChangeMarksToken = createToken<ChangeMarks>('change-marks');

/** A change of one row, with its place in the change log. @public */
export interface RowHistoryEntry {
  /** The number of the log entry. */
  readonly seq: number;
  readonly change: Change;
}
