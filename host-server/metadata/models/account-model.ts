import type { Account } from '@trellis/sdk/server';
import { rolesOfAccount } from './account-roles.ts';
import { MetadataModel, type RowOf } from './metadata-model.ts';

export class AccountModel extends MetadataModel {
  static override readonly tableName = 'trellis_account';
  static override readonly numbers = ['super_slot', 'disabled_at', 'created_at', 'updated_at'];

  declare id: string;
  declare email: string;
  /** See `emailKey`. */
  declare email_key: string;
  declare firstname: string | null;
  declare lastname: string | null;
  /** Names of roles, separated by commas. */
  declare roles: string;
  /** 1 for the first account; the column is unique. */
  declare super_slot: number | null;
  /** The time since which the account is disabled. */
  declare disabled_at: number | null;
  declare created_at: number;
  declare updated_at: number;
}

export function toAccount(row: RowOf<AccountModel>): Account {
  return {
    id: row.id,
    email: row.email,
    firstname: row.firstname ?? undefined,
    lastname: row.lastname ?? undefined,
    roles: rolesOfAccount(row.roles),
    isDisabled: row.disabled_at !== null,
    createdAt: new Date(row.created_at).toISOString(),
  };
}
