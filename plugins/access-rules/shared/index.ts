import type { ProjectRole, ViewEntity } from '@trellis/sdk/shared';

/** Roles from which views can be hidden. Owners see everything, so that nothing is lost to everybody. */
export const hideableRoles = [
  'creator',
  'editor',
  'commenter',
  'viewer',
] as const satisfies readonly ProjectRole[];
export type HideableRole = (typeof hideableRoles)[number];

/** A view with the roles for which it is not listed, as it travels. */
export interface VisibilityEntity extends ViewEntity {
  /** The name of its table in the database. */
  readonly ptn: string;
  /** The title of its table. */
  readonly _ptn: string;
  readonly ptype: 'table' | 'view';
  readonly tn: string;
  readonly _tn: string;
  readonly disabled: Readonly<Record<string, boolean>>;
}
