import type { ProjectRole } from '@trellis/sdk/shared';

/** The roles on which a custom role can stand. Those who change tables are limited by nothing in them. */
export const baseRoles = ['editor', 'commenter', 'viewer'] as const satisfies readonly ProjectRole[];
export type BaseRole = (typeof baseRoles)[number];

export const tableAccesses = ['write', 'read', 'none'] as const;
export type TableAccess = (typeof tableAccesses)[number];

/** What a custom role leaves of a table. */
export interface TableRights {
  /** `none`: the table does not exist for the role. */
  readonly access: TableAccess;
  /** Whether rows are added. */
  readonly create: boolean;
  /** Whether rows are deleted. */
  readonly delete: boolean;
  /** By column id; `write` is as the table is. */
  readonly columns: Readonly<Record<string, TableAccess>>;
  /** Columns that are not named, as those are that are made later. System columns are as the table is unless they are named. */
  readonly newColumns: TableAccess;
}

/** What somebody says of a custom role. */
export interface CustomRoleInput {
  readonly title: string;
  readonly description: string;
  /** What the role may do at the most. */
  readonly base: BaseRole;
  /** Ids of permissions of the base role that the role does not have. */
  readonly denied: readonly string[];
  /** By table id. */
  readonly tables: Readonly<Record<string, TableRights>>;
  /** Tables that are not named, as those are that are made later; `write` is as the base role has them. */
  readonly newTables: TableAccess;
}

/** A custom role of a project. */
export interface CustomRole extends CustomRoleInput {
  readonly id: string;
  /** Names what is said of it: a change sends it back as `replaces`. */
  readonly revision: string;
  /** How many members have it. */
  readonly people: number;
}

/** Whether a text may be the id of a custom role. */
export function isCustomRoleId(text: string): boolean {
  return /^ro_[0-9a-f]{32}$/.test(text);
}

/** The kind of the live event that tells that custom roles of a project came, changed or went. */
export const rolesObjectKind = 'custom-roles';

/** Custom roles of one project. */
export const mostRoles = 50;
