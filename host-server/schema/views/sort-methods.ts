import { toSortEntity, type AccessScope, type ViewStore } from '@trellis/sdk/server';
import type { SortKey } from '@trellis/sdk/shared';
import { newId } from '../../runtime/ids.ts';
import { models } from '../../metadata/models/models.ts';
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

type SortMethods = Pick<ViewStore, 'createSort' | 'updateSort' | 'deleteSort' | 'setSorts'>;

/** The sorts of views. */
export function sortMethods({ find, findView, reread, change }: ViewAccess): SortMethods {
  async function ofSort(scope: AccessScope, sortId: string): Promise<Found> {
    const found = await find(scope, (view) => view.sorts.some((sort) => sort.id === sortId));
    if (found === undefined) throw viewErrors.create('SORT_NOT_FOUND');
    return found;
  }

  return {
    async createSort(scope, viewId, input) {
      scope.require('sortCreate');
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      assertColumn(found.table, input.columnId);
      const id = newId('sort');
      const { SortModel } = await models();
      await change(scope, found, async (unit, stamps) =>
        SortModel.query(unit.knex).insert({
          id,
          project_id: found.table.projectId,
          view_id: viewId,
          column_id: input.columnId,
          direction: input.direction,
          sort_order: input.order ?? nextOrder(found.view.sorts),
          ...stamps,
        }),
      );
      return expectItem((await reread(scope, viewId)).sorts.find((sort) => sort.id === id));
    },

    async updateSort(scope, sortId, patch) {
      scope.require('sortUpdate');
      const found = await ofSort(scope, sortId);
      assertConfigurable(scope, found.view);
      if (patch.columnId !== undefined) assertColumn(found.table, patch.columnId);
      const { SortModel } = await models();
      await change(scope, found, async (unit, { updated_at }) =>
        SortModel.query(unit.knex).findById(sortId).patch({
          column_id: patch.columnId,
          direction: patch.direction,
          sort_order: patch.order,
          updated_at,
        }),
      );
      return expectItem((await reread(scope, found.view.id)).sorts.find((sort) => sort.id === sortId));
    },

    async deleteSort(scope, sortId) {
      scope.require('sortDelete');
      const found = await ofSort(scope, sortId);
      assertConfigurable(scope, found.view);
      const { SortModel } = await models();
      await change(scope, found, async (unit) => SortModel.query(unit.knex).deleteById(sortId));
    },

    async setSorts(scope, viewId, sorts, replaces) {
      for (const permission of ['sortCreate', 'sortUpdate', 'sortDelete'] as const) scope.require(permission);
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      const before = new Map(found.view.sorts.map(({ columnId, id }) => [columnId, id]));
      const ids = found.view.sorts.map(({ id }) => id);
      const rows = sorts.map(({ columnId, direction }, index) => {
        assertColumn(found.table, columnId);
        const id = before.get(columnId) ?? newId('sort');
        // A column that is named twice gets a second sort of its own.
        before.delete(columnId);
        const { projectId } = found.table;
        return {
          id,
          project_id: projectId,
          view_id: viewId,
          column_id: columnId,
          direction,
          sort_order: index + 1,
        };
      });
      const { SortModel, toSort } = await models();
      await change(scope, found, async (unit, stamps) => {
        if (replaces !== undefined) {
          const rows = await SortModel.query(unit.knex)
            .where({ view_id: viewId })
            .whereIn('column_id', [...found.table.columnById.keys()])
            .orderBy(['sort_order', 'id']);
          if (!isSameOrder(replaces, rows.map(toSort))) {
            const list = rows.map((row) => toSortEntity(toSort(row), found.table));
            throw viewErrors.create('SORTS_CHANGED', { list });
          }
        }
        const parked = await parkedColumns(unit, found.table);
        await SortModel.query(unit.knex)
          .where({ view_id: viewId })
          .where((sort) => {
            void sort.whereIn('id', ids).orWhereNotIn('column_id', parked);
          })
          .delete();
        await SortModel.insertMany(
          unit,
          rows.map((row) => ({ ...row, ...stamps })),
        );
      });
      return (await reread(scope, viewId)).sorts;
    },
  };
}

/** Whether the sorts that a person read are still the stored ones. */
function isSameOrder(read: readonly SortKey[], standing: readonly SortKey[]): boolean {
  const textOf = (sorts: readonly SortKey[]): string =>
    JSON.stringify(sorts.map(({ columnId, direction }) => [columnId, direction]));
  return textOf(read) === textOf(standing);
}
