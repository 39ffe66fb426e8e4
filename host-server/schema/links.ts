import type { LinkAction, LinkSchema } from '@trellis/sdk/server';
import type { Stamps, Stored } from './rows.ts';

/** A link as the metadata keeps it, once for each side. Lists of columns are JSON. */
export interface LinkRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly base_id: string;
  readonly kind: LinkSchema['kind'];
  readonly title: string;
  readonly table_id: string;
  readonly column_ids: string;
  readonly to_table_id: string;
  readonly to_column_ids: string;
  /** JSON of `LinkSchema.through`. */
  readonly through_table: string | null;
  readonly inverse_id: string;
  readonly constraint_name: string | null;
  readonly on_delete: LinkAction | null;
  readonly on_update: LinkAction | null;
}

function texts(json: unknown): readonly string[] {
  return JSON.parse(String(json)) as readonly string[];
}

function orUndefined<Value>(value: unknown): Value | undefined {
  return value === null || value === undefined ? undefined : (value as Value);
}

export function toLink(row: Stored<LinkRow>): LinkSchema {
  return {
    id: String(row.id),
    baseId: String(row.base_id),
    kind: row.kind as LinkSchema['kind'],
    title: String(row.title),
    tableId: String(row.table_id),
    columnIds: texts(row.column_ids),
    toTableId: String(row.to_table_id),
    toColumnIds: texts(row.to_column_ids),
    through:
      typeof row.through_table === 'string'
        ? (JSON.parse(row.through_table) as LinkSchema['through'])
        : undefined,
    inverseId: String(row.inverse_id),
    constraint: orUndefined(row.constraint_name),
    onDelete: orUndefined(row.on_delete),
    onUpdate: orUndefined(row.on_update),
  };
}
