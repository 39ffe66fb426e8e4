import type { CellValue, Row, RowKey, TaskEntity, TrellisError } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { AuditEntry } from './services.ts';
import type { ConditionReaches } from './condition-reach.ts';
import type { ValuesByColumn } from './changes.ts';
import type { TableHandle } from './table-handle.ts';
import type { LinkedReads, RowQuery, RowReads } from './row-reads.ts';

/** Consent to a write that may affect every row of a table, and its limit. @public */
export interface EveryRow {
  /** Without it, a query without conditions is refused with 400 `CONFIRM_ALL`, which contains the number of rows. */
  readonly everyRow?: boolean;
  /** If more rows match at the time of the write, it is refused with 413 `MORE_THAN_MEANT`, and nothing is changed. */
  readonly most?: number;
}

/** The result of a write, and the operation by which it can be undone. @public */
export interface WriteAnswer<Result> {
  readonly result: Result;
  /** The id of the log entries of one call, for `undo`. Undefined when nothing changed. */
  readonly operationId: string | undefined;
}

/** The result of an undo: the number of rows that it wrote. @public */
export interface UndoAnswer extends WriteAnswer<number> {
  /** The number of row changes that could not be undone because the values were purged. */
  readonly purged: number;
}

/** Values by column title or column name; keys that match no column are dropped. @public */
export type RowInput = Readonly<Record<string, unknown>>;

/**
 * Links between rows. Each change is one write of the table that holds the link: the foreign key, or a row of the junction table.
 * @public
 */
export interface LinkedRowWrites {
  /**
   * Links two rows; rows that are linked already stay linked. A row that can have only one link loses its former one. Returns the
   * id of the table that holds the link.
   *
   * @throws TrellisError 404 when the caller cannot see one of the rows, 409 `LINK_MISSING` for a link that the table does not
   * have.
   */
  link(handle: TableHandle, between: LinkedPair): Promise<WriteAnswer<string>>;
  /** Removes the link between two rows, if there is one. */
  unlink(handle: TableHandle, between: LinkedPair): Promise<WriteAnswer<string>>;
  /**
   * Replaces the linked rows of cells in a link column, in one write. A cell that names missing or ambiguous rows stays
   * unchanged; those cells are returned. The rows are looked up within 15 s, and until the signal aborts.
   *
   * @throws TrellisError 409 `LINK_MISSING` for a link that the table does not have, 413 for more rows than one call may link.
   */
  setLinks(
    handle: TableHandle,
    linkId: string,
    cells: readonly LinkedCell[],
    signal?: AbortSignal,
  ): Promise<WriteAnswer<readonly RefusedLinks[]>>;
}

/** A cell of a link column, and the rows to link. @public */
export interface LinkedCell {
  readonly key: RowKey;
  /** Their keys, or their titles as people write them: separated by commas, or each on a line. An empty text removes all links. */
  readonly rows: readonly RowKey[] | string;
}

/** A cell whose links were not changed. @public */
export interface RefusedLinks {
  readonly key: RowKey;
  readonly error: TrellisError;
}

/** Two rows and the link between their tables. @public */
export interface LinkedPair {
  /** The row of the handle's table. */
  readonly key: RowKey;
  readonly linkId: string;
  /** The row in the table that the link leads to. */
  readonly other: RowKey;
}

/** Options for loading rows. @public */
export interface LoadOptions {
  /** The title of the task for people: "Import of customers.csv". */
  readonly title?: string;
  /** Aborts reading the rows; the task is cancelled separately. */
  readonly signal?: AbortSignal;
}

/** A place in the order of a table, which unsorted lists have: next to another row. @public */
export interface RowPlace {
  readonly side: 'before' | 'after';
  readonly row: RowKey;
  /** Aborts the numbering of a table that has no order yet; the table stays as it was. */
  readonly signal?: AbortSignal;
}

/** Options for adding several rows. @public */
export interface AddOptions {
  readonly place?: RowPlace;
  /**
   * For copies: the key of each row's original, in the order of the rows. The copy may hold values of its original that could not
   * be written otherwise any more, such as the name of a former member.
   */
  readonly copyOf?: readonly RowKey[];
}

/**
 * Writes of rows: each call is one transaction that records its changes.
 *
 * A write that meets a change of the schema is repeated with the new schema, so the handle may be out of date. All methods refuse
 * a table that is read-only (400 `TABLE_READ_ONLY`) and drop values of columns that the scope may not write.
 * @public
 */
