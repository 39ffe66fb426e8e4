import type { TableSchema, ViewSchema, ViewStore } from '@trellis/sdk/server';
import { newId } from '../metadata/ids.ts';
import { defaultColumnWidth } from '../schema/rows.ts';
import { insertAll } from '../schema/table-rows.ts';
import { filterRows, toInput } from './filter-tree.ts';
import {
  assertColumn,
  assertConfigurable,
  expectItem,
  isForeign,
  nextOrder,
  type ViewAccess,
} from './view-access.ts';
import { viewErrors } from './view-errors.ts';

type ViewMethods = Pick<ViewStore, 'create' | 'update' | 'delete' | 'setAllColumns' | 'setColumn'>;

/** Views and the places of their columns. */
export function viewMethods({ deps, findView, reread, change }: ViewAccess): ViewMethods {
  const { schema, viewTypes } = deps;

  return {
    async create(scope, tableId, input) {
      if (viewTypes.get(input.type) === undefined)
        throw viewErrors.create('VIEW_TYPE_UNKNOWN', { type: input.type });
      const title = input.title.trim();
      if (title === '') throw viewErrors.create('VIEW_TITLE_REQUIRED');
      const table = await schema.table(scope, tableId);
      const source =
        input.copyFrom === undefined ? undefined : table.views.find((view) => view.id === input.copyFrom);
      if (input.copyFrom !== undefined && (source === undefined || isForeign(scope, source))) {
        throw viewErrors.create('VIEW_NOT_FOUND');
      }
      const id = newId('view');
      const withSystem = input.showSystemFields ?? source?.showSystemFields ?? false;
      const view = { id, title } as ViewSchema;
      await change(
        scope,
        { table, view },
        async (unit, stamps) => {
          await unit.run(
            unit.knex('trellis_view').insert({
              id,
              project_id: table.projectId,
              table_id: table.id,
              title,
              type: input.type,
              is_default: false,
              show_system_fields: withSystem,
              lock_type: 'collaborative',
              owner_id: scope.principal.id || null,
              meta: source?.meta === undefined ? null : JSON.stringify(source.meta),
              sort_order: nextOrder(table.views),
              ...stamps,
            }),
          );
          const columns = columnRows(table, id, source, withSystem);
          await insertAll(
            unit,
            'trellis_view_column',
            columns.map((row) => ({ ...row, ...stamps })),
          );
          const sorts = (source?.sorts ?? []).map((sort) => ({
            id: newId('sort'),
            project_id: table.projectId,
            view_id: id,
            column_id: sort.columnId,
            direction: sort.direction,
            sort_order: sort.order,
            ...stamps,
          }));
          await insertAll(unit, 'trellis_sort', sorts);
          const filters = (source?.filters ?? []).flatMap((filter) =>
            filterRows(toInput(filter), { table, viewId: id, parentId: null, order: filter.order, depth: 1 }),
          );
          await insertAll(
            unit,
            'trellis_filter',
            filters.map((row) => ({ ...row, ...stamps })),
          );
        },
        { subType: 'CREATED', description: `View ${title} of ${table.title} was created` },
      );
      return reread(scope, id);
    },

    async update(scope, viewId, patch) {
      const found = await findView(scope, viewId);
      if (isForeign(scope, found.view)) throw viewErrors.create('VIEW_PERSONAL');
      const unlocks = patch.lockType !== undefined;
      if (!unlocks && patch.title === undefined && patch.order === undefined)
        assertConfigurable(scope, found.view);
      if (patch.title?.trim() === '') throw viewErrors.create('VIEW_TITLE_REQUIRED');
      await change(
        scope,
        found,
        (unit, { updated_at }) =>
          unit.run(
            unit
              .knex('trellis_view')
              .where({ id: viewId })
              .update({
                ...(patch.title !== undefined && { title: patch.title.trim() }),
                ...(patch.order !== undefined && { sort_order: patch.order }),
                ...(patch.showSystemFields !== undefined && { show_system_fields: patch.showSystemFields }),
                ...(patch.lockType !== undefined && {
                  lock_type: patch.lockType,
                  owner_id: scope.principal.id || null,
                }),
                ...(patch.meta !== undefined && { meta: JSON.stringify(patch.meta) }),
                updated_at,
              }),
          ),
        { subType: 'UPDATED', description: `View ${found.view.title} of ${found.table.title} was changed` },
      );
      return reread(scope, viewId);
    },

    async delete(scope, viewId) {
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      if (found.table.views.length === 1) throw viewErrors.create('LAST_VIEW');
      await change(
        scope,
        found,
        async (unit) => {
          for (const of of ['trellis_view_column', 'trellis_sort', 'trellis_filter']) {
            await unit.run(unit.knex(of).where({ view_id: viewId }).delete());
          }
          await unit.run(unit.knex('trellis_view').where({ id: viewId }).delete());
          const heir = found.table.views.find((view) => view.id !== viewId);
          if (found.view.isDefault && heir) {
            await unit.run(unit.knex('trellis_view').where({ id: heir.id }).update({ is_default: true }));
          }
        },
        { subType: 'DELETED', description: `View ${found.view.title} of ${found.table.title} was deleted` },
      );
    },

    async setAllColumns(scope, viewId, show, except) {
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      return change(scope, found, async (unit, { updated_at }) => {
        const { changes } = await unit.run(
          unit
            .knex('trellis_view_column')
            .where({ view_id: viewId })
            .whereNotIn('column_id', [...except])
            .update({ visible: show === 'show', updated_at }),
        );
        return changes;
      });
    },

    async setColumn(scope, viewId, columnId, patch) {
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      assertColumn(found.table, columnId);
      const known = found.view.columns.find((column) => column.columnId === columnId);
      await change(scope, found, async (unit, stamps) => {
        const values = {
          ...(patch.show !== undefined && { visible: patch.show }),
          ...(patch.order !== undefined && { sort_order: patch.order }),
          ...(patch.width !== undefined && { width: patch.width }),
        };
        if (known) {
          await unit.run(
            unit
              .knex('trellis_view_column')
              .where({ id: known.id })
              .update({ ...values, updated_at: stamps.updated_at }),
          );
          return;
        }
        await unit.run(
          unit.knex('trellis_view_column').insert({
            id: newId('viewColumn'),
            project_id: found.table.projectId,
            view_id: viewId,
            column_id: columnId,
            visible: true,
            sort_order: nextOrder(found.view.columns),
            ...values,
            ...stamps,
          }),
        );
      });
      const { columns } = await reread(scope, viewId);
      return expectItem(columns.find((column) => column.columnId === columnId));
    },
  };
}

/** A place for every column: as in the view that is copied, else all but the system's own. */
function columnRows(table: TableSchema, viewId: string, source: ViewSchema | undefined, withSystem: boolean) {
  return table.columns.map((column, index) => {
    const copied = source?.columns.find((of) => of.columnId === column.id);
    return {
      id: newId('viewColumn'),
      project_id: table.projectId,
      view_id: viewId,
      column_id: column.id,
      visible: copied?.show ?? (withSystem || !column.system || column.type === 'ForeignKey'),
      width: copied === undefined || copied.width === defaultColumnWidth ? null : copied.width,
      sort_order: copied?.order ?? index + 1,
    };
  });
}
