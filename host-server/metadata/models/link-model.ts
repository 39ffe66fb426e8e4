import type { LinkSchema } from '@trellis/sdk/server';
import { MetadataModel, type RowOf } from './metadata-model.ts';

/** A link between tables, stored once for each side. */
export class LinkModel extends MetadataModel {
  static override readonly tableName = 'trellis_link';
  static override readonly numbers = ['created_at', 'updated_at'];
  static override readonly objects = ['column_ids', 'to_column_ids', 'through_table'];

  declare id: string;
  declare project_id: string;
  declare base_id: string;
  declare kind: LinkSchema['kind'];
  declare title: string;
  declare table_id: string;
  declare column_ids: LinkSchema['columnIds'];
  declare to_table_id: string;
  declare to_column_ids: LinkSchema['toColumnIds'];
  declare through_table: NonNullable<LinkSchema['through']> | null;
  declare inverse_id: string;
  declare constraint_name: string | null;
  declare on_delete: NonNullable<LinkSchema['onDelete']> | null;
  declare on_update: NonNullable<LinkSchema['onUpdate']> | null;
  declare created_at: number;
  declare updated_at: number;
}

export type LinkRow = RowOf<LinkModel>;

export function toLink(row: LinkRow): LinkSchema {
  return {
    id: row.id,
    baseId: row.base_id,
    kind: row.kind,
    title: row.title,
    tableId: row.table_id,
    columnIds: row.column_ids,
    toTableId: row.to_table_id,
    toColumnIds: row.to_column_ids,
    through: row.through_table ?? undefined,
    inverseId: row.inverse_id,
    constraint: row.constraint_name ?? undefined,
    onDelete: row.on_delete ?? undefined,
    onUpdate: row.on_update ?? undefined,
  };
}
