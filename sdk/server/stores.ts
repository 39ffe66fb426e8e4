import type { CellValue, FilterNode, LogicalOp, Row, RowKey, SortKey, TaskEntity } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { RowHistoryEntry } from './changes.ts';
import type {
  ColumnSchema,
  FilterSchema,
  ProjectSchema,
  ProjectSnapshot,
  SortSchema,
  TableSchema,
  ViewColumnSchema,
  ViewSchema,
} from './schema.ts';

/** What a client may say of a new column; everything else is derived. @public */
export interface ColumnInput {
  readonly title?: string;
  /** Kept when it is a plain, free, unreserved name, else derived from the title. */
  readonly columnName?: string;
  readonly type: string;
  readonly nativeType?: string;
  readonly length?: string;
  readonly precision?: string;
  readonly scale?: string;
  readonly primaryKey?: boolean;
  readonly autoIncrement?: boolean;
  readonly autoUpdate?: boolean;
  readonly required?: boolean;
  readonly unsigned?: boolean;
  readonly unique?: boolean;
  readonly defaultValue?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Where it goes in the view that it was added from. */
  readonly order?: number;
}

/** What a client may say of a new table. @public */
export interface TableInput {
  readonly title?: string;
  readonly tableName?: string;
  readonly columns: readonly ColumnInput[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An existing database to be opened as a base. `config` is the driver's, of which only known keys are read. @public */
export interface ExternalBaseInput {
  readonly type: 'sqlite3' | 'pg' | 'mysql2' | 'mssql';
  readonly config: Readonly<Record<string, unknown>>;
  readonly alias?: string;
  readonly inflectionTable?: 'camelize' | 'none';
  readonly inflectionColumn?: 'camelize' | 'none';
}

/** What a client may say of a new project. @public */
export interface ProjectInput {
  readonly title: string;
  readonly description?: string;
  readonly color?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly external?: ExternalBaseInput;
}

/**
 * Projects, bases, tables and columns: metadata and the database's own schema, kept in step by recorded jobs.
 *
 * Every change is one job (intent, DDL, metadata, done) that survives a kill at each step. Deleting parks: the object is
 * hidden at once and dropped after 30 days. Each method requires its permission of the scope.
 * @public
 */
export interface SchemaStore {
  /** The projects that the caller is a member of, and that the credential is not limited against. */
  listProjects(scope: AccessScope): Promise<readonly (ProjectSchema & { readonly role: string })[]>;
  /**
   * The project as the caller may know it: without hidden columns, personal views of others, and tables that are reached through
   * no view of a shared link. Throws 404 for a project that the scope does not name.
   */
  snapshot(scope: AccessScope): Promise<ProjectSnapshot>;
  /** The table as the caller may know it, or 404: ids and titles of other projects answer like ids never issued. */
  table(scope: AccessScope, nameOrId: string): Promise<TableSchema>;
  /**
   * The table, and the view where one is named, as what `RowStore` takes. 404 for a table that is not there, a view of another
   * table, the personal view of somebody else, and without a view for a caller who is limited to some. A value when the schema is
   * in memory, else a promise.
   *
   * The handle holds all columns and views, hidden ones too, because stores judge by them: show a caller `table` instead.
   */
  open(scope: AccessScope, tableNameOrId: string, viewNameOrId?: string): TableHandle | Promise<TableHandle>;
  /** The caller becomes its owner. `external` opens an existing database and reads its tables. */
  createProject(scope: AccessScope, input: ProjectInput): Promise<ProjectSchema>;
  updateProject(scope: AccessScope, patch: Partial<Omit<ProjectInput, 'external'>>): Promise<ProjectSchema>;
  deleteProject(scope: AccessScope): Promise<void>;
  /** SQLite files of the configured folder that may be opened as a base. */
  listSqliteFiles(scope: AccessScope): Promise<readonly { readonly name: string; readonly bytes: number }[]>;

  /** How many columns in how many tables, over all projects, are of this type. For a plugin's usage report. */
  usageOfColumnType(type: string): Promise<{ readonly columns: number; readonly tables: number }>;

  createTable(scope: AccessScope, input: TableInput): Promise<TableSchema>;
  updateTable(
    scope: AccessScope,
    tableId: string,
    patch: { title?: string; meta?: Readonly<Record<string, unknown>> },
  ): Promise<TableSchema>;
  reorderTable(scope: AccessScope, tableId: string, order: number): Promise<void>;
  deleteTable(scope: AccessScope, tableId: string): Promise<void>;

  createColumn(scope: AccessScope, tableId: string, input: ColumnInput): Promise<TableSchema>;
  /** A change of type converts the values; cells that cannot be converted keep the old column beside the new one. */
  updateColumn(scope: AccessScope, columnId: string, patch: Partial<ColumnInput>): Promise<TableSchema>;
  deleteColumn(scope: AccessScope, columnId: string): Promise<TableSchema>;
  setDisplayColumn(scope: AccessScope, columnId: string): Promise<void>;
}

/**
 * Views, and which columns, sorts and filters they have. Each method requires its permission of the scope, `create` that of the
 * view's type (`gridViewCreate`). An unknown id is 404, and so is the personal view of somebody else; a locked view refuses
 * changes with 400.
 * @public
 */
export interface ViewStore {
  create(
    scope: AccessScope,
    tableId: string,
    input: { title: string; type: string; copyFrom?: string; showSystemFields?: boolean },
  ): Promise<ViewSchema>;
  update(
    scope: AccessScope,
    viewId: string,
    patch: {
      title?: string;
      order?: number;
      showSystemFields?: boolean;
      lockType?: ViewSchema['lockType'];
      meta?: Readonly<Record<string, unknown>>;
    },
  ): Promise<ViewSchema>;
  delete(scope: AccessScope, viewId: string): Promise<void>;
  /** Shows or hides every column but the ones named; gives the number of columns changed. */
  setAllColumns(
    scope: AccessScope,
    viewId: string,
    show: 'show' | 'hide',
    except: readonly string[],
  ): Promise<number>;
  setColumn(
    scope: AccessScope,
    viewId: string,
    columnId: string,
    patch: { show?: boolean; order?: number; width?: number },
  ): Promise<ViewColumnSchema>;
  createSort(
    scope: AccessScope,
    viewId: string,
    input: { columnId: string; direction: 'asc' | 'desc'; order?: number },
  ): Promise<SortSchema>;
  updateSort(
    scope: AccessScope,
    sortId: string,
    patch: { columnId?: string; direction?: 'asc' | 'desc'; order?: number },
  ): Promise<SortSchema>;
  deleteSort(scope: AccessScope, sortId: string): Promise<void>;
  createFilter(scope: AccessScope, viewId: string, input: FilterInput): Promise<FilterSchema>;
  updateFilter(scope: AccessScope, filterId: string, patch: Partial<FilterInput>): Promise<FilterSchema>;
  deleteFilter(scope: AccessScope, filterId: string): Promise<void>;
}

/** A filter to save: a group with `children`, or a condition of column, operator and value. @public */
export interface FilterInput {
  readonly columnId?: string;
  readonly operator?: string;
  readonly value?: CellValue;
  readonly logicalOp?: LogicalOp;
  readonly isGroup?: boolean;
  readonly parentId?: string;
  readonly order?: number;
  readonly children?: readonly FilterInput[];
}

/**
 * A table that exists and that the caller may reach, with who asks and by which schema: resolved once for a request, by
 * `SchemaStore.open` alone. Stores refuse a copy that somebody put together.
 * @public
 */
export abstract class TableHandle {
  abstract readonly scope: AccessScope;
  abstract readonly snapshot: ProjectSnapshot;
  abstract readonly table: TableSchema;
  /** Reads apply its filters, sorts and visible columns; writes do not look at it. */
  abstract readonly view: ViewSchema | undefined;

  /** The table without its view. Throws 404 for a caller who is limited to some views. */
  abstract whole(): TableHandle;

  /** A class with a protected member has no look-alikes: an object literal is no handle for the compiler either. */
  protected abstract readonly isOpened: true;
}

/** Which rows and columns of a table, before paging. @public */
export interface RowQuery {
  /**
   * The text grammar of the v1 API: `(Title,like,%a%)~and(Count,gt,5)`. What does not parse, blanks alone too, is 400 and never
   * "all rows"; the empty text is no condition.
   */
  readonly where?: string;
  /** Joined to `where` by AND. */
  readonly filters?: readonly FilterNode[];
  /** Titles, `-` for descending: replaces the view's sorts. */
  readonly sort?: readonly string[];
  readonly sortKeys?: readonly SortKey[];
  /** Titles; the exact set. */
  readonly fields?: readonly string[];
  /**
   * Leaves out the view's saved filters whose comparison belongs to a plugin that is off, which otherwise refuse the query
   * (409 `FILTER_OPERATOR_DISABLED`). For members alone: visitors never see more than the view's owner meant.
   */
  readonly skipDisabledFilters?: boolean;
  /** In random order, in place of every sort. */
  readonly shuffle?: boolean;
}

/** Rows that a link leads to, asked for together with the rows that it starts at. @public */
export interface LinkedQuery {
  /** A link of the table, see `TableSchema.links`. */
  readonly linkId: string;
  /** Titles of the linked table; all that may be seen where left out. */
  readonly fields?: readonly string[];
  /** Linked rows of each row at the most; fewer where the page would hold more than 10,000 of them. */
  readonly perRow: number;
}

/** A row with the rows that it is linked to, by the link's id. @public */
export interface NestedRow {
  readonly row: Row;
  readonly linked: ReadonlyMap<string, readonly Row[]>;
}

/** The rows with one value in a column. @public */
export interface RowGroup {
  readonly value: CellValue;
  /** All rows of the group, of which `rows` holds the first. */
  readonly count: number;
  readonly rows: readonly Row[];
}

/** Reads of rows in groups, and together with what they are linked to. @public */
export interface LinkedReads {
  /**
   * The first rows of each group of rows with the same value in the column `by` (its title), in the order of the values, empty
   * ones first; within a group in the order of the query. One statement; 10,000 rows at the most.
   */
  groups(
    handle: TableHandle,
    query: RowQuery,
    options: { readonly by: string; readonly perGroup: number },
  ): Promise<readonly RowGroup[]>;
  /**
   * A page of rows with their linked rows: one statement for the page and one for each link.
   *
   * @throws TrellisError 409 `LINK_MISSING` for a link that the table does not have or that leads to what the caller may not see.
   */
  nested(
    handle: TableHandle,
    query: RowQuery,
    page: PageRequest,
    links: readonly LinkedQuery[],
  ): Promise<readonly NestedRow[]>;
}

/** Which part of the rows. @public */
export interface PageRequest {
  /** Rows at the most. */
  readonly limit: number;
  /** Rows to pass over. */
  readonly offset: number;
}

/** A page of rows, and how many rows there are on all pages. @public */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly totalRows: number;
}

/** A page of rows for an answer that holds them as they are. @public */
export interface JsonPage {
  /** A JSON array of the rows, in UTF-8. */
  readonly rows: Uint8Array;
  /** Undefined when it was not asked for. */
  readonly totalRows: number | undefined;
}

/** The rows of a query, batch by batch from one snapshot of the database, as long as the consumer keeps asking. @public */
export interface RowStream {
  /** The columns that each row holds, in order. */
  readonly columns: readonly ColumnSchema[];
  readonly batches: AsyncIterable<readonly Row[]>;
}

/** Consent to a write that meets every row of a table. @public */
export interface EveryRow {
  /** Without it a query that asks nothing is refused with 400 `CONFIRM_ALL`, which counts the rows. */
  readonly everyRow?: boolean;
}

/** What a write did, and the operation that undoes it. @public */
export interface WriteAnswer<Result> {
  readonly result: Result;
  /** Groups the change records of one call; `undo` takes it. Undefined when nothing changed. */
  readonly operationId: string | undefined;
}

/** Values by column title or column name; keys that match no column are dropped. @public */
export type RowInput = Readonly<Record<string, unknown>>;

/**
 * Reads of rows: each one compiles through the query compiler, inside what the handle's scope may see.
 *
 * Values are wire values; rows are keyed by column title.
 * @public
 */
export interface RowReads {
  list(
    handle: TableHandle,
    query: RowQuery,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<readonly Row[]>;
  /** A page with the number of all rows of the query, which is resolved and compiled once for both. */
  page(handle: TableHandle, query: RowQuery, page: PageRequest, signal?: AbortSignal): Promise<RowPage>;
  /**
   * What `list` or `page` answers, as JSON: most pages are written by the thread that reads them, which spares the objects. The order
   * of the columns in a row may be another one.
   */
  pageJson(
    handle: TableHandle,
    query: RowQuery,
    page: PageRequest,
    options: { readonly count: boolean; readonly signal?: AbortSignal },
  ): Promise<JsonPage>;
  /** Cancelled after 10 s with 504 `COUNT_TIMEOUT`. */
  count(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<number>;
  /**
   * Undefined when no row that the scope may see has the key. The filters of the handle's view do not hide a row that is asked
   * for by its key.
   */
  read(handle: TableHandle, key: RowKey, query?: Pick<RowQuery, 'fields'>): Promise<Row | undefined>;
  exists(handle: TableHandle, key: RowKey): Promise<boolean>;
  /** The first row of the query, or undefined. */
  findOne(handle: TableHandle, query: RowQuery): Promise<Row | undefined>;
  /** How many rows each value of a column has: rows of the column's name and `count`. */
  groupBy(
    handle: TableHandle,
    columnName: string,
    query: RowQuery,
    page: PageRequest,
  ): Promise<{ readonly list: readonly Row[]; readonly totalRows: number }>;
  /**
   * What happened to a row, the newest change first, as far back as the change log is kept; also of a row that is gone. Values
   * are of the columns that the scope may read. At most 200 entries; `before` is the `seq` of the last one of the page before.
   * Writes to more than 10,000 rows at once name no rows, and are not among it.
   */
  history(
    handle: TableHandle,
    key: RowKey,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<readonly RowHistoryEntry[]>;
  /** All rows of the query. Rejects where the query is not understood, before the first row is read. */
  stream(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<RowStream>;
  /** The text that names a row of this table. */
  keyOf(table: TableSchema, row: Row): RowKey | undefined;
}

/** How rows are loaded. @public */
export interface LoadOptions {
  /** What people see of the task: "Import of customers.csv". */
  readonly title?: string;
  /** Ends the reading; the task is cancelled by itself. */
  readonly signal?: AbortSignal;
}

/**
 * Writes of rows: each call is one transaction that records its changes.
 *
 * A write that meets a change of the schema is done again by the schema as it is then, so the handle may be older. All methods
 * refuse a table that is read-only (400 `TABLE_READ_ONLY`) and drop values of columns that the scope may not write.
 * @public
 */
export interface RowWrites {
  create(handle: TableHandle, values: RowInput): Promise<WriteAnswer<Row>>;
  /** Undefined when no row has the key. */
  update(handle: TableHandle, key: RowKey, values: RowInput): Promise<WriteAnswer<Row | undefined>>;
  /** Gives 1, or 0 when no row has the key. */
  delete(handle: TableHandle, key: RowKey): Promise<WriteAnswer<number>>;
  /** Gives the inserted keys by column title. */
  createMany(handle: TableHandle, rows: readonly RowInput[]): Promise<WriteAnswer<readonly Row[]>>;
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
  /** Takes an operation back where the rows still are as it left them; refuses with 409 `UNDO_CONFLICT` where they are not. */
  undo(scope: AccessScope, operationId: string): Promise<WriteAnswer<number>>;
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

/** The one way to rows. @public */
export interface RowStore extends RowReads, LinkedReads, RowWrites, RowLoads {}
