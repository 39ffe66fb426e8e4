import type { ListedViewEntity, ProjectRole } from '@trellis/sdk/shared';

/** Roles from which views can be hidden. Owners see everything, so that nothing is lost to everybody. */
export const hideableRoles = [
  'creator',
  'editor',
  'commenter',
  'viewer',
] as const satisfies readonly ProjectRole[];
export type HideableRole = (typeof hideableRoles)[number];

/** A view with the roles for which it is not listed, as it travels. */
export interface VisibilityEntity extends ListedViewEntity {
  readonly disabled: Readonly<Record<string, boolean>>;
}
