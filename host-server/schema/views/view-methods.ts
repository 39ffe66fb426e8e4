import {
  type AccessScope,
  type ViewDraft,
  type ViewSchema,
  type ViewStore,
  type ViewType,
  auditChanges,
  auditText,
} from '@trellis/sdk/server';
import { joinedOptions, partedOptions, withoutUndefined } from '@trellis/sdk/shared';
import { newId } from '../../runtime/ids.ts';
import { models } from '../../metadata/models/models.ts';
import { placeBehindViews } from '../../metadata/place-behind-views.ts';
import { presentOptions } from '../merged-options.ts';
import { checkPrintable } from '../names.ts';
import {
  newPlace,
  newPlaces,
  orNull,
  presentColumns,
  toRow,
  writeDraft,
  type DraftChange,
} from './column-places.ts';
import { filterRows, toInput } from './filter-tree.ts';
import {
  assertColumn,
  assertConfigurable,
  expectItem,
  nextOrder,
  requireAny,
  requireUnlessOwn,
  type Found,
  type ViewAccess,
} from './view-access.ts';
import { assertGroupStays, assertPlace } from './group-methods.ts';
import { viewErrors } from './view-errors.ts';
import { completeDraft, draftOf, filledOptions, isSameJson } from './view-rules.ts';

type Options = Readonly<Record<string, unknown>>;

type ViewMethods = Pick<ViewStore, 'create' | 'update' | 'delete' | 'setAllColumns' | 'setColumn'>;

const words = {
  title: auditText('Title', {}),
  type: auditText('Type', {}),
  description: auditText('Description', {}),
  order: auditText('Position', {}),
  icon: auditText('Icon', {}),
  lockType: auditText('Who changes it', {}),
  isDefault: auditText('Default view', {}),
  showSystemFields: auditText('System fields', {}),
  meta: auditText('Options', {}),
};

/** The audit's changes for a view that gets this patch. */
function viewChanges(view: ViewSchema, patch: Readonly<Record<string, unknown>>) {
  return auditChanges(words, view, { ...view, ...withoutUndefined(patch) });
}

