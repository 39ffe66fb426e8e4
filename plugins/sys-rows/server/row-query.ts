import {
  mayRead,
  type EveryRow,
  type LinkedCell,
  type NestedQuery,
  type PageRequest,
  type RouteRequest,
  type RowPlace,
  type RowQuery,
  type TableHandle,
} from '@trellis/sdk/server';
import {
  deepestFilter,
  readFilterNodes,
  readGroupKeys,
  readSortKeys,
  type AggregationOf,
  type FilterNode,
  type GroupKey,
  type RowKey,
  type SortKey,
} from '@trellis/sdk/shared';
import { rowErrors } from './row-errors.ts';

/** The query parameters of the data calls, with their short names. */
export type DataQuery = Readonly<Record<string, unknown>>;

const defaultLimit = 25;
const maximumLimit = 1000;

/** The first value among several names; an empty text only if all given ones are empty. */
function parameter(query: DataQuery, ...names: readonly string[]): unknown {
  const values = names.map((name) => query[name]).filter((value) => value !== undefined);
  return values.find((value) => value !== '') ?? values[0];
}

function text(query: DataQuery, ...names: readonly string[]): string | undefined {
  const value = parameter(query, ...names);
  if (value === undefined || typeof value === 'string') return value;
  throw rowErrors.create('PARAMETER_NOT_TEXT', { parameter: names[0] });
}

/** `a,b` or repeated parameters. */
function list(query: DataQuery, ...names: readonly string[]): readonly string[] | undefined {
  const value = parameter(query, ...names);
  if (value === undefined || value === '') return undefined;
  const parts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return parts.flatMap((part) => {
    if (typeof part !== 'string') throw rowErrors.create('PARAMETER_NOT_TEXT', { parameter: names[0] });
    return part.split(',');
  });
}

function wholeNumber(query: DataQuery, fallback: number, ...names: readonly string[]): number {
  const value = text(query, ...names);
  if (value === undefined || value === '') return fallback;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw rowErrors.create('PARAMETER_NOT_NUMBER', { parameter: names[0] });
  return number;
}

function jsonList(query: DataQuery, name: string): readonly unknown[] {
  const value = text(query, name);
  if (value === undefined || value === '') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Reported below: invalid JSON and JSON that is no list are the same error.
  }
  throw rowErrors.create('QUERY_NOT_JSON', { parameter: name });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortKeysOf(query: DataQuery): readonly SortKey[] {
  const parameter = 'sortArrJson';
  return readSortKeys(jsonList(query, parameter), () => rowErrors.create('QUERY_NOT_JSON', { parameter }));
}

function groupKeysOf(query: DataQuery): readonly GroupKey[] {
  const parameter = 'groupArrJson';
  return readGroupKeys(jsonList(query, parameter), () => rowErrors.create('QUERY_NOT_JSON', { parameter }));
}

function filtersOf(query: DataQuery): readonly FilterNode[] {
  const parameter = 'filterArrJson';
  return readFilterNodes(jsonList(query, parameter), (why) =>
    why === 'depth'
      ? rowErrors.create('FILTERS_TOO_DEEP', { limit: deepestFilter })
      : rowErrors.create('QUERY_NOT_JSON', { parameter }),
  );
}

/** Parses the query of a client; an invalid one is a 400, never "all rows". */
export function readRowQuery(query: DataQuery): RowQuery {
  const filters = filtersOf(query);
  const sort = list(query, 'sort', 's');
  const sortKeys = sort === undefined ? sortKeysOf(query) : [];
  const groups = groupKeysOf(query);
  const fields = list(query, 'fields', 'f');
  return {
    where: text(query, 'where', 'w'),
    filters: filters.length > 0 ? filters : undefined,
    sort,
    sortKeys: sortKeys.length > 0 ? sortKeys : undefined,
    fields: fields?.includes('*') ? undefined : fields,
    also: list(query, 'also'),
    skipDisabledFilters: text(query, 'skipDisabledFilters') === 'true',
    groups: groups.length > 0 ? groups : undefined,
    shuffle: text(query, 'shuffle', 'r') === '1',
    nested: readNested(query),
  };
}

/**
 * `nested[<title of a link>][fields|where|sort|limit|offset]`, or the same as JSON, since the published client sends objects that
 * way.
 */
function readNested(query: DataQuery): RowQuery['nested'] {
  const nested = nestedOf(query);
  if (nested === undefined) return undefined;
  if (!isObject(nested)) throw rowErrors.create('PARAMETER_NOT_NESTED');
  return Object.fromEntries(
    Object.entries(nested).map(([title, of]): [string, NestedQuery] => {
      if (!isObject(of)) throw rowErrors.create('PARAMETER_NOT_NESTED');
      const wanted: NestedQuery = {
        fields: list(of, 'fields', 'f'),
        where: text(of, 'where', 'w'),
        sort: list(of, 'sort', 's'),
        limit: of.limit === undefined && of.l === undefined ? undefined : readPage(of).limit,
        offset: readPage(of).offset,
      };
      return [title, wanted];
    }),
  );
}

function nestedOf({ nested }: DataQuery): unknown {
  if (typeof nested !== 'string') return nested;
  if (nested === '') return undefined;
  try {
    return JSON.parse(nested, (_, value: unknown) => (typeof value === 'number' ? String(value) : value));
  } catch {
    throw rowErrors.create('PARAMETER_NOT_NESTED');
  }
}

/** `limit` and `offset`, limited to a valid page: 1 to 1000 rows, 25 by default. */
export function readPage(query: DataQuery): PageRequest {
  const limit = wholeNumber(query, defaultLimit, 'limit', 'l');
  const offset = wholeNumber(query, 0, 'offset', 'o');
  return { limit: Math.min(Math.max(limit, 1), maximumLimit), offset: Math.max(offset, 0) };
}

