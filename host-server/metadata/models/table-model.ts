import { Model } from 'objection';
import type { ViewGroup } from '@trellis/sdk/shared';
import { BaseModel } from './base-model.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';
import { ProjectModel } from './project-model.ts';

export class TableModel extends MetadataModel {
  static override readonly tableName = 'trellis_table';
  static override readonly flags = ['junction'];
  static override readonly numbers = ['sort_order', 'parked_at', 'created_at', 'updated_at'];
  static override readonly objects = ['meta', 'view_groups'];
  static override readonly relationMappings = () => ({
    project: {
      relation: Model.BelongsToOneRelation,
      modelClass: ProjectModel,
      join: { from: 'trellis_table.project_id', to: 'trellis_project.id' },
    },
    base: {
      relation: Model.BelongsToOneRelation,
      modelClass: BaseModel,
      join: { from: 'trellis_table.base_id', to: 'trellis_base.id' },
    },
  });

  declare id: string;
  declare project_id: string;
  declare base_id: string;
  declare title: string;
  declare table_name: string;
  declare kind: 'table' | 'view';
  declare junction: boolean;
  declare read_only_reason: string | null;
  declare meta: Readonly<Record<string, unknown>> | null;
  declare view_groups: readonly ViewGroup[] | null;
  declare sort_order: number;
  declare parked_at: number | null;
  declare created_at: number;
  declare updated_at: number;
  declare project?: ProjectModel;
  declare base?: BaseModel;
}

export type TableRow = RowOf<TableModel>;
