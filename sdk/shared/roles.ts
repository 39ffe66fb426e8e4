import type { ProjectRole } from './entities.ts';

/** All roles in a project, from most to least. @public */
export const projectRoles: readonly ProjectRole[] = ['owner', 'creator', 'editor', 'commenter', 'viewer'];

/** Whether a role has no rights that the other one lacks: `isWithinRole('viewer', 'editor')`. @public */
export function isWithinRole(role: ProjectRole, limit: ProjectRole): boolean {
  return projectRoles.indexOf(role) >= projectRoles.indexOf(limit);
}
