import type { ProjectRole } from '@trellis/sdk/shared';

/** The possible base roles of a custom role. Those who may change tables could lift every restriction. */
export const baseRoles = ['editor', 'commenter', 'viewer'] as const satisfies readonly ProjectRole[];
export type BaseRole = (typeof baseRoles)[number];

export const tableAccesses = ['write', 'read', 'none'] as const;
export type TableAccess = (typeof tableAccesses)[number];

/** The rights of a custom role in a table. */
export interface TableRights {
  /** `none`: the table does not exist for the role. */
  readonly access: TableAccess;
  /** Whether the role may add rows. */
  readonly create: boolean;
  /** Whether the role may delete rows. */
  readonly delete: boolean;
  /** By column id; `write` means the same access as to the table. */
  readonly columns: Readonly<Record<string, TableAccess>>;
  /** The access to columns that are not named, such as new ones. System columns have the table's access unless they are named. */
  readonly newColumns: TableAccess;
}

/** The properties of a custom role that people set. */
export interface CustomRoleInput {
  readonly title: string;
  readonly description: string;
  /** The most rights that the role can have. */
  readonly base: BaseRole;
  /** Ids of permissions of the base role that the role lacks. */
  readonly denied: readonly string[];
  /** By table id. */
  readonly tables: Readonly<Record<string, TableRights>>;
  /** The access to tables that are not named, such as new ones; `write` means that of the base role. */
  readonly newTables: TableAccess;
}

/** A custom role of a project. */
export interface CustomRole extends CustomRoleInput {
  readonly id: string;
  /** Identifies its properties: a change sends it back as `replaces`. */
  readonly revision: string;
  /** The number of its members. */
  readonly people: number;
}

/** Whether a text may be the id of a custom role. */
export function isCustomRoleId(text: string): boolean {
  return /^ro_[0-9a-f]{32}$/.test(text);
}

/** The kind of the live event for created, changed or deleted custom roles of a project. */
export const rolesObjectKind = 'custom-roles';

/** The most custom roles of one project. */
export const mostRoles = 50;
