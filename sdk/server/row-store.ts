import type { CellValue, Row, RowKey, TaskEntity, TrellisError } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { AuditEntry } from './services.ts';
import type { ConditionReaches } from './condition-reach.ts';
import type { ValuesByColumn } from './changes.ts';
import type { TableHandle } from './table-handle.ts';
import type { LinkedReads, RowQuery, RowReads } from './row-reads.ts';

/** Consent to a write that meets every row of a table, and how far it goes. @public */
export interface EveryRow {
  /** Without it a query that asks nothing is refused with 400 `CONFIRM_ALL`, which counts the rows. */
  readonly everyRow?: boolean;
  /** Where more rows meet the query when it writes, it is refused with 413 `MORE_THAN_MEANT` and leaves all as they are. */
  readonly most?: number;
}

/** What a write did, and the operation that undoes it. @public */
export interface WriteAnswer<Result> {
  readonly result: Result;
  /** Groups the log entries of one call; `undo` takes it. Undefined when nothing changed. */
  readonly operationId: string | undefined;
}

/** What undo did: the rows that it wrote. @public */
export interface UndoAnswer extends WriteAnswer<number> {
  /** How many changes of rows were left as they are, since what the rows held was deleted for good. */
  readonly purged: number;
}

/** Values by column title or column name; keys that match no column are dropped. @public */
export type RowInput = Readonly<Record<string, unknown>>;

