import type { SortSchema } from '@trellis/sdk/server';
import { wireTime } from '../stored-values.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';

export class SortModel extends MetadataModel {
  static override readonly tableName = 'trellis_sort';
  static override readonly numbers = ['sort_order', 'created_at', 'updated_at'];

  declare id: string;
  declare project_id: string;
  declare view_id: string;
  declare column_id: string;
  declare direction: SortSchema['direction'];
  declare sort_order: number;
  declare created_at: number;
  declare updated_at: number;
}

export function toSort(row: RowOf<SortModel>): SortSchema {
  return {
    id: row.id,
    viewId: row.view_id,
    columnId: row.column_id,
    direction: row.direction,
    order: row.sort_order,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}
