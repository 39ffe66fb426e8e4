import {
  SchemaStoreToken,
  ViewStoreToken,
  type FilterInput,
  type ServerPluginContext,
  type ViewSchema,
} from '@trellis/sdk/server';
import { joinedOptions, partedOptions, TrellisError, type CellValue } from '@trellis/sdk/shared';
import type { ArchivedFilter, ArchivedTable, ArchivedView, Meta } from '../backup/archive.ts';
import { restoreNotes, wordsOf } from '../schedule-errors.ts';
import type { MatchedIds } from './matched-ids.ts';
import type { Restoring } from './restore-tables.ts';

/** Creates the views of an archive. A view that its type no longer accepts is noted, and the others are still created. */
export async function restoreViews(
  ctx: ServerPluginContext,
  { archive, ids, scope, note }: Restoring,
): Promise<void> {
  const schema = ctx.get(SchemaStoreToken);
  const views = ctx.get(ViewStoreToken);
  const known = ctx.registry('viewAdditions');

  /** Options of inactive plugins are left out, since nothing could check them. */
  function optionsOf(table: ArchivedTable, { title, meta }: ArchivedView): Meta | undefined {
    const { own, additions } = partedOptions(meta ?? {});
    const kept = Object.entries(additions).filter(([id]) => known.get(id) !== undefined);
    for (const id of Object.keys(additions))
      if (known.get(id) === undefined) note(leftAddition(table.title, title, id));
    return ids.inOptions(meta && joinedOptions({ own, additions: Object.fromEntries(kept) }));
  }

  async function made(of: ArchivedTable, archived: ArchivedView): Promise<ViewSchema> {
    const tableId = ids.get(of.id) ?? '';
    const table = (await schema.snapshot(await scope())).tables.get(tableId);
    const there = archived.isDefault
      ? table?.defaultView
      : table?.views.find(({ title, isDefault }) => title === archived.title && !isDefault);
    if (there !== undefined) return there;
    const { title, type, showSystemFields, description } = archived;
    const meta = optionsOf(of, archived);
    return views.create(await scope(), tableId, {
      title,
      type,
      showSystemFields,
      ...(description !== undefined && { description }),
      ...(meta && { meta }),
    });
  }

  /** The current ids of the archive's groups. */
  async function madeGroups({ id, viewGroups }: ArchivedTable): Promise<ReadonlyMap<string, string>> {
    const tableId = ids.get(id) ?? '';
    const there = (await schema.snapshot(await scope())).tables.get(tableId)?.viewGroups ?? [];
    const made = new Map<string, string>();
    // Each is placed after the existing ones.
    for (const group of viewGroups.toSorted((a, b) => a.order - b.order)) {
      const known = there.find(({ title }) => title === group.title);
      made.set(group.id, (known ?? (await views.createGroup(await scope(), tableId, group.title))).id);
    }
    return made;
  }

  async function ensureView(
    of: ArchivedTable,
    archived: ArchivedView,
    groups: ReadonlyMap<string, string>,
  ): Promise<void> {
    const tableId = ids.get(of.id) ?? '';
    const view = await made(of, archived);
    if (view.lockType !== 'collaborative')
      await views.update(await scope(), view.id, { lockType: 'collaborative' });
    const {
      title,
      order,
      showSystemFields,
      description = null,
      groupId = '',
      icon = null,
      lockType,
    } = archived;
    const meta = optionsOf(of, archived);
    await views.update(await scope(), view.id, {
      title,
      order,
      showSystemFields,
      description,
      groupId: groups.get(groupId) ?? null,
      icon,
      ...(meta && { meta }),
    });
    const table = (await schema.snapshot(await scope())).tables.get(tableId);
    const now = table?.views.find(({ id }) => id === view.id);
    for (const { columnId, ...wanted } of archived.columns) {
      const place = now?.columns.find((of) => of.columnId === ids.get(columnId));
      if (place === undefined) continue;
      const options = ids.inOptions(wanted.meta);
      const patch = {
        ...(place.show !== wanted.show && { show: wanted.show }),
        ...(place.order !== wanted.order && { order: wanted.order }),
        ...(place.width !== wanted.width && { width: wanted.width }),
        ...(JSON.stringify(options) !== JSON.stringify(place.meta) && options && { meta: options }),
      };
      if (Object.keys(patch).length > 0) await views.setColumn(await scope(), view.id, place.columnId, patch);
    }
    const sorts = archived.sorts.flatMap(({ columnId, direction }) => {
      const id = ids.get(columnId);
      return id === undefined ? [] : [{ columnId: id, direction }];
    });
    await views.setSorts(await scope(), view.id, sorts);
    await views.setFilters(await scope(), view.id, filtersIn(archived.filters, ids));
    if (lockType !== 'collaborative') await views.update(await scope(), view.id, { lockType });
  }

  for (const table of archive.tables) {
    const groups = await madeGroups(table);
    for (const view of table.views.toSorted((a, b) => a.order - b.order))
      try {
        await ensureView(table, view, groups);
      } catch (error) {
        if (!(error instanceof TrellisError)) throw error;
        note(leftView(table, view, error));
      }
  }
}

const leftAddition = (table: string, view: string, addition: string) =>
  wordsOf(restoreNotes.create('RESTORE_LEFT_ADDITION', { table, view, addition }));

const leftView = (table: ArchivedTable, view: ArchivedView, error: TrellisError) =>
  wordsOf(
    restoreNotes.create('RESTORE_LEFT_VIEW', {
      table: table.title,
      view: view.title,
      problem: error.message,
    }),
  );

function filtersIn(filters: readonly ArchivedFilter[], ids: MatchedIds): readonly FilterInput[] {
  return filters.map(({ isGroup, logicalOp, columnId, operator, value, children }) => ({
    isGroup,
    logicalOp,
    ...(columnId !== undefined && { columnId: ids.get(columnId) ?? columnId }),
    ...(operator !== undefined && { operator }),
    ...(value !== undefined && { value: ids.value(value) as CellValue }),
    ...(isGroup && { children: filtersIn(children, ids) }),
  }));
}
