import {
  SchemaStoreToken,
  toTableEntity,
  type AccessScope,
  type ServerPluginContext,
  type TableSchema,
} from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';

/**
 * Says a table as the calls answer it. Columns tell of those of other tables that they show where the caller may read the project;
 * visitors of a single view learn nothing of the rest.
 */
export function tableEntities(
  ctx: ServerPluginContext,
): (scope: AccessScope, table: TableSchema) => Promise<TableEntity> {
  const schema = ctx.get(SchemaStoreToken);
  const types = ctx.registry('columnTypes');
  return async (scope, table) =>
    toTableEntity(table, types, scope.may('projectGet') ? await schema.snapshot(scope) : undefined);
}
