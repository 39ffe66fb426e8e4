import { type AccessScope, type SchemaStore, auditText } from '@trellis/sdk/server';
import { copyOf, createAdd } from './add-column.ts';
import { createAlter } from './alter-column.ts';
import { goneColumn } from './column-changes.ts';
import { changesDefault, changesMore, describedBy, mergedInput, patchOfPresent } from './column-patch.ts';
import { countingPatch } from './counting-type.ts';
import { checkOptions } from './column-options.ts';
import { assertNumbersOnce } from './column-plan.ts';
import { assertDefaultIsOption } from './default-options.ts';
import type { ColumnTools } from './column-tools.ts';
import { createColumnTrial } from './column-trial.ts';
import { checkColumnTitle } from '../names.ts';
import { assertHoldsNoLink, assertLinksNothing, createLinks } from '../links/links.ts';
import { OpenedTable } from '../opened-table.ts';
import { createRetype } from './retype-column.ts';
import { createPlanRetype } from './plan-retype.ts';
import { models } from '../../metadata/models/models.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { assertKeepsType, createVirtualColumns } from './virtual-columns.ts';

type ColumnMethods = Pick<
  SchemaStore,
  | 'createColumn'
  | 'openDraft'
  | 'columnsTooLarge'
  | 'duplicateColumn'
  | 'tryColumnUpdate'
  | 'updateColumn'
  | 'deleteColumn'
  | 'setDisplayColumn'
>;

