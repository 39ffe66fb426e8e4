import {
  RowStoreToken,
  SchemaStoreToken,
  type AutomationStepCall,
  type RowInput,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import type { FilterNode, Row } from '@trellis/sdk/shared';
import { automationErrors } from '../automation-errors.ts';
import { readConditions } from '../conditions.ts';
import { sampleOf } from '../samples.ts';
import { filledConditions } from './filled-conditions.ts';

/** Helpers for steps about rows. */
export function createRowAccess(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const types = ctx.registry('columnTypes');
  return {
    rows,
    types,

    /** Opens the table of a step for its owner. @throws TrellisError 403, 404 */
    async open({ scope, settings }: AutomationStepCall, permission: string): Promise<TableHandle> {
      const handle = await schema.open(scope, String(settings.table));
      handle.scope.require(permission);
      return handle;
    },

    /** The cells that a step writes, by title. @throws TrellisError 403 for a column that the owner may not write */
    cellsOf({ table, scope }: TableHandle, { settings, value, isOpen }: AutomationStepCall): RowInput {
      const writable = scope.writableColumns(table.id);
      const entries = Object.entries((settings.cells ?? {}) as Readonly<Record<string, unknown>>);
      return Object.fromEntries(
        entries.flatMap(([id, template]) => {
          const column = table.columnById.get(id);
          // A column that was deleted since is ignored, as everywhere.
          if (column === undefined || column.linkId !== undefined) return [];
          if (writable !== 'all' && !writable.has(id))
            throw automationErrors.create('AUTOMATION_READ_ONLY', { column: column.title });
          const given = isOpen(template) ? value(template, sampleOf(column, types)) : value(template);
          return [[column.title, given === '' || given === undefined ? null : given] as const];
        }),
      );
    },

    /** The conditions of a step with their values filled in; undefined if no row can meet them. */
    filtersOf({ settings, fill, isOpen }: AutomationStepCall): readonly FilterNode[] | undefined {
      const conditions = readConditions((settings.conditions ?? []) as readonly unknown[]);
      return filledConditions(conditions, (template) => (isOpen(template) ? '' : fill(template)));
    },

    keyOf: ({ table }: TableHandle, row: Row) => rows.keyOf(table, row) ?? '',
  };
}
export type RowAccess = ReturnType<typeof createRowAccess>;
