import { defineErrors, type RegistryView } from '@trellis/core';
import type {
  AccessScope,
  FilterInput,
  FilterSchema,
  SchemaStore,
  TableSchema,
  ViewSchema,
  ViewStore,
  ViewType,
} from '@trellis/sdk/server';
import type { Unit } from '../databases/database.ts';
import { newId } from '../metadata/ids.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { defaultColumnWidth } from '../schema/rows.ts';
import type { AnnounceSchemaChange, RecordSchemaChange } from '../schema/schema-changes.ts';
import { insertAll } from '../schema/table-rows.ts';

export const viewErrors = defineErrors({
  VIEW_NOT_FOUND: { status: 404, message: 'View not found' },
  VIEW_COLUMN_UNKNOWN: { status: 400, message: 'The table of this view has no such column.' },
  VIEW_TYPE_UNKNOWN: { status: 400, message: "No plugin provides the view type '{type}'." },
  VIEW_TITLE_REQUIRED: { status: 400, message: 'View name is required' },
  VIEW_LOCKED: { status: 400, message: 'This view is locked. Unlock it to change how it shows the table.' },
  VIEW_PERSONAL: { status: 403, message: 'This is a personal view: only its owner can change it.' },
  LAST_VIEW: {
    status: 400,
    message: 'This is the only view of the table. Add another one before you delete it.',
  },
  SORT_NOT_FOUND: { status: 404, message: 'Sort not found' },
  FILTER_NOT_FOUND: { status: 404, message: 'Filter not found' },
  FILTER_PARENT: { status: 400, message: 'A filter can only go into a group of the same view.' },
  FILTER_DEPTH: { status: 400, message: 'Groups of filters can be nested {limit} deep.' },
  FILTER_INCOMPLETE: { status: 400, message: 'A filter needs a column and a comparison.' },
});

export interface ViewStoreDependencies {
  readonly metadata: Metadata;
  readonly schema: SchemaStore;
  readonly viewTypes: RegistryView<ViewType>;
  readonly record: RecordSchemaChange;
  readonly announce: AnnounceSchemaChange;
}

const deepestGroup = 5;

interface Found {
  readonly table: TableSchema;
  readonly view: ViewSchema;
}

