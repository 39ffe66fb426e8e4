import type { AccessScope, FilterInput, FilterSchema, ViewStore } from '@trellis/sdk/server';
import { nestsDeeperThan } from '@trellis/sdk/shared';
import { deepestValue, findOperator } from '../../query/find-operator.ts';
import { models } from '../../metadata/models/models.ts';
import { depthOf, filterRows, findFilter, idsIn } from './filter-tree.ts';
import {
  assertColumn,
  assertConfigurable,
  expectItem,
  nextOrder,
  type Found,
  type ViewAccess,
} from './view-access.ts';
import { viewErrors } from './view-errors.ts';

type FilterMethods = Pick<ViewStore, 'createFilter' | 'updateFilter' | 'deleteFilter'>;

/** Characters of JSON that the value of one filter may have. */
const longestValue = 20_000;

/** The filters of views. */
export function filterMethods({ deps, find, findView, reread, change }: ViewAccess): FilterMethods {
  /** Refuses comparisons that nobody provides and values that no comparison can read, in the filters of a group too. */
  function assertUsable({ operator, value, children = [] }: Partial<FilterInput>): void {
    if (operator !== undefined && findOperator(deps.filterOperators, operator) === undefined)
      throw viewErrors.create('FILTER_OPERATOR_UNKNOWN', { operator });
    if (nestsDeeperThan(value, deepestValue))
      throw viewErrors.create('FILTER_VALUE_DEPTH', { limit: deepestValue });
    if (value !== undefined && JSON.stringify(value).length > longestValue)
      throw viewErrors.create('FILTER_VALUE_LONG', { limit: longestValue });
    for (const child of children) assertUsable(child);
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
  };
}
