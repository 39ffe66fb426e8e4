import type {
  AggregationOf,
  CellValue,
  FilterNode,
  Predicate,
  Row,
  RowKey,
  GroupKey,
  SortKey,
} from '../shared/index.ts';
import type { RowHistoryEntry } from './changes.ts';
import type { AccessScope, Principal } from './access.ts';
import type { ColumnSchema, TableSchema } from './schema.ts';
import type { TableHandle } from './table-handle.ts';

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
   * Ids of columns that an answer shows beside those of the view, where it does not say `fields`. Those that are not there for the caller
   * are left out: a page asks by them what it draws rows by, and draws less without them.
   */
  readonly also?: readonly string[];
  /**
   * Leaves out the view's saved filters that cannot be used and otherwise refuse the query: whose comparison belongs to a plugin
   * that is off (409 `FILTER_OPERATOR_DISABLED`), or whose value does not suit their column (409 `FILTER_UNFIT`). For members alone: visitors never see more than the view's owner meant.
   */
  readonly skipDisabledFilters?: boolean;
  /** Rows with the same values in these columns, at most three, stand together: they come before every sort. */
  readonly groups?: readonly GroupKey[];
  /** In random order, in place of every sort. */
  readonly shuffle?: boolean;
  /** What cells hold that are made of linked rows, by the title of the link's column. */
  readonly nested?: Readonly<Record<string, NestedQuery>>;
}

/** Which linked rows a cell holds, and what of them. Columns that are made of the values of these rows follow it. @public */
export interface NestedQuery {
  /** Titles of the linked table, or `*` for all but links; without it the key and the column that names a row. */
  readonly fields?: readonly string[];
  readonly where?: string;
  readonly sort?: readonly string[];
  /** Rows of each cell at the most, 25 where left out; fewer only where the cells of a page have more than 10,000 of them. */
  readonly limit?: number;
  readonly offset?: number;
}