/** Views and the places of their columns. */
export function viewMethods({ deps, findView, reread, decided, make }: ViewAccess): ViewMethods {
  const { schema, viewTypes } = deps;

  /**
   * The draft to save, after the view's type has completed it.
   *
   * @param of.isOption whether the change concerns the type's own options: it is refused while the type's plugin is off.
   */
  async function completed(
    scope: AccessScope,
    { table, view }: Pick<Found, 'table' | 'view'>,
    changed: (draft: ViewDraft) => ViewDraft,
    of: { readonly isOption?: boolean } = {},
  ): Promise<DraftChange & { readonly generation: number }> {
    // The whole table, because rules may depend on columns that the caller may not see.
    const whole = await schema.open(scope, table.id, view.id);
    const before = draftOf(expectItem(whole.view));
    const type = viewTypes.get(view.type);
    if (type === undefined && of.isOption === true)
      throw viewErrors.create('VIEW_TYPE_DISABLED', { type: view.type });
    const draft = changed(before);
    const { generation } = whole.snapshot;
    const context = { table: whole.table, snapshot: whole.snapshot, view: whole.view };
    const after = type === undefined ? draft : completeDraft(deps, type, { draft, saved: before }, context);
    return { generation, before, after };
  }

  return {
    async create(scope, tableId, input) {
      const type = viewTypes.get(input.type);
      if (type === undefined) throw viewErrors.create('VIEW_TYPE_UNKNOWN', { type: input.type });
      const isPersonal = input.lockType === 'personal';
      if (!isPersonal || !mayHavePersonal(scope, type)) scope.require(`${input.type}ViewCreate`);
      const title = checkPrintable(input.title.trim());
      if (title === '') throw viewErrors.create('VIEW_TITLE_REQUIRED');
      const id = newId('view');
      await make(scope, id, async () => {
        const table = await schema.table(scope, tableId);
        const source =
          input.copyFrom === undefined ? undefined : table.views.find((view) => view.id === input.copyFrom);
        // The source view may name a group that was removed.
        const group = table.viewGroups.find((of) => of.id === source?.groupId);
        const { groupId = group?.id, icon = source?.icon } = input;
        assertPlace(table, { groupId, icon });
        if (input.copyFrom !== undefined && source === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
        const whole = await schema.open(scope, table.id);
        const withSystem = input.showSystemFields ?? source?.showSystemFields ?? false;
        // Only the same type understands the options.
        const copied = source?.type === input.type ? (source.meta ?? {}) : undefined;
        const { FilterModel, SortModel, ViewColumnModel, ViewModel } = await models();
        return {
          table,
          generation: whole.snapshot.generation,
          work: async (unit, stamps) => {
            const columns = await presentColumns(unit, table);
            const places = newPlaces(columns, { table, source, withSystem, type: input.type });
            // Options that other plugins keep with views are copied whatever the types are.
            const { additions } = partedOptions(source?.meta ?? {});
            const options = joinedOptions({ additions, own: input.meta ?? copied ?? {} });
            const draft = { options: { ...options, ...input.meta }, columns: places };
            const context = { table: whole.table, snapshot: whole.snapshot, view: undefined, copyOf: source };
            // Options saved under an earlier version of the type are copied as they are.
            const saved = copied === undefined || source === undefined ? undefined : draftOf(source);
            const completed = completeDraft(deps, type, { draft, saved }, context);
            await ViewModel.query(unit.knex).insert({
              id,
              project_id: table.projectId,
              table_id: table.id,
              title,
              type: input.type,
              is_default: false,
              show_system_fields: withSystem,
              lock_type: input.lockType ?? 'collaborative',
              owner_id: scope.principal.id || null,
              made_by: scope.principal.id || null,
              description: written(input.description),
              group_id: groupId ?? null,
              icon: icon ?? null,
              meta: orNull(completed.options),
              sort_order: await placeBehindViews(unit, table.id),
              ...stamps,
            });
            await ViewColumnModel.insertMany(
              unit,
              places.map((place) => ({
                ...toRow(completed.columns.find(({ columnId }) => columnId === place.columnId) ?? place),
                id: newId('viewColumn'),
                project_id: table.projectId,
                view_id: id,
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
              filterRows(toInput(filter), {
                table,
                viewId: id,
                parentId: null,
                order: filter.order,
                depth: 1,
              }),
            );
            await FilterModel.insertMany(
              unit,
              filters.map((row) => ({ ...row, ...stamps })),
            );
          },
          audited: {
            subType: 'CREATED',
            description: auditText('View {{title}} of {{table}} was created', { title, table: table.title }),
            changes: auditChanges(words, undefined, { title, type: input.type }),
          },
        };
      });
      return reread(scope, id);
    },

    async update(scope, viewId, patch) {
      requireAny(scope, 'viewUpdate', ['viewArrange', 'personalViewEdit']);
      if (patch.title?.trim() === '') throw viewErrors.create('VIEW_TITLE_REQUIRED');
      if (patch.title !== undefined) checkPrintable(patch.title);
      await decided(scope, viewId, async (found) => {
        const { table, view } = found;
        // Clients send whole views back, so only fields with another value count as changes.
        const groupId = patch.groupId === view.groupId ? undefined : patch.groupId;
        assertPlace(table, { groupId, icon: patch.icon });
        const mode = patch.lockType === view.lockType ? undefined : patch.lockType;
        const schemaOfType = viewTypes.get(view.type)?.options;
        const withDefaults = (of: Options) => filledOptions(schemaOfType, of);
        const asked = patch.meta && { wanted: patch.meta, before: patch.metaBefore };
        // The whole options: those about columns that the caller does not see stay.
        const { meta } = asked ? expectItem((await schema.open(scope, table.id, viewId)).view) : view;
        const options =
          asked && presentOptions({ title: view.title, meta, told: view.meta, withDefaults }, asked);
        const becomesDefault = patch.isDefault === true && !view.isDefault;
        if (mode !== undefined || becomesDefault) scope.require('viewUpdate');
        if (isDescribed(view, { ...patch, groupId })) requireUnlessOwn(scope, view, 'viewUpdate');
        if (isRearranged({ ...view, meta }, { ...patch, meta: options })) {
          scope.require(optionsPermission(viewTypes.get(view.type)));
          if (mode === undefined) assertConfigurable(scope, view);
        }
        if (mode === 'personal' && view.isDefault) throw viewErrors.create('VIEW_FOR_ALL');
        if (becomesDefault && (mode ?? view.lockType) === 'personal')
          throw viewErrors.create('VIEW_DEFAULT_PERSONAL');
        const isNew = options !== undefined && !isSameJson(options, meta ?? {});
        const changes = isNew
          ? await completed(scope, found, (draft) => ({ ...draft, options }), { isOption: true })
          : undefined;
        // A default view cannot be personal, so the write depends on the schema: others may change either meanwhile.
        const isForAll = becomesDefault || mode === 'personal';
        const { ViewModel } = await models();
        return {
          generation: changes?.generation ?? (isForAll ? found.generation : undefined),
          audited: {
            subType: 'UPDATED',
            description: auditText('View {{title}} of {{table}} was changed', {
              title: view.title,
              table: table.title,
            }),
            changes: viewChanges({ ...view, meta }, { ...patch, meta: options }),
          },
          async work(unit, stamps) {
            if (groupId) await assertGroupStays(unit, table.id, groupId);
            if (becomesDefault)
              await ViewModel.query(unit.knex).where({ table_id: table.id }).patch({ is_default: false });
            await ViewModel.query(unit.knex)
              .findById(viewId)
              .patch({
                title: patch.title?.trim(),
                sort_order: patch.order,
                show_system_fields: patch.showSystemFields,
                ...(patch.description !== undefined && { description: written(patch.description) }),
                ...(groupId !== undefined && { group_id: groupId }),
                ...(patch.icon !== undefined && { icon: patch.icon }),
                ...(becomesDefault && { is_default: true }),
                ...(mode !== undefined && { lock_type: mode, owner_id: scope.principal.id || null }),
                updated_at: stamps.updated_at,
              });
            if (changes) await writeDraft(unit, stamps, found, changes);
          },
        };
      });
      return reread(scope, viewId);
    },

    async delete(scope, viewId) {
      requireAny(scope, 'viewDelete', ['personalViewEdit']);
      const { ViewModel } = await models();
      await decided(scope, viewId, ({ table, view }) => {
        requireUnlessOwn(scope, view, 'viewDelete');
        assertConfigurable(scope, view);
        const audited = {
          subType: 'DELETED',
          description: auditText('View {{title}} of {{table}} was deleted', {
            title: view.title,
            table: table.title,
          }),
          changes: auditChanges(words, { title: view.title, type: view.type }, undefined),
        };
        return {
          audited,
          async work(unit) {
            const heir = await ViewModel.query(unit.knex)
              .where({ table_id: table.id })
              .whereNot({ id: viewId })
              .whereNot({ lock_type: 'personal' })
              .orderBy(['sort_order', 'id'])
              .select('id')
              .first();
            if (heir === undefined && view.lockType !== 'personal') throw viewErrors.create('LAST_VIEW');
            for (const parts of ['columns', 'sorts', 'filters'] as const) {
              await ViewModel.relatedQuery(parts, unit.knex).for(viewId).delete();
            }
            await ViewModel.query(unit.knex).deleteById(viewId);
            if (view.isDefault && heir)
              await ViewModel.query(unit.knex).findById(heir.id).patch({ is_default: true });
          },
        };
      });
    },

    async setAllColumns(scope, viewId, show, except) {
      scope.require(show === 'show' ? 'showAllColumns' : 'hideAllColumns');
      const kept = new Set(except);
      let count = 0;
      await decided(scope, viewId, async (found) => {
        assertConfigurable(scope, found.view);
        const changes = await completed(scope, found, (draft) => ({
          ...draft,
          columns: draft.columns.map((column) =>
            kept.has(column.columnId) ? column : { ...column, show: show === 'show' },
          ),
        }));
        count = changes.before.columns.filter(({ columnId }) => !kept.has(columnId)).length;
        const { generation } = changes;
        return { generation, work: (unit, stamps) => writeDraft(unit, stamps, found, changes) };
      });
      return count;
    },

    async setColumn(scope, viewId, columnId, patch) {
      const { view: seen } = await findView(scope, viewId);
      scope.require(seen.type === 'grid' ? 'gridColumnUpdate' : 'viewColumnUpdate');
      if (patch.meta !== undefined) scope.require(optionsPermission(viewTypes.get(seen.type)));
      await decided(scope, viewId, async (found) => {
        assertConfigurable(scope, found.view);
        assertColumn(found.table, columnId);
        const changes = await completed(
          scope,
          found,
          (draft) => {
            const known = draft.columns.find((column) => column.columnId === columnId);
            const before = known ?? { ...newPlace, columnId, order: nextOrder(draft.columns) };
            const columnOptions = viewTypes.get(found.view.type)?.columnOptions;
            const asked = patch.meta && { wanted: patch.meta, before: patch.metaBefore };
            const title = found.table.columns.find(({ id }) => id === columnId)?.title ?? '';
            const withDefaults = (of: Options) => filledOptions(columnOptions, of);
            const column = {
              columnId,
              show: patch.show ?? before.show,
              order: patch.order ?? before.order,
              width: patch.width ?? before.width,
              options: asked
                ? presentOptions({ title, meta: before.options, withDefaults }, asked)
                : before.options,
            };
            const others = draft.columns.filter((other) => other !== known);
            return { ...draft, columns: [...others, column] };
          },
          { isOption: patch.meta !== undefined },
        );
        const { generation } = changes;
        return { generation, work: (unit, stamps) => writeDraft(unit, stamps, found, changes) };
      });
      const { columns } = await reread(scope, viewId);
      return expectItem(columns.find((column) => column.columnId === columnId));
    },
  };
}

/** A description as it is stored; null if empty. */
function written(description: string | null | undefined): string | null {
  const text = description?.replace(/\s+/gu, ' ').trim() ?? '';
  return text === '' ? null : checkPrintable(text);
}

type ViewPatch = Parameters<ViewStore['update']>[2];

function optionsPermission(type: ViewType | undefined): string {
  return type?.optionsPermission ?? 'viewArrange';
}

/** Whether a caller who may not make views for all may have a personal view of this type. This needs an account. */
function mayHavePersonal(scope: AccessScope, type: ViewType): boolean {
  return scope.principal.id !== '' && scope.may('personalViewEdit') && scope.may(optionsPermission(type));
}

/** Whether a patch changes a view's title, description, icon or place in the list. */
function isDescribed(view: ViewSchema, patch: ViewPatch): boolean {
  const { title, description, order, groupId, icon } = patch;
  return (
    (title !== undefined && title.trim() !== view.title) ||
    (description !== undefined && written(description) !== (view.description ?? null)) ||
    (order !== undefined && order !== view.order) ||
    (groupId !== undefined && groupId !== (view.groupId ?? null)) ||
    (icon !== undefined && icon !== (view.icon ?? null))
  );
}

/** Whether a patch changes how the view arranges the table. */
function isRearranged(view: ViewSchema, patch: ViewPatch): boolean {
  return (
    (patch.showSystemFields !== undefined && patch.showSystemFields !== view.showSystemFields) ||
    (patch.meta !== undefined && !isSameJson(patch.meta, view.meta ?? {}))
  );
}
