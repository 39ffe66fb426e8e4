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

/** The rows and columns of a table to read, before paging. @public */
export interface RowQuery {
  /**
   * The text grammar of the v1 API: `(Title,like,%a%)~and(Count,gt,5)`. A text that does not parse, also one of blanks only, is a
   * 400 and never means "all rows"; the empty text is no condition.
   */
  readonly where?: string;
  /** Joined to `where` by AND. */
  readonly filters?: readonly FilterNode[];
  /** Titles, with `-` for descending; replaces the view's sorts. */
  readonly sort?: readonly string[];
  readonly sortKeys?: readonly SortKey[];
  /** Titles; the exact set. */
  readonly fields?: readonly string[];
  /**
   * Ids of columns that are returned in addition to those of the view, unless `fields` is set. Columns that the caller may not
   * see are left out: pages use it for columns that they draw rows by, and draw less without them.
   */
  readonly also?: readonly string[];
  /**
   * Leaves out the view's saved filters that cannot be used and would otherwise refuse the query: filters whose comparison
   * belongs to a plugin that is off (409 `FILTER_OPERATOR_DISABLED`), or whose value does not fit their column (409
   * `FILTER_UNFIT`). Only for members: visitors must never see more than the view's owner meant.
   */
  readonly skipDisabledFilters?: boolean;
  /** Groups rows with the same values in these columns, at most three; grouping comes before every sort. */
  readonly groups?: readonly GroupKey[];
  /** Random order, instead of all sorts. */
  readonly shuffle?: boolean;
  /** The contents of cells made from linked rows, by the title of the link's column. */
  readonly nested?: Readonly<Record<string, NestedQuery>>;
}

/** The linked rows in a cell, and their columns. Columns made of these rows' values follow it. @public */
export interface NestedQuery {
  /** Titles of the linked table, or `*` for all except links; by default the key and the display column. */
  readonly fields?: readonly string[];
  readonly where?: string;
  readonly sort?: readonly string[];
  /** The most rows of each cell, by default 25; there are fewer only if the cells of a page have more than 10,000 of them. */
  readonly limit?: number;
  readonly offset?: number;
}

/** Linked rows to read together with the rows where the link starts. @public */
export interface LinkedQuery {
  /** A link of the table, see `TableSchema.links`. */
  readonly linkId: string;
  /** Titles of the linked table; by default all visible columns. */
  readonly fields?: readonly string[];
  /** The most linked rows of each row; there are fewer only if the rows of the page have more than 10,000 of them. */
  readonly perRow: number;
}

/** A row with its linked rows, by the link's id. @public */
export interface NestedRow {
  readonly row: Row;
  readonly linked: ReadonlyMap<string, readonly Row[]>;
}

/** The rows with one value in a column. @public */
export interface RowGroup {
  readonly value: CellValue;
  /** The number of all rows of the group; `rows` contains the first ones. */
  readonly count: number;
  readonly rows: readonly Row[];
}

/** A group of rows without the rows: their number and figures. @public */
export interface GroupFigures {
  /**
   * The values that the rows share in the first columns of `RowQuery.groups`, as many as the level has. Texts are cut to 1,000
   * characters.
   */
  readonly values: readonly CellValue[];
  readonly count: number;
  /** One for each requested aggregation. */
  readonly figures: readonly CellValue[];
}

/** Reads of rows in groups, and of rows with their linked rows. @public */
export interface LinkedReads {
  /**
   * The first rows of each group of rows with the same value in the column `by` (its title), in the order of the values, empty
   * ones first; within a group in the order of the query. One statement; at most `limit` rows, or 10,000 if it is left out or
   * larger. Every group gets its first row before any gets a second one.
   *
   * @throws TrellisError 409 `TOO_MANY_GROUPS` when there are more groups than that.
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
   * @throws TrellisError 409 `LINK_MISSING` for a link that the table does not have, or that leads to a table the caller may not
   * see.
   */
  nested(
    handle: TableHandle,
    query: RowQuery,
    page: PageRead,
    links: readonly LinkedQuery[],
  ): Promise<readonly NestedRow[]>;
  /**
   * A page of the rows that one row is linked to or, with `others`, of those that it is not linked to yet. Default for `fields`:
   * all visible columns except links.
   *
   * @throws TrellisError 404 when the caller cannot see the row, 409 `LINK_MISSING` as above.
   */
  linked(
    handle: TableHandle,
    of: { readonly key: RowKey; readonly linkId: string; readonly others?: boolean },
    query: RowQuery,
    page: PageRead,
  ): Promise<RowPage>;
}

/** The page of rows to read. @public */
export interface PageRequest {
  /** The most rows. */
  readonly limit: number;
  /** The number of rows to skip. */
  readonly offset: number;
}

/** The page of rows to read, and a signal that aborts the read. @public */
export interface PageRead extends PageRequest {
  readonly signal?: AbortSignal;
}

/** A page of rows, and the number of rows on all pages. @public */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly totalRows: number;
}

/** A page of rows as JSON, for an answer that contains them unchanged. @public */
export interface JsonPage {
  /** A JSON array of the rows, in UTF-8. */
  readonly rows: Uint8Array;
  /** Undefined when it was not asked for. */
  readonly totalRows: number | undefined;
}

/** The rows of a query in batches, from one snapshot of the database, as long as the consumer keeps asking. @public */
export interface RowStream {
  /** The columns that each row holds, in order. */
  readonly columns: readonly ColumnSchema[];
  readonly batches: AsyncIterable<readonly Row[]>;
}