/** Adding, changing and parking columns. */
export function columnMethods(parts: SchemaStoreParts, tools: ColumnTools): ColumnMethods {
  const { columnTypes, requireType, jobs, kinds, announce, hooks, shownTable, changeMetadata } = parts;
  const { findTable, findColumn, baseOf, assertChangeable, change, patchRow } = tools;
  const retype = createRetype(parts, tools);
  const { converting } = createPlanRetype(parts, tools);
  const alter = createAlter(parts, tools);
  const virtual = createVirtualColumns(parts, tools);
  const links = createLinks(parts, tools, virtual);
  const add = createAdd(parts, tools, { virtual, links });

  function announceAll(scope: AccessScope, projectId: string, tableIds: readonly string[]): void {
    for (const tableId of tableIds) announce({ projectId, tableId, requestId: scope.requestId });
  }

  return {
    ...createColumnTrial(parts, tools),

    async openDraft(scope, tableId, draft) {
      scope.require(draft.columnId === undefined ? 'columnAdd' : 'columnUpdate');
      const found = await findTable(scope, tableId);
      const { table, column } = await virtual.drafted(scope, found, draft);
      const { snapshot } = found;
      return { column, handle: new OpenedTable({ scope, snapshot, table, view: undefined }) };
    },

    async columnsTooLarge(scope, tableId) {
      scope.require('tableGet');
      const { snapshot, table } = await findTable(scope, tableId);
      return virtual.tooLarge(snapshot, table);
    },

    async createColumn(scope, tableId, wanted) {
      scope.require('columnAdd');
      const before = await findTable(scope, tableId);
      const input = await hooks.call('columns.willCreate', wanted, { scope, table: before.table });
      const changed = await jobs.exclusively(before.table.projectId, (signal) =>
        add(scope, { tableId, input, signal }),
      );
      announceAll(scope, before.table.projectId, changed);
      return shownTable(scope, tableId);
    },

    async duplicateColumn(scope, columnId, { title, viewId } = {}) {
      scope.require('columnAdd');
      const before = await findColumn(scope, columnId);
      const wanted = { ...copyOf(before, title), ...(viewId !== undefined && { viewId }) };
      const input = await hooks.call('columns.willCreate', wanted, { scope, table: before.table });
      const changed = await jobs.exclusively(before.table.projectId, async (signal) => {
        const { column, table } = await findColumn(scope, columnId);
        return add(scope, { tableId: table.id, input, from: column, signal });
      });
      announceAll(scope, before.table.projectId, changed);
      return shownTable(scope, before.table.id);
    },

    async updateColumn(scope, columnId, asked) {
      scope.require('columnUpdate');
      const before = await findColumn(scope, columnId);
      const changed = await jobs.exclusively(before.table.projectId, async (signal) => {
        const found = await findColumn(scope, columnId);
        const { table, column } = found;
        const own = [table.id];
        const present = patchOfPresent(column, asked, columnTypes.get(column.type));
        const patch = countingPatch(present, column, columnTypes);
        const others = table.columns.filter((other) => other.id !== columnId);
        const title =
          patch.title === undefined || patch.title === column.title
            ? column.title
            : checkColumnTitle(
                patch.title,
                others.map((other) => other.title),
                found.snapshot.project,
              );
        const isOnlyRename = !changesMore(column, patch);
        if (isOnlyRename) {
          const isDescribed = 'description' in patch && patch.description !== column.description;
          if (title === column.title && patch.order === undefined && !isDescribed) return own;
          const of = { title: column.title, table: table.title };
          const done = isDescribed
            ? auditText('Column {{title}} of {{table}} was described', of)
            : auditText('Column {{title}} of {{table}} was moved', of);
          const renamed = auditText('Column {{title}} of {{table}} was renamed to {{name}}', {
            ...of,
            name: title,
          });
          await patchRow(
            scope,
            found,
            { title, ...describedBy(patch), ...(patch.order !== undefined && { sort_order: patch.order }) },
            title === column.title ? done : renamed,
          );
          return own;
        }
        if (column.storage === 'virtual') {
          const type = requireType(patch.type ?? column.type);
          assertKeepsType(column, type);
          const link = column.linkId === undefined ? undefined : found.snapshot.links.get(column.linkId);
          const actions = patch.meta && type.server?.linkActions?.(patch.meta);
          if (link !== undefined && actions !== undefined)
            await links.changeActions(scope, found, { link, actions, signal });
          await virtual.update(scope, found, { ...patch, title });
          return own;
        }
        if (column.primaryKey) {
          checkOptions(column.title, patch.meta, columnTypes.get(column.type));
          const meta = patch.meta && { meta: patch.meta };
          if (patch.type !== undefined && patch.type !== column.type) {
            throw schemaErrors.create('KEY_COLUMN', { column: column.title });
          }
          await patchRow(
            scope,
            found,
            { title, ...describedBy(patch), ...meta },
            auditText('Column {{title}} of {{table}} was changed', {
              title: column.title,
              table: table.title,
            }),
          );
          return own;
        }
        assertChangeable(table);
        const type = columnTypes.get(patch.type ?? column.type);
        assertNumbersOnce(type, others, columnTypes);
        if (type?.storage === 'virtual') assertKeepsType(column, type);
        const wanted = mergedInput(column, patch);
        checkOptions(title, patch.meta && wanted.meta, type);
        if (changesDefault(column, patch)) assertDefaultIsOption(title, wanted, type);
        const converted = await converting(found, { ...patch, title });
        if (converted !== undefined) {
          assertLinksNothing(found);
          return retype({ scope, found, patch: converted, signal });
        }
        await alter(scope, found, { ...patch, title }, signal);
        return own;
      });
      announceAll(scope, before.table.projectId, changed);
      return shownTable(scope, before.table.id);
    },

    async deleteColumn(scope, columnId) {
      scope.require('columnDelete');
      const before = await findColumn(scope, columnId);
      await hooks.call('columns.willDelete', { scope, table: before.table, columnId });
      const changed = await jobs.exclusively(before.table.projectId, async (signal) => {
        const found = await findColumn(scope, columnId);
        const { snapshot, table, column } = found;
        const link = column.linkId === undefined ? undefined : snapshot.links.get(column.linkId);
        if (link !== undefined) return links.remove(scope, found, link, signal);
        assertHoldsNoLink(found);
        if (column.primaryKey) throw schemaErrors.create('KEY_COLUMN', { column: column.title });
        if (column.storage !== 'virtual') assertChangeable(table);
        const heir = column.display
          ? table.columns.find((other) => other.id !== columnId && !other.system)
          : undefined;
        const payload = {
          base: baseOf(snapshot, table),
          tableName: table.tableName,
          columnName: column.columnName,
          columnId,
          // No writer sets a parked column, so it must accept nulls.
          nullable: column.required ? true : undefined,
          wasNullable: !column.required,
          unique: column.unique ? false : undefined,
          patch: { parked_at: Date.now(), display: false },
          heirId: heir?.id,
          others: virtual.changedWithout(snapshot, column),
        };
        const deleted = change(scope, table, {
          subType: 'DELETED',
          description: auditText('Column {{title}} of {{table}} was deleted', {
            title: column.title,
            table: table.title,
          }),
          changes: goneColumn(column),
        });
        await jobs.run(kinds.alterColumn, payload, { change: deleted, signal });
        return [table.id];
      });
      announceAll(scope, before.table.projectId, changed);
      return shownTable(scope, before.table.id);
    },

    async setDisplayColumn(scope, columnId) {
      scope.require('columnSetAsPrimary');
      const { table, column } = await findColumn(scope, columnId);
      // The display column names a row where other rows link to it. A link column would show the names of other rows.
      if (column.linkId !== undefined)
        throw schemaErrors.create('LINK_NAMES_NOTHING', { column: column.title });
      const { ColumnModel } = await models();
      await changeMetadata(
        table.projectId,
        async (unit) => {
          await ColumnModel.query(unit.knex).where({ table_id: table.id }).patch({ display: false });
          const changes = await ColumnModel.query(unit.knex)
            .where({ id: columnId })
            .whereNull('parked_at')
            .patch({ display: true });
          if (changes === 0) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: column.title });
        },
        change(scope, table, {
          subType: 'UPDATED',
          description: auditText('Column {{title}} names the rows of {{table}}', {
            title: column.title,
            table: table.title,
          }),
        }),
      );
      announce({ projectId: table.projectId, tableId: table.id, requestId: scope.requestId });
    },
  };
}
