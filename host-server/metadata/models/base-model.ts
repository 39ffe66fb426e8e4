import { createHash } from 'node:crypto';
import type { BaseSchema } from '@trellis/sdk/server';
import { wireTime } from '../stored-values.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';

/** The database of a project's tables: our own one, or an existing one. */
export class BaseModel extends MetadataModel {
  static override readonly tableName = 'trellis_base';
  static override readonly flags = ['own'];
  static override readonly numbers = ['created_at', 'updated_at'];
  static override readonly objects = ['rules'];

  declare id: string;
  declare project_id: string;
  declare alias: string | null;
  declare own: boolean;
  declare dialect: BaseSchema['dialect'];
  /** The sealed address of an existing database. */
  declare config: string | null;
  /** Null for our own database, and for files that were opened before rules existed. */
  declare rules: BaseRules | null;
  declare inflection_table: string | null;
  declare inflection_column: string | null;
  declare created_at: number;
  declare updated_at: number;
}

export type BaseRow = RowOf<BaseModel>;

/** Which changes an existing database allows. */
export interface BaseRules {
  readonly readOnly: boolean;
  readonly schemaChanges: boolean;
}

const readOnly = 'This database was opened to be read only.';

export function toBase(row: BaseRow): BaseSchema {
  return {
    id: row.id,
    projectId: row.project_id,
    alias: row.alias ?? undefined,
    own: row.own,
    dialect: row.dialect,
    readOnlyReason: row.rules?.readOnly === true ? readOnly : undefined,
    schemaChanges: row.rules?.schemaChanges !== false,
    revision: row.config === null ? undefined : revisionOf(row.config),
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
  };
}

/** Differs for every sealed connection. */
export function revisionOf(config: string): string {
  return createHash('sha256').update(config).digest('base64url');
}
