import type { AccessScope, TableSchema, ViewStore } from '@trellis/sdk/server';
import { isIconName, type ViewGroup } from '@trellis/sdk/shared';
import { models } from '../../metadata/models/models.ts';
import type { Unit } from '../../sql/unit.ts';
import { newId } from '../../runtime/ids.ts';
import { checkPrintable } from '../names.ts';
import { nextOrder, type ViewAccess } from './view-access.ts';
import { viewErrors } from './view-errors.ts';

type GroupMethods = Pick<ViewStore, 'createGroup' | 'updateGroup' | 'deleteGroup'>;

const mostGroups = 100;

/** The groups into which people sort the views of a table. */
export function groupMethods({ deps, changeTable }: ViewAccess): GroupMethods {
  /** Changes the groups as they are in the transaction, and returns the result of `change`. */
  async function rewrite<T>(
    scope: AccessScope,
    tableId: string,
    change: (groups: readonly ViewGroup[]) => {
      readonly groups: readonly ViewGroup[];
      /** The id of a removed group. */
      readonly gone?: string;
      readonly result: T;
    },
  ): Promise<T> {
    scope.require('viewUpdate');
    const table = await deps.schema.table(scope, tableId);
    return changeTable(scope, table, async (unit) => {
      const { TableModel, ViewModel } = await models();
      const row = await TableModel.query(unit.knex).findById(table.id).select('view_groups');
      const { groups, gone, result } = change(row?.view_groups ?? []);
      await TableModel.query(unit.knex).findById(table.id).patch({ view_groups: groups });
      if (gone !== undefined)
        await ViewModel.query(unit.knex)
          .where({ table_id: table.id, group_id: gone })
          .patch({ group_id: null });
      return result;
    });
  }

  return {
    createGroup: (scope, tableId, title) =>
      rewrite(scope, tableId, (groups) => {
        if (groups.length >= mostGroups) throw viewErrors.create('VIEW_GROUPS_MANY', { limit: mostGroups });
        const result = { id: newId('viewGroup'), title: freeTitle(title, groups), order: nextOrder(groups) };
        return { groups: [...groups, result], result };
      }),

    updateGroup: (scope, tableId, groupId, patch) =>
      rewrite(scope, tableId, (groups) => {
        const group = groups.find(({ id }) => id === groupId);
        if (group === undefined) throw viewErrors.create('VIEW_GROUP_NOT_FOUND');
        const others = groups.filter((other) => other !== group);
        const title = patch.title === undefined ? group.title : freeTitle(patch.title, others);
        const result = { id: group.id, title, order: patch.order ?? group.order };
        return { groups: [...others, result], result };
      }),

    async deleteGroup(scope, tableId, groupId) {
      await rewrite(scope, tableId, (groups) => {
        const others = groups.filter(({ id }) => id !== groupId);
        if (others.length === groups.length) throw viewErrors.create('VIEW_GROUP_NOT_FOUND');
        return { groups: others, gone: groupId, result: undefined };
      });
    },
  };
}

/** @throws TrellisError when the table does not have the group, or when the icon is none */
export function assertPlace(
  table: TableSchema,
  {
    groupId,
    icon,
  }: { readonly groupId?: string | null | undefined; readonly icon?: string | null | undefined },
): void {
  if (icon && !isIconName(icon)) throw viewErrors.create('VIEW_ICON_INVALID');
  if (groupId && !table.viewGroups.some(({ id }) => id === groupId))
    throw viewErrors.create('VIEW_GROUP_NOT_FOUND');
}

/**
 * Refuses a group that was removed before this transaction began: the write may have been decided with an older schema.
 *
 * @throws TrellisError 404 `VIEW_GROUP_NOT_FOUND`
 */
export async function assertGroupStays(unit: Unit, tableId: string, groupId: string): Promise<void> {
  const { TableModel } = await models();
  const row = await TableModel.query(unit.knex).findById(tableId).select('view_groups');
  if (row?.view_groups?.some(({ id }) => id === groupId) !== true)
    throw viewErrors.create('VIEW_GROUP_NOT_FOUND');
}

function freeTitle(wanted: string, others: readonly ViewGroup[]): string {
  const title = checkPrintable(wanted.replace(/\s+/gu, ' ').trim());
  if (title === '') throw viewErrors.create('VIEW_GROUP_TITLE_REQUIRED');
  const isTaken = others.some((other) => other.title.toLowerCase() === title.toLowerCase());
  if (isTaken) throw viewErrors.create('VIEW_GROUP_TITLE_TAKEN');
  return title;
}
