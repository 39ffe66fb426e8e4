import type { ProjectRole } from '@trellis/sdk/shared';
import { MetadataModel } from './metadata-model.ts';

/** The rights of an account in a project. */
export class GrantModel extends MetadataModel {
  static override readonly tableName = 'trellis_grant';
  static override readonly idColumn = ['project_id', 'account_id'];
  static override readonly numbers = ['created_at'];

  declare project_id: string;
  declare account_id: string;
  declare role: ProjectRole;
  declare created_at: number;
}