/** The rows of several tables at one moment. It holds connections, so it must be closed. @public */
export interface RowSnapshot {
  /**
   * As `RowReads.stream`; the stream before must have ended. Cells of links show the linked rows as they are when they are read.
   * 503 `DATABASE_BUSY` if a change of the schema made the snapshot unreadable: a new snapshot sees all rows.
   */
  stream(handle: TableHandle, query: RowQuery): Promise<RowStream>;
  /** Does not reject. */
  close(): Promise<void>;
}

/** The rows that one call deleted. @public */
export interface RowDeletion {
  readonly operationId: string;
  readonly table: TableSchema;
  /** The number of rows of the table. */
  readonly count: number;
  /** Display values of some of them; empty if the scope may not read these. */
  readonly names: readonly CellValue[];
  readonly actor: { readonly id: string; readonly email: string };
  /** UTC, milliseconds since 1970. */
  readonly at: number;
}

/**
 * Reads of rows. Each uses the query compiler, and only returns rows and columns that the handle's scope may see.
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
  /** A page, with the total number of rows of the query. The query is resolved and compiled once for both. */
  page(handle: TableHandle, query: RowQuery, page: PageRequest, signal?: AbortSignal): Promise<RowPage>;
  /**
   * The result of `list` or `page` as JSON: most pages are written by the thread that reads them, which avoids objects. The order
   * of a row's columns may differ.
   */
  pageJson(
    handle: TableHandle,
    query: RowQuery,
    page: PageRequest,
    options: { readonly count: boolean; readonly signal?: AbortSignal },
  ): Promise<JsonPage>;
  /** Cancelled after 10 s with 504 `COUNT_TIMEOUT`. */
  count(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<number>;
  /** Undefined when the scope sees no row with the key. The filters of the handle's view do not hide a row that is read by its key. */
  read(
    handle: TableHandle,
    key: RowKey,
    query?: Pick<RowQuery, 'fields' | 'nested'>,
  ): Promise<Row | undefined>;
  /**
   * Whether the caller sees the row and it meets a condition from `conditionOf`. Values computed for the condition only use
   * columns that the caller may read, as cells of an answer do.
   */
  exists(handle: TableHandle, key: RowKey, condition?: Predicate): Promise<boolean>;
  /** The first row of the query, or undefined. */
  findOne(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<Row | undefined>;
  /** The number of rows for each value of a column: rows of the column's name and `count`. */
  groupBy(
    handle: TableHandle,
    columnName: string,
    query: RowQuery,
    page: PageRead,
  ): Promise<{ readonly list: readonly Row[]; readonly totalRows: number }>;
  /**
   * Figures over all rows of the query, in the requested order. Null for one whose plugin is off, or that does not fit its
   * column. Throws 400 for a column that the scope may not read.
   */
  aggregate(
    handle: TableHandle,
    query: RowQuery,
    wanted: readonly AggregationOf[],
    signal?: AbortSignal,
  ): Promise<readonly CellValue[]>;
  /**
   * The groups of a query by its `groups`, level by level: first those by the first column alone, last those by all of them, each
   * level in the order of their rows in `list`. Throws 409 `TOO_MANY_GROUPS` for more than 5,000 groups on the last level.
   */
  groupFigures(
    handle: TableHandle,
    query: RowQuery,
    wanted: readonly AggregationOf[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly GroupFigures[])[]>;
  /**
   * The changes of a row, the newest first, as far back as the change log is kept; also for a deleted row. Values are limited to
   * columns that the scope may read. At most 500 entries; `before` is the `seq` of the last one of the page before. Writes to
   * more than 10,000 rows at once name no rows, and are not included.
   *
   * With `withLinks`, also changes made by foreign keys of other rows: their cells are those of link columns, with the rows that
   * were linked before and after. `…` follows the first 25 rows, and is alone if a write to more than 10,000 rows names none.
   * Entries with the same number are on one page, which may therefore be longer.
   *
   * To read the history of many rows one after another, pass the same object as `reader` each time: what was read from the log
   * for one of them is used for the others within two seconds.
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
   * Calls that deleted rows which are still gone, the newest first; `RowWrites.undo` restores them. Only of tables of which the
   * scope may see every row; at most 100.
   */
  deletions(scope: AccessScope, page: { readonly limit: number }): Promise<readonly RowDeletion[]>;
  /** All rows of the query. Rejects before the first row is read if the query is invalid. */
  stream(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<RowStream>;
  /**
   * Reads several tables: all tables of a database as they were when the first of them was streamed. A SQL Server without row
   * versions has no such snapshot, and each of its tables is read as it is then. Lasts an hour at most; if a database already has
   * its maximum of snapshots, callers wait for a turn.
   */
  snapshot(signal?: AbortSignal): RowSnapshot;
  /**
   * The condition of the saved filters of the handle's view, in the form of `Narrowing.rows`; undefined if they filter nothing.
   * It can limit a caller to the rows of a view in all calls.
   *
   * @param asked other filters to use instead, and the reader: a filter may mean something else for each person
   * @throws TrellisError 409 `FILTER_OPERATOR_DISABLED` or `FILTER_UNFIT` for a saved filter that cannot be used; for other
   * filters a 400 that names the column.
   */
  conditionOf(
    handle: TableHandle,
    asked?: { readonly filters: readonly FilterNode[]; readonly reader: Principal },
  ): Promise<Predicate | undefined>;
  /** The text that names a row of this table. */
  keyOf(table: TableSchema, row: Row): RowKey | undefined;
}
