import { Model } from 'objection';
import type { FilterSchema, SortSchema, ViewColumnSchema, ViewSchema } from '@trellis/sdk/server';
import { wireTime } from '../stored-values.ts';
import { FilterModel } from './filter-model.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';
import { SortModel } from './sort-model.ts';
import { ViewColumnModel } from './view-column-model.ts';

const partsOf = (modelClass: typeof ViewColumnModel | typeof SortModel | typeof FilterModel) => ({
  relation: Model.HasManyRelation,
  modelClass,
  join: { from: 'trellis_view.id', to: `${modelClass.tableName}.view_id` },
});

export class ViewModel extends MetadataModel {
  static override readonly tableName = 'trellis_view';
  static override readonly flags = ['is_default', 'show_system_fields'];
  static override readonly numbers = ['sort_order', 'created_at', 'updated_at'];
  static override readonly objects = ['meta'];
  static override readonly relationMappings = () => ({
    columns: partsOf(ViewColumnModel),
    sorts: partsOf(SortModel),
    filters: partsOf(FilterModel),
  });

  declare id: string;
  declare project_id: string;
  declare table_id: string;
  declare title: string;
  declare type: string;
  declare is_default: boolean;
  declare show_system_fields: boolean;
  declare lock_type: ViewSchema['lockType'];
  declare owner_id: string | null;
  declare made_by: string | null;
  declare description: string | null;
  declare group_id: string | null;
  declare icon: string | null;
  declare meta: Readonly<Record<string, unknown>> | null;
  declare sort_order: number;
  declare created_at: number;
  declare updated_at: number;
  declare columns?: ViewColumnModel[];
  declare sorts?: SortModel[];
  declare filters?: FilterModel[];
}

export type ViewRow = RowOf<ViewModel>;

export interface ViewParts {
  readonly columns: readonly ViewColumnSchema[];
  readonly sorts: readonly SortSchema[];
  readonly filters: readonly FilterSchema[];
}

export function toView(row: ViewRow, parts: ViewParts): ViewSchema {
  return {
    id: row.id,
    tableId: row.table_id,
    title: row.title,
    type: row.type,
    isDefault: row.is_default,
    showSystemFields: row.show_system_fields,
    lockType: row.lock_type,
    ownerId: row.owner_id ?? undefined,
    madeBy: row.made_by ?? undefined,
    description: row.description ?? undefined,
    groupId: row.group_id ?? undefined,
    icon: row.icon ?? undefined,
    order: row.sort_order,
    meta: row.meta ?? undefined,
    ...parts,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}
