import type { ListedViewEntity, ProjectRole } from '@trellis/sdk/shared';

/** Roles from which views can be hidden. Owners see everything, so that no view is hidden from all. */
export const hideableRoles = [
  'creator',
  'editor',
  'commenter',
  'viewer',
] as const satisfies readonly ProjectRole[];
export type HideableRole = (typeof hideableRoles)[number];

/** A view with the roles from which it is hidden, in answers. */
export interface VisibilityEntity extends ListedViewEntity {
  readonly disabled: Readonly<Record<string, boolean>>;
}
