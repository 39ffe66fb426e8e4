import type { AccessScope, ViewStore } from '@trellis/sdk/server';
import { newId } from '../../metadata/ids.ts';
import {
  assertColumn,
  assertConfigurable,
  expectItem,
  nextOrder,
  type Found,
  type ViewAccess,
} from './view-access.ts';
import { viewErrors } from './view-errors.ts';

type SortMethods = Pick<ViewStore, 'createSort' | 'updateSort' | 'deleteSort'>;

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
      await change(scope, found, (unit, stamps) =>
        unit.run(
          unit.knex('trellis_sort').insert({
            id,
            project_id: found.table.projectId,
            view_id: viewId,
            column_id: input.columnId,
            direction: input.direction,
            sort_order: input.order ?? nextOrder(found.view.sorts),
            ...stamps,
          }),
        ),
      );
      return expectItem((await reread(scope, viewId)).sorts.find((sort) => sort.id === id));
    },

    async updateSort(scope, sortId, patch) {
      scope.require('sortUpdate');
      const found = await ofSort(scope, sortId);
      assertConfigurable(scope, found.view);
      if (patch.columnId !== undefined) assertColumn(found.table, patch.columnId);
      await change(scope, found, (unit, { updated_at }) =>
        unit.run(
          unit
            .knex('trellis_sort')
            .where({ id: sortId })
            .update({
              ...(patch.columnId !== undefined && { column_id: patch.columnId }),
              ...(patch.direction !== undefined && { direction: patch.direction }),
              ...(patch.order !== undefined && { sort_order: patch.order }),
              updated_at,
            }),
        ),
      );
      return expectItem((await reread(scope, found.view.id)).sorts.find((sort) => sort.id === sortId));
    },

    async deleteSort(scope, sortId) {
      scope.require('sortDelete');
      const found = await ofSort(scope, sortId);
      assertConfigurable(scope, found.view);
      await change(scope, found, (unit) =>
        unit.run(unit.knex('trellis_sort').where({ id: sortId }).delete()),
      );
    },
  };
}
