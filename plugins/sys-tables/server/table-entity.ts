import {
  AccessServiceToken,
  SchemaStoreToken,
  toTableEntity,
  ViewEntitiesToken,
  type AccessScope,
  type ServerPluginContext,
  type TableSchema,
} from '@trellis/sdk/server';
import type { ColumnEntity, TableEntity, TrellisError } from '@trellis/sdk/shared';

/**
 * Creates the form of a table in answers, with what the caller may not do in it. Columns describe the columns of other tables that
 * they show if the caller may read the project; visitors of a single view learn nothing about the rest.
 */
export function tableEntities(
  ctx: ServerPluginContext,
): (scope: AccessScope, table: TableSchema) => Promise<TableEntity> {
  const schema = ctx.get(SchemaStoreToken);
  const access = ctx.get(AccessServiceToken);
  const views = ctx.get(ViewEntitiesToken);
  const types = ctx.registry('columnTypes');

  function withRights(scope: AccessScope, entity: TableEntity): TableEntity {
    const inTable = scope.inTable(entity.id);
    const denied =
      inTable === scope ? [] : access.permissionsOf(scope).filter((permission) => !inTable.may(permission));
    const writable = scope.writableColumns(entity.id);
    if (denied.length === 0 && writable === 'all') return entity;
    const columns = entity.columns?.map((column) =>
      writable === 'all' || writable.has(column.id) ? column : { ...column, read_only: true },
    );
    return {
      ...entity,
      ...(columns && { columns, columnsById: Object.fromEntries(columns.map((of) => [of.id, of])) }),
      ...(denied.length > 0 && { denied }),
    };
  }

  /** Adds to columns that are too large to compute why their cells are empty. */
  async function withProblems(scope: AccessScope, entity: TableEntity): Promise<TableEntity> {
    if (entity.columns?.some(({ virtual }) => virtual === true) !== true) return entity;
    const problems = await schema.columnsTooLarge(scope, entity.id);
    if (problems.size === 0) return entity;
    const columns = entity.columns.map((column) => {
      const problem = problems.get(column.id);
      return problem === undefined ? column : { ...column, colOptions: toldOf(column, problem) };
    });
    return { ...entity, columns, columnsById: Object.fromEntries(columns.map((of) => [of.id, of])) };
  }

  return async (scope, table) => {
    const snapshot = scope.may('projectGet') ? await schema.snapshot(scope) : undefined;
    const entity = await withProblems(scope, toTableEntity(table, types, snapshot));
    return withRights(scope, { ...entity, views: await views.of(scope, table) });
  };
}

function toldOf({ colOptions }: ColumnEntity, { code, message, params }: TrellisError): unknown {
  const options = typeof colOptions === 'object' && colOptions !== null ? colOptions : {};
  return { ...options, error: message, problem: { code, params } };
}
