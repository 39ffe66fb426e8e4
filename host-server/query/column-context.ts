import type { ColumnSchema, ServerColumnType } from '@trellis/sdk/server';
import type { ColumnContext } from '@trellis/sdk/shared';

/** The facts about a column that its column type gets. */
export function columnContext(column: ColumnSchema, type: ServerColumnType | undefined): ColumnContext {
  return {
    id: column.id,
    title: column.title,
    required: column.required,
    storage: column.storage,
    options: { ...type?.options?.defaults, ...column.meta },
  };
}