/** Links between rows, each change as one write of the table that holds it: the foreign key, or a row of the junction table. @public */
export interface LinkedRowWrites {
  /**
   * Links two rows; those that are linked already stay so. A row that many may link to is taken from the one that it was linked to.
   * Gives the id of the table that holds the link.
   *
   * @throws TrellisError 404 when one of the rows is not there for the caller, 409 `LINK_MISSING` for a link that the table does not have.
   */
  link(handle: TableHandle, between: LinkedPair): Promise<WriteAnswer<string>>;
  /** Takes the link between two rows away, where there is one. */
  unlink(handle: TableHandle, between: LinkedPair): Promise<WriteAnswer<string>>;
  /**
   * Gives cells of a link column the rows that they are to hold, in place of those that they hold now, as one write. A cell that names
   * rows which cannot be found, or not told apart, stays as it is; gives those cells. What the cells name is looked up within 15 s, and
   * while the signal is not aborted.
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

/** A cell of a link column and the rows that it is to hold. @public */
export interface LinkedCell {
  readonly key: RowKey;
  /** Their keys; or their titles as people write them: between commas, or each on a line. An empty text leaves no row. */
  readonly rows: readonly RowKey[] | string;
}

/** A cell that did not get the rows that it was to hold. @public */
export interface RefusedLinks {
  readonly key: RowKey;
  readonly error: TrellisError;
}

/** Two rows and the link between their tables. @public */
export interface LinkedPair {
  /** The row of the handle's table. */
  readonly key: RowKey;
  readonly linkId: string;
  /** The row of the table that the link leads to. */
  readonly other: RowKey;
}

/** How rows are loaded. @public */
export interface LoadOptions {
  /** What people see of the task: "Import of customers.csv". */
  readonly title?: string;
  /** Ends the reading; the task is cancelled by itself. */
  readonly signal?: AbortSignal;
}

/** Where rows are put in the order of their table, which lists have that are not sorted: beside another row. @public */
export interface RowPlace {
  readonly side: 'before' | 'after';
  readonly row: RowKey;
  /** Ends the numbering of the rows of a table that has no order yet; the table stays as it was. */
  readonly signal?: AbortSignal;
}

/** How many rows are added at once. @public */
export interface AddOptions {
  readonly place?: RowPlace;
  /**
   * For copies: the key of the row that each is a copy of, in the order of the rows. What that row holds may stand in its copy, also
   * where it may be written nowhere else any more, such as the name of somebody who left.
   */
  readonly copyOf?: readonly RowKey[];
}

/**
 * Writes of rows: each call is one transaction that records its changes.
 *
 * A write that meets a change of the schema is done again by the schema as it is then, so the handle may be older. All methods
 * refuse a table that is read-only (400 `TABLE_READ_ONLY`) and drop values of columns that the scope may not write.
 * @public
 */
export interface RowWrites {
  /**
   * Without a place, rows stand behind all others. The first row of a table that is put beside another one takes as long as it takes to
   * number the rows of the table; 409 `ROW_ORDER_OWN_ONLY` for one of an external database, 404 `ROW_MISSING` where the other row is gone.
   */
  create(handle: TableHandle, values: RowInput, place?: RowPlace): Promise<WriteAnswer<Row>>;
  /**
   * Asks whether `create` would take these values, or `update` for the rows with these keys, and writes nothing. Gives them by title as they
   * would be kept. What only the database knows, such as a value that may stand in one row alone, is found by the write.
   *
   * @throws TrellisError as `create`; with keys as `update` of one row, or as `updateMany` of several or none
   */
  check(handle: TableHandle, values: RowInput, keys?: readonly RowKey[]): Promise<RowInput>;
  /** Undefined when no row has the key. */
  update(handle: TableHandle, key: RowKey, values: RowInput): Promise<WriteAnswer<Row | undefined>>;
  /**
   * Writes one cell from what it holds, such as a list with one entry more, so that nobody else's write to it is lost. `make` is asked
   * again where somebody wrote the cell meanwhile. Undefined when no row has the key, and where the caller may not read the cell.
   */
  revise(
    handle: TableHandle,
    /** A row, and the title of a column. */
    cell: { readonly key: RowKey; readonly column: string },
    make: (held: CellValue) => CellValue,
  ): Promise<WriteAnswer<Row | undefined>>;
  /** Gives 1, or 0 when no row has the key. */
  delete(handle: TableHandle, key: RowKey): Promise<WriteAnswer<number>>;
  /** Gives the inserted keys by column title. */
  createMany(
    handle: TableHandle,
    rows: readonly RowInput[],
    options?: AddOptions,
  ): Promise<WriteAnswer<readonly Row[]>>;
  /** Puts rows beside another one, in this order; the others stay where they are. Gives how many were there. */
  move(handle: TableHandle, keys: readonly RowKey[], place: RowPlace): Promise<WriteAnswer<number>>;
  /** Each row holds its key and the changes; rows without a key are skipped. Gives 1 or 0 per row. */
  updateMany(handle: TableHandle, rows: readonly RowInput[]): Promise<WriteAnswer<readonly number[]>>;
  /** Each row names rows by its key or by values of any columns. Gives how many rows each one deleted. */
  deleteMany(handle: TableHandle, rows: readonly RowInput[]): Promise<WriteAnswer<readonly number[]>>;
  /** The same values into every row of the query; gives how many changed. */
  updateAll(
    handle: TableHandle,
    query: RowQuery,
    values: RowInput,
    consent?: EveryRow,
  ): Promise<WriteAnswer<number>>;
  /** Deletes every row of the query; gives how many there were. */
  deleteAll(handle: TableHandle, query: RowQuery, consent?: EveryRow): Promise<WriteAnswer<number>>;
  /**
   * Takes an operation back where the rows still are as it left them; refuses with 409 `UNDO_CONFLICT` where they are not. Rows that were
   * deleted for good since stay as they are; 409 `UNDO_PURGED` where those are all.
   */
  undo(scope: AccessScope, operationId: string): Promise<UndoAnswer>;
  /**
   * Takes what rows held that an operation deleted out of the change log for good, and gives how many rows there were: their history is
   * empty then, back to where they were added, and nobody can take the deletion back. Requires `deletionPurge`; 404 `OPERATION_UNKNOWN` for
   * what `deletions` would not list. What was cut off is gone on with by the next call, or within a minute by the server itself.
   *
   * @param audited what the audit says of it, given how many rows there are; kept with the decision in one transaction, so it is said once
   */
  purge(scope: AccessScope, operationId: string, audited?: (rows: number) => AuditEntry): Promise<number>;
}

/** Adds rows in numbers that no single transaction takes. @public */
export interface RowLoads {
  /**
   * Adds any number of rows. They are read and checked first, one by one, where nobody sees them; resolves when the last one is, and a
   * task then adds them in short transactions, in their order. A row that is not right refuses all of them. A task that is cancelled
   * or fails leaves the rows that it added. Throws 409 `LOAD_OWN_ONLY` for a table of an external database.
   */
  load(handle: TableHandle, rows: AsyncIterable<RowInput>, options?: LoadOptions): Promise<TaskEntity>;
}

/** How rows are put back. @public */
export interface RestoreOptions {
  /**
   * Whether some of them may be there already, by their keys: those get the values. Default false, and then such a row is an error. A run
   * that goes on from where another one was cut off says so.
   */
  readonly mayBeThere?: boolean;
}

/** What putting rows back did. @public */
export interface RestoredRows {
  /** How many values of each column, by its id, were left out, because its type takes none such, or they are longer than what is written to a cell. */
  readonly refused: Readonly<Record<string, number>>;
  /** How many cells of each column, by its id, were left empty, because they name a row that is not there. */
  readonly unlinked: Readonly<Record<string, number>>;
  /** How many rows were left out, because a cell that they cannot be without names a row that is not there. */
  readonly leftOut: number;
}

/** Brings rows into a table that is made anew, as a backup has them. @public */
export interface RowRestores {
  /**
   * Puts rows into a table as they were: with their keys, with the stamps and numbers that the server gave them, and with what cells held
   * that nobody could write there now, such as the name of somebody who left. Values are by column id, and each row has its key. One
   * transaction with its log entries; for whoever may make tables and add rows. 409 `LOAD_OWN_ONLY` for a table of an external database.
   */
  restore(
    handle: TableHandle,
    rows: readonly ValuesByColumn[],
    options?: RestoreOptions,
  ): Promise<RestoredRows>;
}

/** The one way to rows. @public */
export interface RowStore
  extends RowReads, LinkedReads, ConditionReaches, RowWrites, LinkedRowWrites, RowLoads, RowRestores {}