/** The most changes on one page of a row's history. */
const longestHistory = 200;

/** A page of a row's history: `before` is the id of the last event of the previous page. */
export function readHistoryPage(query: DataQuery): { readonly limit: number; readonly before?: number } {
  const limit = wholeNumber(query, 50, 'limit');
  const before = wholeNumber(query, 0, 'before');
  const most = Math.min(Math.max(limit, 1), longestHistory);
  return { limit: most, ...(before > 0 && { before }) };
}

/** One row of a body. */
export function readRow(body: unknown): Readonly<Record<string, unknown>> {
  if (isObject(body)) return body;
  throw rowErrors.create('BODY_NOT_ROW');
}

const maximumRows = 100_000;

/** The rows of a bulk body. */
export function readRows(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(body) || !body.every(isObject)) throw rowErrors.create('BODY_NOT_ROWS');
  if (body.length > maximumRows) throw rowErrors.create('TOO_MANY_ROWS', { limit: maximumRows });
  return body;
}

/** Rows by their keys: `{"rows": ["1", "2"]}`. */
export function readKeys(body: unknown): readonly RowKey[] {
  const rows = isObject(body) ? body.rows : undefined;
  if (!Array.isArray(rows) || !rows.every((key): key is string => typeof key === 'string'))
    throw rowErrors.create('BODY_NOT_KEYS');
  if (rows.length > maximumRows) throw rowErrors.create('TOO_MANY_ROWS', { limit: maximumRows });
  return rows;
}

/** Copies of rows: `[{"of": key, "values": {...}}]`. */
export function readCopies(body: unknown): {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly copyOf: readonly RowKey[];
} {
  if (!Array.isArray(body)) throw rowErrors.create('BODY_NOT_COPIES');
  if (body.length > maximumRows) throw rowErrors.create('TOO_MANY_ROWS', { limit: maximumRows });
  const copies = (body as readonly unknown[]).map((copy) => {
    const { of, values } = isObject(copy) ? copy : {};
    if (typeof of !== 'string' || !isObject(values)) throw rowErrors.create('BODY_NOT_COPIES');
    return { of, values };
  });
  return { rows: copies.map(({ values }) => values), copyOf: copies.map(({ of }) => of) };
}

/** `before` or `after`: the row beside which rows are placed. */
export function readPlace(request: RouteRequest<Record<string, string>, DataQuery>): RowPlace | undefined {
  const { query } = request;
  const [before, after] = [text(query, 'before'), text(query, 'after')];
  if (before !== undefined && after !== undefined) throw rowErrors.create('PLACE_TWICE');
  const row = before ?? after;
  if (row === undefined) return undefined;
  return { side: before === undefined ? 'after' : 'before', row, signal: request.signal };
}

/** Cells of a link column: `[{"row": key, "rows": [keys]}]`, or with a text of titles. */
export function readLinkedCells(body: unknown): readonly LinkedCell[] {
  if (!Array.isArray(body)) throw rowErrors.create('BODY_NOT_LINKS');
  if (body.length > maximumRows) throw rowErrors.create('TOO_MANY_ROWS', { limit: maximumRows });
  return (body as readonly unknown[]).map((cell) => {
    const { row, rows } = isObject(cell) ? cell : {};
    const isList = Array.isArray(rows) && rows.every((key): key is string => typeof key === 'string');
    if (typeof row !== 'string' || !(isList || typeof rows === 'string'))
      throw rowErrors.create('BODY_NOT_LINKS');
    return { key: row, rows };
  });
}

/** The column of `groupby`: by its database name, else by its title. A hidden column counts as unknown. */
export function readGroupColumn(query: DataQuery, { table, scope }: TableHandle): string {
  const name = text(query, 'column_name');
  if (name === undefined || name === '')
    throw rowErrors.create('PARAMETER_MISSING', { parameter: 'column_name' });
  const named = table.columnByTitle.get(name);
  return table.columnByName.has(name) || named === undefined || !mayRead(scope, named)
    ? name
    : named.columnName;
}

/** The most aggregations of one call. */
const mostAggregations = 200;

/** `aggregations`: a JSON list of `{ column, aggregation }`, columns by id or title. Hidden columns count as unknown. */
export function readAggregations(
  query: DataQuery,
  { table, scope }: TableHandle,
): readonly (AggregationOf & { readonly title: string })[] {
  const wanted = jsonList(query, 'aggregations');
  if (wanted.length > mostAggregations)
    throw rowErrors.create('TOO_MANY_AGGREGATIONS', { limit: mostAggregations });
  return wanted.map((of) => {
    if (!isObject(of) || typeof of.column !== 'string' || typeof of.aggregation !== 'string')
      throw rowErrors.create('QUERY_NOT_JSON', { parameter: 'aggregations' });
    const found = table.columnById.get(of.column) ?? table.columnByTitle.get(of.column);
    const column = found && mayRead(scope, found) ? found : undefined;
    return {
      columnId: column?.id ?? of.column,
      title: column?.title ?? of.column,
      aggregation: of.aggregation,
    };
  });
}

/** `confirm=all` for a bulk write without a condition. */
export function readConsent(query: DataQuery): EveryRow {
  return { everyRow: text(query, 'confirm') === 'all' };
}

/** `ignoreWebhook` must be `true` or `false`. */
export function checkIgnoreWebhook(query: DataQuery): void {
  const value = text(query, 'ignoreWebhook');
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw rowErrors.create('IGNORE_WEBHOOK_VALUE');
}