/** Rows that a link leads to, asked for together with the rows that it starts at. @public */
export interface LinkedQuery {
  /** A link of the table, see `TableSchema.links`. */
  readonly linkId: string;
  /** Titles of the linked table; all that may be seen where left out. */
  readonly fields?: readonly string[];
  /** Linked rows of each row at the most; fewer only where the rows of the page have more than 10,000 of them. */
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

/** A group of rows without the rows: how many they are and what is made of them. @public */
export interface GroupFigures {
  /** What the rows have in common in each of the first columns of `RowQuery.groups`, as many as the level has. Texts by their first 1,000 characters. */
  readonly values: readonly CellValue[];
  readonly count: number;
  /** One for each aggregation that was asked for. */
  readonly figures: readonly CellValue[];
}

/** Reads of rows in groups, and together with what they are linked to. @public */
export interface LinkedReads {
  /**
   * The first rows of each group of rows with the same value in the column `by` (its title), in the order of the values, empty
   * ones first; within a group in the order of the query. One statement; `limit` rows at the most, 10,000 where it is left out or larger:
   * a group has its first row before any has a second one.
   *
   * @throws TrellisError 409 `TOO_MANY_GROUPS` where there are more groups than that.
   */
  groups(
    handle: TableHandle,
    query: RowQuery,
    options: { readonly by: string; readonly perGroup: number; readonly limit?: number },
    signal?: AbortSignal,
  ): Promise<readonly RowGroup[]>;
  /**
   * A page of rows with their linked rows: one statement for the page and one for each link.
   *
   * @throws TrellisError 409 `LINK_MISSING` for a link that the table does not have or that leads to what the caller may not see.
   */
  nested(
    handle: TableHandle,
    query: RowQuery,
    page: PageRead,
    links: readonly LinkedQuery[],
  ): Promise<readonly NestedRow[]>;
  /**
   * A page of the rows that one row is linked to, or, with `others`, of those that it is not linked to yet. Without `fields`, all that
   * may be seen but links.
   *
   * @throws TrellisError 404 when the row is not there for the caller, 409 `LINK_MISSING` as above.
   */
  linked(
    handle: TableHandle,
    of: { readonly key: RowKey; readonly linkId: string; readonly others?: boolean },
    query: RowQuery,
    page: PageRead,
  ): Promise<RowPage>;
}

/** Which part of the rows. @public */
export interface PageRequest {
  /** Rows at the most. */
  readonly limit: number;
  /** Rows to pass over. */
  readonly offset: number;
}

/** Which part of the rows, and until when somebody waits for it. @public */
export interface PageRead extends PageRequest {
  readonly signal?: AbortSignal;
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

/** The rows of several tables at one moment. It holds connections, so it has to be closed. @public */
export interface RowSnapshot {
  /**
   * As `RowReads.stream`; the one before has ended by then. Cells of links show the linked rows as they are when they are read. 503
   * `DATABASE_BUSY` where a change of the schema made the moment unreadable: a new snapshot sees all.
   */
  stream(handle: TableHandle, query: RowQuery): Promise<RowStream>;
  /** Does not reject. */
  close(): Promise<void>;
}

/** Rows that one call deleted. @public */
export interface RowDeletion {
  readonly operationId: string;
  readonly table: TableSchema;
  /** How many rows of the table. */
  readonly count: number;
  /** By what some of them were named; empty where the scope may not read that. */
  readonly names: readonly CellValue[];
  readonly actor: { readonly id: string; readonly email: string };
  /** UTC, milliseconds since 1970. */
  readonly at: number;
}

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
  read(
    handle: TableHandle,
    key: RowKey,
    query?: Pick<RowQuery, 'fields' | 'nested'>,
  ): Promise<Row | undefined>;
  /**
   * Whether the row is there for the caller, and meets a condition as `conditionOf` makes them: what is computed for it is made of no more
   * than the caller may read, as the cells of an answer are.
   */
  exists(handle: TableHandle, key: RowKey, condition?: Predicate): Promise<boolean>;
  /** The first row of the query, or undefined. */
  findOne(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<Row | undefined>;
  /** How many rows each value of a column has: rows of the column's name and `count`. */
  groupBy(
    handle: TableHandle,
    columnName: string,
    query: RowQuery,
    page: PageRead,
  ): Promise<{ readonly list: readonly Row[]; readonly totalRows: number }>;
  /**
   * Figures over all rows of the query, in the order in which they are asked for. Null for one whose plugin is off or that does not suit
   * its column. Throws 400 for a column that the scope may not read.
   */
  aggregate(
    handle: TableHandle,
    query: RowQuery,
    wanted: readonly AggregationOf[],
    signal?: AbortSignal,
  ): Promise<readonly CellValue[]>;
  /**
   * The groups of a query by its `groups`, level by level: first those by the first column alone, last those by all of them, each in
   * the order in which `list` gives their rows. Throws 409 `TOO_MANY_GROUPS` for more than 5,000 on the last level.
   */
  groupFigures(
    handle: TableHandle,
    query: RowQuery,
    wanted: readonly AggregationOf[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly GroupFigures[])[]>;
  /**
   * What happened to a row, the newest change first, as far back as the change log is kept; also of a row that is gone. Values
   * are of the columns that the scope may read. At most 500 entries; `before` is the `seq` of the last one of the page before.
   * Writes to more than 10,000 rows at once name no rows, and are not among it.
   *
   * With `withLinks` also what other rows did by their foreign keys: changes whose cells are of link columns, with the rows from which the
   * link was taken before and those to which it was made after; `…` stands behind the first 25 of them, and alone where a write to more
   * than 10,000 rows names none. Entries of one number come on one page, which may be longer for them.
   *
   * Whoever reads of many rows one after the other passes one object of its own as `reader`: what was read of the log for one of them is
   * used for the others in the next two seconds.
   */
  history(
    handle: TableHandle,
    key: RowKey,
    page: {
      readonly before?: number;
      readonly limit: number;
      readonly withLinks?: boolean;
      readonly reader?: object;
    },
  ): Promise<readonly RowHistoryEntry[]>;
  /**
   * Calls that deleted rows which are still gone, the newest first: `RowWrites.undo` brings them back. Of tables of which the scope may
   * see every row; at most 100.
   */
  deletions(scope: AccessScope, page: { readonly limit: number }): Promise<readonly RowDeletion[]>;
  /** All rows of the query. Rejects where the query is not understood, before the first row is read. */
  stream(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<RowStream>;
  /**
   * Reads tables that belong together: all of a database as they were when the first of them was streamed. A SQL Server that keeps no
   * former rows has no such moment, and each of its tables comes as it is when it is read. Lasts an hour at the most; whoever asks for
   * more snapshots than a database has at once waits for a turn.
   */
  snapshot(signal?: AbortSignal): RowSnapshot;
  /**
   * What the saved filters of the handle's view ask of a row, as `Narrowing.rows` takes it; undefined where they ask nothing. With it a view
   * becomes the limit of what somebody reaches, whatever else is asked.
   *
   * @param asked other filters in place of those, and who reads: a filter may mean something else for each person
   * @throws TrellisError 409 `FILTER_OPERATOR_DISABLED` or `FILTER_UNFIT` for a saved filter that cannot be used; for others 400 that names
   * the column.
   */
  conditionOf(
    handle: TableHandle,
    asked?: { readonly filters: readonly FilterNode[]; readonly reader: Principal },
  ): Promise<Predicate | undefined>;
  /** The text that names a row of this table. */
  keyOf(table: TableSchema, row: Row): RowKey | undefined;
}
