import {
  toFilterEntity,
  type AccessScope,
  type FilterInput,
  type FilterSchema,
  type ViewStore,
} from '@trellis/sdk/server';
import { nestsDeeperThan } from '@trellis/sdk/shared';
import { assertFits, type FilterContent } from '../../query/build-predicate.ts';
import { deepestValue, findOperator } from '../../query/find-operator.ts';
import { models } from '../../metadata/models/models.ts';
import { filterTree } from '../snapshot/load-snapshot.ts';
import { depthOf, filterRows, findFilter, idsIn, isSameTree } from './filter-tree.ts';
import {
  assertColumn,
  assertConfigurable,
  expectItem,
  nextOrder,
  parkedColumns,
  type Found,
  type ViewAccess,
} from './view-access.ts';
import { viewErrors } from './view-errors.ts';

type FilterMethods = Pick<ViewStore, 'createFilter' | 'updateFilter' | 'deleteFilter' | 'setFilters'>;

/** The most characters of JSON in the value of one filter. */
const longestValue = 20_000;

/** The meaning of a filter once it is stored. */
function contentOf(input: FilterInput): FilterContent {
  const { columnId, operator = 'eq', value, logicalOp = 'and', children } = input;
  return {
    isGroup: input.isGroup === true || children !== undefined,
    logicalOp,
    columnId,
    operator,
    value,
    children: (children ?? []).map(contentOf),
  };
}

function patched(filter: FilterSchema, { columnId, operator, value }: Partial<FilterInput>): FilterContent {
  return {
    ...filter,
    columnId: columnId ?? filter.columnId,
    operator: operator ?? filter.operator,
    value: value === undefined ? filter.value : value,
  };
}

/** Whether a patch changes the meaning of a filter. Moving a filter must work even if its value no longer fits. */
function changesMeaning({ columnId, operator, value }: Partial<FilterInput>): boolean {
  return columnId !== undefined || operator !== undefined || value !== undefined;
}

/** The filters of views. */
export function filterMethods({ deps, find, findView, reread, change }: ViewAccess): FilterMethods {
  /** Refuses unknown comparisons, and values that no comparison can read, also in the filters of a group. */
  function assertUsable({ operator, value, children = [] }: Partial<FilterInput>): void {
    if (operator !== undefined && findOperator(deps.filterOperators, operator) === undefined)
      throw viewErrors.create('FILTER_OPERATOR_UNKNOWN', { operator });
    if (nestsDeeperThan(value, deepestValue))
      throw viewErrors.create('FILTER_VALUE_DEPTH', { limit: deepestValue });
    if (value !== undefined && JSON.stringify(value).length > longestValue)
      throw viewErrors.create('FILTER_VALUE_LONG', { limit: longestValue });
    for (const child of children) assertUsable(child);
  }

  /** Refuses values that do not fit their columns, which would make the view unreadable. */
  async function assertFitting(scope: AccessScope, { table }: Found, content: FilterContent): Promise<void> {
    const snapshot = await deps.schema.snapshot(scope);
    const base = snapshot.bases.get(table.baseId);
    if (base === undefined) return;
    const { columnTypes, functions, filterOperators: operators } = deps;
    const { dialect } = await deps.databases.of(base);
    const context = { table, dialect, reach: { snapshot, columnTypes, functions } };
    assertFits({ context, visible: 'all', operators, reader: scope.principal }, content);
  }

  async function ofFilter(
    scope: AccessScope,
    filterId: string,
  ): Promise<Found & { readonly filter: FilterSchema }> {
    const found = await find(scope, (view) => findFilter(view.filters, filterId) !== undefined);
    const filter = found && findFilter(found.view.filters, filterId);
    if (found === undefined || filter === undefined) throw viewErrors.create('FILTER_NOT_FOUND');
    return { ...found, filter };
  }

  return {
    async createFilter(scope, viewId, input) {
      scope.require('filterCreate');
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      assertUsable(input);
      const parent =
        input.parentId === undefined ? undefined : findFilter(found.view.filters, input.parentId);
      if (input.parentId !== undefined && parent?.isGroup !== true) throw viewErrors.create('FILTER_PARENT');
      const siblings = parent?.children ?? found.view.filters;
      const rows = filterRows(input, {
        table: found.table,
        viewId,
        parentId: parent?.id ?? null,
        order: nextOrder(siblings),
        depth: parent ? depthOf(found.view.filters, parent.id) + 1 : 1,
      });
      await assertFitting(scope, found, contentOf(input));
      const { FilterModel } = await models();
      await change(scope, found, (unit, stamps) =>
        FilterModel.insertMany(
          unit,
          rows.map((row) => ({ ...row, ...stamps })),
        ),
      );
      return expectItem(findFilter((await reread(scope, viewId)).filters, rows[0]?.id ?? ''));
    },

    async updateFilter(scope, filterId, patch) {
      scope.require('filterUpdate');
      const found = await ofFilter(scope, filterId);
      assertConfigurable(scope, found.view);
      assertUsable(patch);
      if (patch.columnId !== undefined) assertColumn(found.table, patch.columnId);
      if (changesMeaning(patch)) await assertFitting(scope, found, patched(found.filter, patch));
      const { FilterModel } = await models();
      await change(scope, found, async (unit, { updated_at }) =>
        FilterModel.query(unit.knex).findById(filterId).patch({
          column_id: patch.columnId,
          operator: patch.operator,
          logical_op: patch.logicalOp,
          value: patch.value,
          sort_order: patch.order,
          updated_at,
        }),
      );
      return expectItem(findFilter((await reread(scope, found.view.id)).filters, filterId));
    },

    async deleteFilter(scope, filterId) {
      scope.require('filterDelete');
      const found = await ofFilter(scope, filterId);
      assertConfigurable(scope, found.view);
      const { FilterModel } = await models();
      await change(scope, found, async (unit) =>
        FilterModel.query(unit.knex)
          .whereIn('id', [...idsIn(found.filter)])
          .delete(),
      );
    },

    async setFilters(scope, viewId, filters, replaces) {
      for (const permission of ['filterCreate', 'filterUpdate', 'filterDelete'] as const)
        scope.require(permission);
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      for (const filter of filters) assertUsable(filter);
      for (const filter of filters) await assertFitting(scope, found, contentOf(filter));
      const before = found.view.filters.flatMap(idsIn);
      const keeps = new Set(before);
      const rows = filters.flatMap((filter, index) =>
        filterRows(filter, {
          table: found.table,
          viewId,
          parentId: null,
          order: index + 1,
          depth: 1,
          keeps,
        }),
      );
      const { FilterModel, toFilter } = await models();
      await change(scope, found, async (unit, stamps) => {
        if (replaces !== undefined) {
          const columns = new Set(found.table.columnById.keys());
          const standing = filterTree(
            await FilterModel.query(unit.knex).where({ view_id: viewId }),
            columns,
            toFilter,
          );
          if (!isSameTree(replaces, standing)) {
            const list = standing.map((filter) => toFilterEntity(filter, found.table));
            throw viewErrors.create('FILTERS_CHANGED', { list });
          }
        }
        const parked = await parkedColumns(unit, found.table);
        await FilterModel.query(unit.knex)
          .where({ view_id: viewId })
          .where((filter) => {
            void filter.whereIn('id', before).orWhereNull('column_id').orWhereNotIn('column_id', parked);
          })
          .delete();
        await FilterModel.insertMany(
          unit,
          rows.map((row) => ({ ...row, ...stamps })),
        );
      });
      return (await reread(scope, viewId)).filters;
    },
  };
}
