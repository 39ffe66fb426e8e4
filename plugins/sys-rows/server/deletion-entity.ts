import { toTableEntity, type RowDeletion, type ServerPluginContext } from '@trellis/sdk/server';
import type { DeletionEntity } from '../shared/index.ts';

/** Converts a deletion to its form in answers. */
export function deletionEntities(ctx: ServerPluginContext): (deletion: RowDeletion) => DeletionEntity {
  const types = ctx.registry('columnTypes');
  return ({ operationId, table, count, names, actor, at }) => ({
    operation_id: operationId,
    table: { id: table.id, title: table.title },
    count,
    column:
      (names.length > 0 && toTableEntity(table, types).columnsById?.[table.displayColumn?.id ?? '']) || null,
    names,
    user: actor.email,
    deleted_at: new Date(at).toISOString(),
  });
}
