import { Model } from 'objection';
import type { ProjectSchema } from '@trellis/sdk/server';
import { wireTime } from '../stored-values.ts';
import { BaseModel } from './base-model.ts';
import { GrantModel } from './grant-model.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';

export class ProjectModel extends MetadataModel {
  static override readonly tableName = 'trellis_project';
  static override readonly numbers = ['sort_order', 'deleted_at', 'created_at', 'updated_at'];
  static override readonly objects = ['meta'];
  static override readonly relationMappings = () => ({
    bases: {
      relation: Model.HasManyRelation,
      modelClass: BaseModel,
      join: { from: 'trellis_project.id', to: 'trellis_base.project_id' },
    },
    grants: {
      relation: Model.HasManyRelation,
      modelClass: GrantModel,
      join: { from: 'trellis_project.id', to: 'trellis_grant.project_id' },
    },
  });

  declare id: string;
  declare title: string;
  declare prefix: string;
  declare description: string | null;
  declare color: string | null;
  declare meta: Readonly<Record<string, unknown>> | null;
  declare sort_order: number;
  declare deleted_at: number | null;
  declare created_at: number;
  declare updated_at: number;
  declare bases?: BaseModel[];
  declare grants?: GrantModel[];
}

export type ProjectRow = RowOf<ProjectModel>;

export function toProject(row: ProjectRow): ProjectSchema {
  return {
    id: row.id,
    title: row.title,
    prefix: row.prefix,
    description: row.description ?? undefined,
    color: row.color ?? undefined,
    meta: row.meta ?? undefined,
    order: row.sort_order,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}