export interface RowWrites {
  /**
   * Without a place, the row comes after all others. The first row that is placed in a table takes as long as numbering all rows
   * of the table. 409 `ROW_ORDER_OWN_ONLY` for a table of an external database, 404 `ROW_MISSING` if the other row is gone.
   */
  create(handle: TableHandle, values: RowInput, place?: RowPlace): Promise<WriteAnswer<Row>>;
  /**
   * Checks whether `create` would accept these values, or `update` for the rows with these keys, without writing. Returns them by
   * title as they would be stored. Rules that only the database checks, such as unique values, are not checked before the write.
   *
   * @throws TrellisError as `create`; with keys as `update` of one row, or as `updateMany` of several or none
   */
  check(handle: TableHandle, values: RowInput, keys?: readonly RowKey[]): Promise<RowInput>;
  /** Undefined when no row has the key. */
  update(handle: TableHandle, key: RowKey, values: RowInput): Promise<WriteAnswer<Row | undefined>>;
  /**
   * Writes one cell depending on its present value, such as a list with a further entry, so that no other write to it is lost.
   * `make` is called again if somebody wrote the cell meanwhile. Undefined when no row has the key, and when the caller may not
   * read the cell.
   */
  revise(
    handle: TableHandle,
    /** A row, and the title of a column. */
    cell: { readonly key: RowKey; readonly column: string },
    make: (held: CellValue) => CellValue,
  ): Promise<WriteAnswer<Row | undefined>>;
  /** Returns 1, or 0 when no row has the key. */
  delete(handle: TableHandle, key: RowKey): Promise<WriteAnswer<number>>;
  /** Returns the inserted keys by column title. */
  createMany(
    handle: TableHandle,
    rows: readonly RowInput[],
    options?: AddOptions,
  ): Promise<WriteAnswer<readonly Row[]>>;
  /** Moves rows next to another one, in this order; all other rows stay. Returns how many of them exist. */
  move(handle: TableHandle, keys: readonly RowKey[], place: RowPlace): Promise<WriteAnswer<number>>;
  /** Each row contains its key and the changes; rows without a key are skipped. Returns 1 or 0 for each row. */
  updateMany(handle: TableHandle, rows: readonly RowInput[]): Promise<WriteAnswer<readonly number[]>>;
  /** Each item names rows by their key or by values of any columns. Returns how many rows each one deleted. */
  deleteMany(handle: TableHandle, rows: readonly RowInput[]): Promise<WriteAnswer<readonly number[]>>;
  /** Writes the same values to every row of the query; returns the number of changed rows. */
  updateAll(
    handle: TableHandle,
    query: RowQuery,
    values: RowInput,
    consent?: EveryRow,
  ): Promise<WriteAnswer<number>>;
  /** Deletes every row of the query; returns their number. */
  deleteAll(handle: TableHandle, query: RowQuery, consent?: EveryRow): Promise<WriteAnswer<number>>;
  /**
   * Undoes an operation if the rows are still as it left them; otherwise refuses with 409 `UNDO_CONFLICT`. Rows that were purged
   * since stay as they are; 409 `UNDO_PURGED` if all were.
   */
  undo(scope: AccessScope, operationId: string): Promise<UndoAnswer>;
  /**
   * Removes the values of rows that an operation deleted from the change log for good, and returns the number of rows. Their
   * history is then empty, back to when they were added, and the deletion cannot be undone. Requires `deletionPurge`; 404
   * `OPERATION_UNKNOWN` for an operation that `deletions` would not list. A purge that was cut off is continued by the next call,
   * or within a minute by the server itself.
   *
   * @param audited the audit's entry, given the number of rows; stored in one transaction with the decision, so that it is
   * written once
   */
  purge(scope: AccessScope, operationId: string, audited?: (rows: number) => AuditEntry): Promise<number>;
}

/** Adds more rows than a single transaction can take. @public */
export interface RowLoads {
  /**
   * Adds any number of rows. They are first read and checked one by one, invisible to others; this resolves after the last one,
   * and a task then adds them in short transactions, in order. One invalid row refuses all of them. A task that is cancelled or
   * fails leaves the rows that it added. Throws 409 `LOAD_OWN_ONLY` for a table of an external database.
   */
  load(handle: TableHandle, rows: AsyncIterable<RowInput>, options?: LoadOptions): Promise<TaskEntity>;
}

/** Options for restoring rows. @public */
export interface RestoreOptions {
  /**
   * Whether some rows may exist already, by their keys; these are overwritten. Default false: then such a row is an error. Set it
   * when continuing a run that was cut off.
   */
  readonly mayBeThere?: boolean;
}

/** The result of restoring rows. @public */
export interface RestoredRows {
  /**
   * The number of values of each column, by id, that were left out because the type does not accept them, or they are too long
   * for a cell.
   */
  readonly refused: Readonly<Record<string, number>>;
  /** The number of cells of each column, by id, that were left empty because they name a missing row. */
  readonly unlinked: Readonly<Record<string, number>>;
  /** The number of rows that were left out because a required cell names a missing row. */
  readonly leftOut: number;
}

/** Fills a new table with the rows of a backup. @public */
export interface RowRestores {
  /**
   * Restores rows as they were: with their keys, with stamps and numbers that the server gave them, and with values that could
   * not be written otherwise any more, such as the name of a former member. Values are by column id, and each row has its key.
   * One transaction with its log entries; requires the rights to make tables and add rows. 409 `LOAD_OWN_ONLY` for a table of an
   * external database.
   */
  restore(
    handle: TableHandle,
    rows: readonly ValuesByColumn[],
    options?: RestoreOptions,
  ): Promise<RestoredRows>;
}

/** All access to rows. @public */
export interface RowStore
  extends RowReads, LinkedReads, ConditionReaches, RowWrites, LinkedRowWrites, RowLoads, RowRestores {}
