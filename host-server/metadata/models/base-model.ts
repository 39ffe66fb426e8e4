import type { BaseSchema } from '@trellis/sdk/server';
import { wireTime } from '../stored-values.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';

/** The database of a project's tables: our own one, or one that existed. */
export class BaseModel extends MetadataModel {
  static override readonly tableName = 'trellis_base';
  static override readonly flags = ['own'];
  static override readonly numbers = ['created_at', 'updated_at'];

  declare id: string;
  declare project_id: string;
  declare alias: string | null;
  declare own: boolean;
  declare dialect: BaseSchema['dialect'];
  /** The sealed address of a database that existed. */
  declare config: string | null;
  declare inflection_table: string | null;
  declare inflection_column: string | null;
  declare created_at: number;
  declare updated_at: number;
}

export type BaseRow = RowOf<BaseModel>;

export function toBase(row: BaseRow): BaseSchema {
  return {
    id: row.id,
    projectId: row.project_id,
    alias: row.alias ?? undefined,
    own: row.own,
    dialect: row.dialect,
    readOnlyReason: undefined,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}
