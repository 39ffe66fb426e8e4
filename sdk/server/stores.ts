import type { CellValue, FilterNode, LogicalOp, Row, RowKey, SortKey } from '../shared/index.ts';
import type { AccessScope, Principal } from './access.ts';
import type {
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
 * hidden at once and dropped after 30 days.
 * @public
 */
export interface SchemaStore {
  listProjects(principal: Principal): Promise<readonly (ProjectSchema & { readonly role: string })[]>;
  /** Throws 404 for a project that the scope does not name. */
  snapshot(scope: AccessScope): Promise<ProjectSnapshot>;
  /** The table, or 404: ids and titles of other projects answer like ids never issued. */
  table(scope: AccessScope, nameOrId: string): Promise<TableSchema>;
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

/** Views, and which columns, sorts and filters they have. An unknown id is 404; a locked view refuses changes with 400. @public */
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

/** Which rows and columns of a table, before paging. @public */
export interface RowQuery {
  /** The text grammar of the v1 API: `(Title,like,%a%)~and(Count,gt,5)`. What does not parse is 400, never "all rows". */
  readonly where?: string;
  /** Joined to `where` by AND. */
  readonly filters?: readonly FilterNode[];
  /** Titles, `-` for descending: replaces the view's sorts. */
  readonly sort?: readonly string[];
  readonly sortKeys?: readonly SortKey[];
  /** Titles; the exact set. */
  readonly fields?: readonly string[];
  /** Applies the view's filters, sorts and visible columns. */
  readonly viewId?: string;
  /**
   * Leaves out the view's saved filters whose comparison belongs to a plugin that is off, which otherwise refuse the question
   * (409 `FILTER_OPERATOR_DISABLED`). For members alone: visitors never see more than the view's owner meant.
   */
  readonly skipDisabledFilters?: boolean;
  /** In random order, in place of every sort. */
  readonly shuffle?: boolean;
}

/** Which part of the rows. @public */
export interface PageRequest {
  /** Rows at the most. */
  readonly limit: number;
  /** Rows to pass over. */
  readonly offset: number;
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
 * The one way to rows: every read compiles through the query compiler, every write makes change records.
 *
 * All methods refuse what the scope does not allow. Values in and out are wire values; rows are keyed by column title.
 * @public
 */
export interface RowStore {
  list(
    scope: AccessScope,
    tableId: string,
    query: RowQuery,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<readonly Row[]>;
  /** Cancelled after 10 s with 504 `COUNT_TIMEOUT`. */
  count(scope: AccessScope, tableId: string, query: RowQuery, signal?: AbortSignal): Promise<number>;
  /** Undefined when no row that the scope may see has the key. */
  read(
    scope: AccessScope,
    tableId: string,
    key: RowKey,
    query?: Pick<RowQuery, 'fields' | 'viewId'>,
  ): Promise<Row | undefined>;
  exists(scope: AccessScope, tableId: string, key: RowKey): Promise<boolean>;
  /** The first row of the question, or undefined. */
  findOne(scope: AccessScope, tableId: string, query: RowQuery): Promise<Row | undefined>;
  /** How many rows each value of a column has: rows of the column's title and `count`. */
  groupBy(
    scope: AccessScope,
    tableId: string,
    columnName: string,
    query: RowQuery,
    page: PageRequest,
  ): Promise<{ readonly list: readonly Row[]; readonly totalRows: number }>;
  /** Pages of one snapshot, as long as the consumer keeps asking. */
  stream(
    scope: AccessScope,
    tableId: string,
    query: RowQuery,
    signal?: AbortSignal,
  ): AsyncIterable<readonly Row[]>;
  /** The text that names a row of this table. */
  keyOf(table: TableSchema, row: Row): RowKey | undefined;

  create(
    scope: AccessScope,
    tableId: string,
    values: RowInput,
    query?: Pick<RowQuery, 'viewId'>,
  ): Promise<WriteAnswer<Row>>;
  /** Undefined when no row has the key. */
  update(
    scope: AccessScope,
    tableId: string,
    key: RowKey,
    values: RowInput,
  ): Promise<WriteAnswer<Row | undefined>>;
  /** Gives 1, or 0 when no row has the key. */
  delete(scope: AccessScope, tableId: string, key: RowKey): Promise<WriteAnswer<number>>;
  /** One transaction; gives the inserted keys by column name. */
  createMany(
    scope: AccessScope,
    tableId: string,
    rows: readonly RowInput[],
  ): Promise<WriteAnswer<readonly Row[]>>;
  /** Each row holds its key and the changes; rows without a key are skipped. Gives 1 or 0 per row. */
  updateMany(
    scope: AccessScope,
    tableId: string,
    rows: readonly RowInput[],
  ): Promise<WriteAnswer<readonly number[]>>;
  deleteMany(
    scope: AccessScope,
    tableId: string,
    rows: readonly RowInput[],
  ): Promise<WriteAnswer<readonly number[]>>;
  /** The same values into every row of the question; gives how many changed. */
  updateAll(
    scope: AccessScope,
    tableId: string,
    query: RowQuery,
    values: RowInput,
  ): Promise<WriteAnswer<number>>;
  /** Deletes every row of the question; gives how many there were. */
  deleteAll(scope: AccessScope, tableId: string, query: RowQuery): Promise<WriteAnswer<number>>;
  /** Takes an operation back where the rows still are as it left them; refuses with 409 `UNDO_CONFLICT` where they are not. */
  undo(scope: AccessScope, operationId: string): Promise<WriteAnswer<number>>;
}
