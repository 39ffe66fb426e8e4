import type { FilterSchema } from '@trellis/sdk/server';
import type { LogicalOp } from '@trellis/sdk/shared';
import { wireTime } from '../stored-values.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';

export class FilterModel extends MetadataModel {
  static override readonly tableName = 'trellis_filter';
  static override readonly flags = ['is_group'];
  static override readonly numbers = ['sort_order', 'created_at', 'updated_at'];
  static override readonly values = ['value'];

  declare id: string;
  declare project_id: string;
  declare view_id: string;
  /** The group that contains the filter. */
  declare parent_id: string | null;
  declare is_group: boolean;
  declare logical_op: LogicalOp;
  declare column_id: string | null;
  declare operator: string | null;
  declare value: unknown;
  declare sort_order: number;
  declare created_at: number;
  declare updated_at: number;
}

export type FilterRow = RowOf<FilterModel>;

export function toFilter(row: FilterRow, children: readonly FilterSchema[]): FilterSchema {
  return {
    id: row.id,
    viewId: row.view_id,
    parentId: row.parent_id ?? undefined,
    isGroup: row.is_group,
    logicalOp: row.logical_op,
    columnId: row.column_id ?? undefined,
    operator: row.operator ?? undefined,
    value: row.value,
    order: row.sort_order,
    children,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}
