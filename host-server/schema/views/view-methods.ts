import type { ColumnSchema, TableSchema, ViewSchema, ViewStore } from '@trellis/sdk/server';
import type { Unit } from '../../sql/unit.ts';
import { newId } from '../../runtime/ids.ts';
import { defaultColumnWidth } from '../../metadata/models/column-rules.ts';
import { models } from '../../metadata/models/models.ts';
import { schemaErrors } from '../schema-errors.ts';
import { filterRows, toInput } from './filter-tree.ts';
import { assertColumn, assertConfigurable, expectItem, nextOrder, type ViewAccess } from './view-access.ts';
import { checkPrintable } from '../names.ts';
import { viewErrors } from './view-errors.ts';

type ViewMethods = Pick<ViewStore, 'create' | 'update' | 'delete' | 'setAllColumns' | 'setColumn'>;

/** Views and the places of their columns. */
export function viewMethods({ deps, findView, reread, change, make }: ViewAccess): ViewMethods {
  const { schema, viewTypes } = deps;

  return {
    async create(scope, tableId, input) {
      if (viewTypes.get(input.type) === undefined)
        throw viewErrors.create('VIEW_TYPE_UNKNOWN', { type: input.type });
      scope.require(`${input.type}ViewCreate`);
      const title = checkPrintable(input.title.trim());
      if (title === '') throw viewErrors.create('VIEW_TITLE_REQUIRED');
      const table = await schema.table(scope, tableId);
      const source =
        input.copyFrom === undefined ? undefined : table.views.find((view) => view.id === input.copyFrom);
      if (input.copyFrom !== undefined && source === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
      const id = newId('view');
      const withSystem = input.showSystemFields ?? source?.showSystemFields ?? false;
      const { FilterModel, SortModel, ViewColumnModel, ViewModel } = await models();
      await make(
        scope,
        table,
        id,
        async (unit, stamps) => {
          const columns = await presentColumns(unit, table);
          await ViewModel.query(unit.knex).insert({
            id,
            project_id: table.projectId,
            table_id: table.id,
            title,
            type: input.type,
            is_default: false,
            show_system_fields: withSystem,
            lock_type: 'collaborative',
            owner_id: scope.principal.id || null,
            meta: input.meta ?? source?.meta ?? null,
            sort_order: nextOrder(table.views),
            ...stamps,
          });
          await ViewColumnModel.insertMany(
            unit,
            columnRows(columns, { viewId: id, table, source, withSystem }).map((row) => ({
              ...row,
              ...stamps,
            })),
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
          await SortModel.insertMany(unit, sorts);
          const filters = (source?.filters ?? []).flatMap((filter) =>
            filterRows(toInput(filter), { table, viewId: id, parentId: null, order: filter.order, depth: 1 }),
          );
          await FilterModel.insertMany(
            unit,
            filters.map((row) => ({ ...row, ...stamps })),
          );
        },
        { subType: 'CREATED', description: `View ${title} of ${table.title} was created` },
      );
      return reread(scope, id);
    },

    async update(scope, viewId, patch) {
      scope.require('viewUpdate');
      const found = await findView(scope, viewId);
      // Clients send whole views back, so what they send is a change only where it differs.
      const mode = patch.lockType === found.view.lockType ? undefined : patch.lockType;
      if (mode === undefined && isRearranged(found.view, patch)) assertConfigurable(scope, found.view);
      if (mode === 'personal' && found.view.isDefault) throw viewErrors.create('VIEW_FOR_ALL');
      if (patch.title?.trim() === '') throw viewErrors.create('VIEW_TITLE_REQUIRED');
      if (patch.title !== undefined) checkPrintable(patch.title);
      const { ViewModel } = await models();
      await change(
        scope,
        found,
        async (unit, { updated_at }) =>
          ViewModel.query(unit.knex)
            .findById(viewId)
            .patch({
              title: patch.title?.trim(),
              sort_order: patch.order,
              show_system_fields: patch.showSystemFields,
              ...(mode !== undefined && { lock_type: mode, owner_id: scope.principal.id || null }),
              meta: patch.meta,
              updated_at,
            }),
        { subType: 'UPDATED', description: `View ${found.view.title} of ${found.table.title} was changed` },
      );
      return reread(scope, viewId);
    },

    async delete(scope, viewId) {
      scope.require('viewDelete');
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      const { ViewModel } = await models();
      await change(
        scope,
        found,
        async (unit) => {
          const heir = await ViewModel.query(unit.knex)
            .where({ table_id: found.table.id })
            .whereNot({ id: viewId })
            .whereNot({ lock_type: 'personal' })
            .orderBy(['sort_order', 'id'])
            .select('id')
            .first();
          if (heir === undefined && found.view.lockType !== 'personal') throw viewErrors.create('LAST_VIEW');
          for (const parts of ['columns', 'sorts', 'filters'] as const) {
            await ViewModel.relatedQuery(parts, unit.knex).for(viewId).delete();
          }
          await ViewModel.query(unit.knex).deleteById(viewId);
          if (found.view.isDefault && heir)
            await ViewModel.query(unit.knex).findById(heir.id).patch({ is_default: true });
        },
        { subType: 'DELETED', description: `View ${found.view.title} of ${found.table.title} was deleted` },
      );
    },

    async setAllColumns(scope, viewId, show, except) {
      scope.require(show === 'show' ? 'showAllColumns' : 'hideAllColumns');
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      const { ViewColumnModel } = await models();
      return change(scope, found, async (unit, { updated_at }) =>
        ViewColumnModel.query(unit.knex)
          .where({ view_id: viewId })
          .whereNotIn('column_id', [...except])
          .patch({ visible: show === 'show', updated_at }),
      );
    },

    async setColumn(scope, viewId, columnId, patch) {
      const found = await findView(scope, viewId);
      scope.require(found.view.type === 'grid' ? 'gridColumnUpdate' : 'viewColumnUpdate');
      assertConfigurable(scope, found.view);
      assertColumn(found.table, columnId);
      const known = found.view.columns.find((column) => column.columnId === columnId);
      const { ViewColumnModel } = await models();
      await change(scope, found, async (unit, stamps) => {
        if (known) {
          await ViewColumnModel.query(unit.knex).findById(known.id).patch({
            visible: patch.show,
            sort_order: patch.order,
            width: patch.width,
            updated_at: stamps.updated_at,
          });
          return;
        }
        await ViewColumnModel.query(unit.knex).insert({
          id: newId('viewColumn'),
          project_id: found.table.projectId,
          view_id: viewId,
          column_id: columnId,
          visible: patch.show ?? true,
          sort_order: patch.order ?? nextOrder(found.view.columns),
          width: patch.width,
          ...stamps,
        });
      });
      const { columns } = await reread(scope, viewId);
      return expectItem(columns.find((column) => column.columnId === columnId));
    },
  };
}

/** Whether a patch asks for another arrangement of the table. */
function isRearranged(view: ViewSchema, patch: Parameters<ViewStore['update']>[2]): boolean {
  return (
    (patch.showSystemFields !== undefined && patch.showSystemFields !== view.showSystemFields) ||
    (patch.meta !== undefined && JSON.stringify(patch.meta) !== JSON.stringify(view.meta ?? {}))
  );
}

/** The columns as they are in this transaction: one that was added a moment ago has its place too. */
async function presentColumns(unit: Unit, table: TableSchema): Promise<readonly ColumnSchema[]> {
  const { ColumnModel, TableModel, toColumn } = await models();
  const isThere = await TableModel.query(unit.knex).findById(table.id).whereNull('parked_at').select('id');
  if (isThere === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
  const rows = await ColumnModel.query(unit.knex)
    .where({ table_id: table.id })
    .whereNull('parked_at')
    .orderBy(['sort_order', 'id']);
  return rows.map(toColumn);
}

/** A place for every column: as in the view that is copied, else all but the system's own; keys as the default view shows them. */
function columnRows(
  columns: readonly ColumnSchema[],
  of: {
    readonly viewId: string;
    readonly table: TableSchema;
    readonly source: ViewSchema | undefined;
    readonly withSystem: boolean;
  },
) {
  return columns.map((column, index) => {
    const copied = of.source?.columns.find(({ columnId }) => columnId === column.id);
    return {
      id: newId('viewColumn'),
      project_id: of.table.projectId,
      view_id: of.viewId,
      column_id: column.id,
      visible: copied?.show ?? (of.withSystem || !column.system || isShownByDefault(column, of.table)),
      width: copied === undefined || copied.width === defaultColumnWidth ? null : copied.width,
      sort_order: copied?.order ?? index + 1,
    };
  });
}

function isShownByDefault(column: ColumnSchema, { defaultView }: TableSchema): boolean {
  if (!column.primaryKey) return column.type === 'ForeignKey';
  return defaultView?.columns.find(({ columnId }) => columnId === column.id)?.show ?? false;
}
