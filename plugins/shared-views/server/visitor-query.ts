import type { PageRequest, RowQuery } from '@trellis/sdk/server';
import {
  readFilterNodes,
  readGroupKeys,
  readSortKeys,
  type AggregationOf,
  type FilterNode,
  type GroupKey,
  type SortKey,
} from '@trellis/sdk/shared';
import { linkErrors } from './link-errors.ts';
import type { Visit } from './visits.ts';

type Query = Readonly<Record<string, unknown>>;

const known = ['where', 'sort', 'fields', 'limit', 'offset', 'count', 'raw'] as const;
/** Only for the rows of the view, whose columns their ids name. */
const byIds = ['filterArrJson', 'sortArrJson', 'groupArrJson'] as const;
const figures = 'aggregations';
/** Aggregations ignore the paging. */
const ofFigures = ['where', 'sort', ...byIds, figures] as const;
const ofRows = [...known, ...byIds] as const;
type Name = (typeof known)[number] | (typeof byIds)[number] | typeof figures;

const usualLimit = 25;
/** The most rows of one answer for a visitor. */
export const largestLimit = 1000;
/** As many as a wide grid has columns. */
const mostFigures = 100;

function text(query: Query, name: Name): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: name });
}

function list(query: Query, name: Name): readonly string[] | undefined {
  const value = text(query, name);
  return value === undefined || value === '' || value === '*' ? undefined : value.split(',');
}

function whole(query: Query, name: Name, usual: number): number {
  const value = text(query, name);
  if (value === undefined || value === '') return usual;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0)
    throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: name });
  return number;
}

function jsonList(query: Query, name: Name): readonly unknown[] {
  const value = text(query, name);
  if (value === undefined || value === '') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Reported below: invalid JSON and JSON that is no list are the same error.
  }
  throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: name });
}

function filtersOf(query: Query): readonly FilterNode[] | undefined {
  const parameter = 'filterArrJson';
  const refuse = () => linkErrors.create('SHARED_VIEW_VALUE', { parameter });
  const filters = readFilterNodes(jsonList(query, parameter), refuse);
  return filters.length > 0 ? filters : undefined;
}

function sortKeysOf(query: Query): readonly SortKey[] {
  const parameter = 'sortArrJson';
  const refuse = () => linkErrors.create('SHARED_VIEW_VALUE', { parameter });
  return readSortKeys(jsonList(query, parameter), refuse);
}

function groupKeysOf(query: Query): readonly GroupKey[] {
  const parameter = 'groupArrJson';
  const refuse = () => linkErrors.create('SHARED_VIEW_VALUE', { parameter });
  return readGroupKeys(jsonList(query, parameter), refuse);
}

/** Parses a visitor's query; an unknown parameter is refused, since ignoring it would change the answer. */
function readVisitorQuery(query: Query, names: readonly Name[]): RowQuery {
  const stranger = Object.keys(query).find((name) => !names.includes(name as Name));
  if (stranger !== undefined)
    throw linkErrors.create('SHARED_VIEW_PARAMETER', { known: names.join(', '), parameter: stranger });
  return { where: text(query, 'where'), sort: list(query, 'sort'), fields: list(query, 'fields') };
}

/** The same for the linked rows of a row of the view: a condition only if the link allows searches. */
export function readLinkedQuery(visit: Visit, query: Query): RowQuery {
  const asked = readVisitorQuery(query, known);
  if (hasText(asked.where)) requireSearch(visit);
  return asked;
}

const hasText = (where: unknown): boolean => where !== undefined && where !== '';

function requireSearch({ link }: Visit): void {
  if (link.meta.allowSearch === false) throw linkErrors.create('SHARED_VIEW_SEARCH');
}

/**
 * The same for the rows of the view: a condition only if the link allows searches, by default the view's own order, and only
 * columns that the visitor sees, since an order by a hidden one would reveal its values.
 */
export function readViewQuery(visit: Visit, query: Query, names: readonly Name[] = ofRows): RowQuery {
  const { view, handle } = visit;
  const filters = filtersOf(query);
  const groups = groupKeysOf(query);
  const asked = {
    ...readVisitorQuery(query, names),
    filters,
    ...(groups.length > 0 && { groups }),
  };
  if (hasText(asked.where) || (filters !== undefined && !isOfView(visit, filters))) requireSearch(visit);
  if (asked.sort !== undefined) return asked;
  const wanted = sortKeysOf(query);
  if (wanted.length > 0) return { ...asked, sortKeys: wanted };
  const readable = handle.scope.readableColumns(handle.table.id);
  const sortKeys = view.sorts.flatMap(({ columnId, direction }): readonly SortKey[] =>
    readable === 'all' || readable.has(columnId) ? [{ columnId, direction }] : [],
  );
  return { ...asked, sortKeys };
}

/** The same for the rows that a new row may be linked to, which can be searched if the link allows searches. */
export function readCandidateQuery({ link }: Visit, query: Query): RowQuery {
  const asked = readVisitorQuery(query, [...known, 'filterArrJson']);
  const filters = filtersOf(query);
  const searches = (asked.where !== undefined && asked.where !== '') || filters !== undefined;
  if (searches && link.meta.allowSearch === false) throw linkErrors.create('SHARED_VIEW_SEARCH');
  return { ...asked, filters };
}

/** Whether filters only select a part of the view, such as a stack of a kanban: the view cannot be drawn without them. */
function isOfView({ type, view }: Pick<Visit, 'type' | 'view'>, filters: readonly FilterNode[]): boolean {
  const columns = type.sharing?.readsBy?.(view.meta ?? {}) ?? [];
  return filters.every((filter) =>
    filter.kind === 'group' ? isOfView({ type, view }, filter.children) : columns.includes(filter.columnId),
  );
}

/** Aggregations over the rows of the view, for columns by their ids, and the query for the rows. */
export function readFigures(
  visit: Visit,
  query: Query,
): { readonly query: RowQuery; readonly wanted: readonly AggregationOf[] } {
  return { query: readViewQuery(visit, query, ofFigures), wanted: readWanted(query) };
}

function readWanted(query: Query): readonly AggregationOf[] {
  const wanted = jsonList(query, figures);
  if (wanted.length > mostFigures) throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: figures });
  return wanted.map((of) => {
    const { column, aggregation } = (of ?? {}) as {
      readonly column?: unknown;
      readonly aggregation?: unknown;
    };
    if (typeof column !== 'string' || typeof aggregation !== 'string')
      throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: figures });
    return { columnId: column, aggregation };
  });
}

export function readVisitorPage(query: Query): PageRequest {
  const limit = Math.min(Math.max(whole(query, 'limit', usualLimit), 1), largestLimit);
  const offset = whole(query, 'offset', 0);
  return { limit, offset };
}
