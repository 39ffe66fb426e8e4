import type { ViewColumnSchema } from '@trellis/sdk/server';
import { wireTime } from '../stored-values.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';

/** A column's place in a view. */
export class ViewColumnModel extends MetadataModel {
  static override readonly tableName = 'trellis_view_column';
  static override readonly flags = ['visible'];
  static override readonly numbers = ['width', 'sort_order', 'created_at', 'updated_at'];
  static override readonly objects = ['meta'];

  declare id: string;
  declare project_id: string;
  declare view_id: string;
  declare column_id: string;
  declare visible: boolean;
  declare width: number | null;
  declare sort_order: number;
  declare meta: Readonly<Record<string, unknown>> | null;
  declare created_at: number;
  declare updated_at: number;
}

export type ViewColumnRow = RowOf<ViewColumnModel>;

export function toViewColumn(row: ViewColumnRow): ViewColumnSchema {
  return {
    id: row.id,
    viewId: row.view_id,
    columnId: row.column_id,
    show: row.visible,
    order: row.sort_order,
    width: row.width ?? undefined,
    meta: row.meta ?? undefined,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}