/** Views with their columns, sorts and filters, in the metadata. */
export function createViewStore(deps: ViewStoreDependencies): ViewStore {
  const { metadata, schema, viewTypes, record, announce } = deps;
  const { database, generations } = metadata;

  async function find(scope: AccessScope, pick: (view: ViewSchema) => boolean): Promise<Found | undefined> {
    const { tables } = await schema.snapshot(scope);
    for (const table of tables.values()) {
      const view = table.views.find(pick);
      if (view !== undefined) return { table, view };
    }
    return undefined;
  }

  async function findView(scope: AccessScope, viewId: string): Promise<Found> {
    const found = await find(scope, (view) => view.id === viewId);
    if (found === undefined || (isForeign(scope, found.view) && !scope.may('viewUpdate'))) {
      throw viewErrors.create('VIEW_NOT_FOUND');
    }
    return found;
  }

  function isForeign(scope: AccessScope, view: ViewSchema): boolean {
    return (
      view.lockType === 'personal' && view.ownerId !== scope.principal.id && scope.principal.kind !== 'system'
    );
  }

  /** Refuses where the view's mode says that its configuration is not this caller's to change. */
  function assertConfigurable(scope: AccessScope, view: ViewSchema): void {
    if (view.lockType === 'locked') throw viewErrors.create('VIEW_LOCKED');
    if (isForeign(scope, view)) throw viewErrors.create('VIEW_PERSONAL');
  }

  function assertColumn(table: TableSchema, columnId: string): void {
    if (!table.columnById.has(columnId)) throw viewErrors.create('VIEW_COLUMN_UNKNOWN');
  }

  /** One write to a view: its rows, the generation, and the telling afterwards. */
  async function change<T>(
    scope: AccessScope,
    found: Found,
    work: (unit: Unit, stamps: { readonly created_at: number; readonly updated_at: number }) => Promise<T>,
    audited?: { readonly subType: string; readonly description: string },
  ): Promise<T> {
    const { table, view } = found;
    const now = Date.now();
    const result = await database.write(
      async (unit) => {
        await generations.bump(unit, table.projectId);
        const answer = await work(unit, { created_at: now, updated_at: now });
        if (audited) {
          await record(unit, {
            scope,
            auditType: 'VIEW',
            auditSubType: audited.subType,
            projectId: table.projectId,
            baseId: table.baseId,
            tableId: table.id,
            description: audited.description,
          });
        }
        return answer;
      },
      { retry: true },
    );
    announce({ projectId: table.projectId, tableId: table.id, viewId: view.id, requestId: scope.requestId });
    return result;
  }

  async function reread(scope: AccessScope, viewId: string): Promise<ViewSchema> {
    return (await findView(scope, viewId)).view;
  }

  function nextOrder(items: readonly { readonly order: number }[]): number {
    return Math.max(0, ...items.map((item) => item.order)) + 1;
  }

  function columnRows(
    table: TableSchema,
    viewId: string,
    source: ViewSchema | undefined,
    withSystem: boolean,
  ) {
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

  /** A filter and everything in it, as rows. */
  function filterRows(
    input: FilterInput,
    at: {
      readonly table: TableSchema;
      readonly viewId: string;
      readonly parentId: string | null;
      readonly order: number;
      readonly depth: number;
    },
  ): readonly { readonly id: string }[] {
    const { table, viewId, parentId, order, depth } = at;
    if (depth > deepestGroup) throw viewErrors.create('FILTER_DEPTH', { limit: deepestGroup });
    const isGroup = input.isGroup === true || input.children !== undefined;
    if (!isGroup && input.columnId === undefined) throw viewErrors.create('FILTER_INCOMPLETE');
    if (input.columnId !== undefined) assertColumn(table, input.columnId);
    const id = newId('filter');
    const row = {
      id,
      project_id: table.projectId,
      view_id: viewId,
      parent_id: parentId,
      is_group: isGroup,
      logical_op: input.logicalOp ?? 'and',
      column_id: input.columnId ?? null,
      operator: input.operator ?? (isGroup ? null : 'eq'),
      value: input.value === undefined ? null : JSON.stringify(input.value),
      sort_order: input.order ?? order,
    };
    const children = (input.children ?? []).flatMap((child, index) =>
      filterRows(child, { table, viewId, parentId: id, order: index + 1, depth: depth + 1 }),
    );
    return [row, ...children];
  }

  function findFilter(filters: readonly FilterSchema[], id: string): FilterSchema | undefined {
    for (const filter of filters) {
      const found = filter.id === id ? filter : findFilter(filter.children, id);
      if (found) return found;
    }
    return undefined;
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

  async function ofSort(scope: AccessScope, sortId: string): Promise<Found> {
    const found = await find(scope, (view) => view.sorts.some((sort) => sort.id === sortId));
    if (found === undefined) throw viewErrors.create('SORT_NOT_FOUND');
    return found;
  }

  function idsIn(filter: FilterSchema): readonly string[] {
    return [filter.id, ...filter.children.flatMap(idsIn)];
  }

  /** The item that a write was about, read back from the new snapshot. */
  function expectItem<T>(item: T | undefined): T {
    if (item === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
    return item;
  }

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

    async createSort(scope, viewId, input) {
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
      const found = await ofSort(scope, sortId);
      assertConfigurable(scope, found.view);
      await change(scope, found, (unit) =>
        unit.run(unit.knex('trellis_sort').where({ id: sortId }).delete()),
      );
    },

    async createFilter(scope, viewId, input) {
      const found = await findView(scope, viewId);
      assertConfigurable(scope, found.view);
      const parent =
        input.parentId === undefined ? undefined : findFilter(found.view.filters, input.parentId);
      if (input.parentId !== undefined && parent?.isGroup !== true) throw viewErrors.create('FILTER_PARENT');
      const siblings = parent?.children ?? found.view.filters;
      const rows = filterRows(input, {
        table: found.table,
        viewId,
        parentId: parent?.id ?? null,
        order: nextOrder(siblings),
        depth: parent ? 2 : 1,
      });
      await change(scope, found, (unit, stamps) =>
        insertAll(
          unit,
          'trellis_filter',
          rows.map((row) => ({ ...row, ...stamps })),
        ),
      );
      return expectItem(findFilter((await reread(scope, viewId)).filters, rows[0]?.id ?? ''));
    },

    async updateFilter(scope, filterId, patch) {
      const found = await ofFilter(scope, filterId);
      assertConfigurable(scope, found.view);
      if (patch.columnId !== undefined) assertColumn(found.table, patch.columnId);
      await change(scope, found, (unit, { updated_at }) =>
        unit.run(
          unit
            .knex('trellis_filter')
            .where({ id: filterId })
            .update({
              ...(patch.columnId !== undefined && { column_id: patch.columnId }),
              ...(patch.operator !== undefined && { operator: patch.operator }),
              ...(patch.logicalOp !== undefined && { logical_op: patch.logicalOp }),
              ...(patch.value !== undefined && { value: JSON.stringify(patch.value) }),
              ...(patch.order !== undefined && { sort_order: patch.order }),
              updated_at,
            }),
        ),
      );
      return expectItem(findFilter((await reread(scope, found.view.id)).filters, filterId));
    },

    async deleteFilter(scope, filterId) {
      const found = await ofFilter(scope, filterId);
      assertConfigurable(scope, found.view);
      await change(scope, found, (unit) =>
        unit.run(
          unit
            .knex('trellis_filter')
            .whereIn('id', [...idsIn(found.filter)])
            .delete(),
        ),
      );
    },
  };
}

/** A stored filter as what would make it again. */
function toInput(filter: FilterSchema): FilterInput {
  return {
    columnId: filter.columnId,
    operator: filter.operator,
    value: filter.value as FilterInput['value'],
    logicalOp: filter.logicalOp,
    isGroup: filter.isGroup,
    order: filter.order,
    ...(filter.isGroup && { children: filter.children.map(toInput) }),
  };
}
