import type { ColumnSchema } from '@trellis/sdk/server';
import { isStorageKind, type StorageKind } from '@trellis/sdk/shared';
import { Model } from 'objection';
import { wireTime } from '../stored-values.ts';
import { isSystemColumn } from './column-rules.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';
import { TableModel } from './table-model.ts';

export class ColumnModel extends MetadataModel {
  static override readonly tableName = 'trellis_column';
  static override readonly flags = [
    'primary_key',
    'auto_increment',
    'auto_update',
    'required',
    'is_unsigned',
    'is_unique',
    'display',
    'system',
    'computed',
  ];
  static override readonly numbers = ['key_position', 'sort_order', 'parked_at', 'created_at', 'updated_at'];
  static override readonly objects = ['meta'];
  static override readonly relationMappings = () => ({
    table: {
      relation: Model.BelongsToOneRelation,
      modelClass: TableModel,
      join: { from: 'trellis_column.table_id', to: 'trellis_table.id' },
    },
  });

  declare id: string;
  declare project_id: string;
  declare table_id: string;
  declare title: string;
  declare column_name: string;
  /** The id of the column type. */
  declare uidt: string;
  declare storage: StorageKind;
  declare native_type: string;
  declare length: string | null;
  declare precision: string | null;
  declare scale: string | null;
  /** The column type that replaces `uidt` while no plugin provides it. */
  declare fallback: string;
  declare primary_key: boolean;
  declare key_position: number | null;
  declare auto_increment: boolean;
  declare auto_update: boolean;
  declare required: boolean;
  declare is_unsigned: boolean;
  declare is_unique: boolean;
  declare display: boolean;
  declare system: boolean;
  declare computed: boolean;
  declare default_value: string | null;
  declare description: string | null;
  declare meta: Readonly<Record<string, unknown>> | null;
  /** The link that the column shows. */
  declare link_id: string | null;
  declare sort_order: number;
  declare parked_at: number | null;
  declare created_at: number;
  declare updated_at: number;
  declare table?: TableModel;
}

export type ColumnRow = RowOf<ColumnModel>;

export function toColumn(row: ColumnRow): ColumnSchema {
  return {
    id: row.id,
    tableId: row.table_id,
    title: row.title,
    columnName: row.column_name,
    type: row.uidt,
    // An unknown kind is read as text, so that one column cannot hide its table.
    storage: isStorageKind(row.storage) ? row.storage : 'text',
    nativeType: row.native_type,
    length: row.length ?? undefined,
    precision: row.precision ?? undefined,
    scale: row.scale ?? undefined,
    fallback: row.fallback,
    primaryKey: row.primary_key,
    autoIncrement: row.auto_increment,
    autoUpdate: row.auto_update,
    required: row.required,
    unsigned: row.is_unsigned,
    unique: row.is_unique,
    display: row.display,
    system: isSystemColumn(row),
    generated: row.computed,
    defaultValue: row.default_value ?? undefined,
    description: row.description ?? undefined,
    order: row.sort_order,
    meta: row.meta ?? undefined,
    linkId: row.link_id ?? undefined,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}
