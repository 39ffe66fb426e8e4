import type { RegistryView } from '@trellis/core';
import type { ColumnSchema, RowQuery, TableHandle, TableSchema, ViewSchema } from '@trellis/sdk/server';
import { combinePredicates, type FilterOperator, type Predicate } from '@trellis/sdk/shared';
import { columnOfValues, holdsList } from '../query/computed-columns.ts';
import {
  columnById,
  columnByTitle,
  predicateOfFilters,
  predicateOfSavedFilters,
  withoutUnusable,
  predicateOfWhere,
  queryScope,
  type QueryScope,
} from '../query/build-predicate.ts';
import { bandOf } from '../query/bands.ts';
import { defaultOrder } from '../query/default-order.ts';
import type { GroupBy } from '../query/figures.ts';
import { queryErrors } from '../query/query-errors.ts';
import type { OrderBy } from '../query/order.ts';
import type { CompiledQuery } from '../query/select.ts';
import type { OpenTable } from './open-table.ts';
import type { AskedColumns } from './shown-columns.ts';

/** The most columns of a query's sort order. */
const mostSorts = 20;
/** The most columns of a query's grouping. */
const mostGroups = 3;

/** A query of the data API in the compiler's form, and the columns of its answer. */
export interface ResolvedQuery {
  readonly compiled: CompiledQuery;
  /** The first terms of the order: rows with equal values in them form a group. */
  readonly groups: readonly GroupBy[];
  readonly columns: readonly ColumnSchema[];
  /** Whether neither the query nor the view has a condition, so that every row that the caller may see matches. */
  readonly asksNothing: boolean;
  /** The queries for cells that show linked rows. */
  readonly nested: RowQuery['nested'];
}

/** Prepares a query against an open table for compilation. */
export type Resolve = (open: OpenTable, query: RowQuery) => ResolvedQuery;

export function createResolve(deps: { readonly filterOperators: RegistryView<FilterOperator> }): Resolve {
  return (open, query) => resolveQuery(open.handle, open, query, deps.filterOperators);
}

/** Resolves a query against a table and its handle's view, within what the caller may see. */
function resolveQuery(
  handle: TableHandle,
  { context, plan }: Pick<OpenTable, 'context' | 'plan'>,
  query: RowQuery,
  operators: RegistryView<FilterOperator>,
): ResolvedQuery {
  const { scope, view } = handle;
  const of = queryScope(scope, context, operators);
  const groups = groupOrder(of, query);
  const order = query.shuffle === true ? 'random' : orderOf(of, query, { view, groups });
  const asked = askedConditions(handle, of, query);
  const rule = scope.rowPredicate(context.table.id);
  const predicate = asked.length === 0 ? undefined : combinePredicates('and', asked);
  return {
    compiled: { ...context, rule, predicate, order },
    groups,
    columns: plan.shown.of(of, query, view),
    asksNothing: asked.every(isEmptyCondition),
    nested: query.nested,
  };
}

/** The columns of an answer that shows nothing else: see `ShownColumns`. */
export function shownColumns(
  { handle, context, plan }: Pick<OpenTable, 'handle' | 'context' | 'plan'>,
  asked: AskedColumns,
  operators: RegistryView<FilterOperator>,
): readonly ColumnSchema[] {
  return plan.shown.of(queryScope(handle.scope, context, operators), asked, handle.view);
}

/** Whether a condition excludes no row that has a value, such as the condition of an empty search box. */
function isEmptyCondition(condition: Predicate): boolean {
  if (condition.kind === 'always') return condition.value;
  if (condition.kind === 'like') return !/[^%]/.test(condition.pattern);
  if (condition.kind === 'and') return condition.items.every(isEmptyCondition);
  return condition.kind === 'or' && condition.items.some(isEmptyCondition);
}

/** The conditions of the view and of the query, all of which must hold. */
function askedConditions(
  { scope, view }: TableHandle,
  of: QueryScope,
  query: RowQuery,
): readonly Predicate[] {
  const parts: (Predicate | undefined)[] = [];
  // The owner's own filters may name columns that the caller does not see.
  if (view && view.filters.length > 0) {
    const isMember = scope.principal.kind === 'user' || scope.principal.kind === 'token';
    const filters =
      query.skipDisabledFilters === true && isMember ? withoutUnusable(of, view.filters) : view.filters;
    parts.push(predicateOfSavedFilters({ ...of, visible: 'all' }, filters));
  }
  if (query.where !== undefined && query.where !== '') parts.push(predicateOfWhere(of, query.where));
  if (query.filters !== undefined) parts.push(predicateOfFilters(of, query.filters));
  return parts.filter((part) => part !== undefined);
}

function orderOf(
  of: QueryScope,
  query: RowQuery,
  { view, groups }: { readonly view: ViewSchema | undefined; readonly groups: readonly OrderBy[] },
): readonly OrderBy[] {
  const asked =
    askedOrder(of, query) ?? view?.sorts.map(({ columnId, direction }) => ({ columnId, direction }));
  const chosen = (asked ?? []).flatMap((key): readonly OrderBy[] => {
    const column = 'column' in key ? key.column : of.context.table.columnById.get(key.columnId);
    return column === undefined || columnOfValues(of.context.reach, column) === undefined
      ? []
      : [{ column, direction: key.direction }];
  });
  const order = eachOnce(chosen);
  if (order.length > mostSorts) throw queryErrors.create('SORTS_TOO_MANY', { limit: mostSorts });
  const usual = defaultOrder(of.context.table);
  const within =
    order.length > 0 || usual === undefined ? order : [{ column: usual, direction: 'asc' as const }];
  return withTieBreaker(eachOnce([...groups, ...within]), of.context.table);
}

/** The grouping of rows: rows of one group are adjacent, whatever the sort order within it. */
function groupOrder(of: QueryScope, { groups = [] }: RowQuery): readonly GroupBy[] {
  if (groups.length > mostGroups) throw queryErrors.create('GROUPS_TOO_MANY', { limit: mostGroups });
  return groups.map(({ columnId, direction, bounds }) => {
    const column = ordered(of, columnById(of, columnId, 'group'));
    if (holdsList(of.context.reach, column))
      throw queryErrors.create('COLUMN_OF_SEVERAL', { column: column.title });
    return { column, direction, ...(bounds !== undefined && { band: bandOf(of, column, bounds) }) };
  });
}

/** @throws TrellisError 400 for a column whose cells have no order. */
function ordered({ context }: QueryScope, column: ColumnSchema): ColumnSchema {
  if (context.reach.columnTypes.get(column.type)?.hasOrder === false)
    throw queryErrors.create('COLUMN_WITHOUT_ORDER', { column: column.title });
  return column;
}

/** A repeated sort column changes nothing, but would be compared again. */
function eachOnce(order: readonly OrderBy[]): readonly OrderBy[] {
  return order.filter(({ column }, index) => order.findIndex((other) => other.column === column) === index);
}

function askedOrder(of: QueryScope, query: RowQuery): readonly OrderBy[] | undefined {
  if (query.sort !== undefined && query.sort.length > 0) {
    return query.sort
      .map((token) => token.trim())
      .filter((token) => token !== '')
      .map((token) => {
        const direction = token.startsWith('-') ? 'desc' : 'asc';
        return { column: ordered(of, columnByTitle(of, token.replace(/^[+-]/, ''), 'sort')), direction };
      });
  }
  return query.sortKeys?.map(({ columnId, direction }) => ({
    column: ordered(of, columnById(of, columnId, 'sort')),
    direction,
  }));
}

/** Pages would overlap if rows are equal in every sort column; the primary key makes the order total. */
function withTieBreaker(order: readonly OrderBy[], table: TableSchema): readonly OrderBy[] {
  const named = new Set(order.map(({ column }) => column.id));
  const rest = table.primaryKey.filter((column) => !named.has(column.id));
  return [...order, ...rest.map((column) => ({ column, direction: 'asc' as const }))];
}
