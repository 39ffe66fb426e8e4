import { isWithinRole, projectRoles, type ProjectEntity, type ProjectRole } from '@trellis/sdk/shared';

/** The meaning of each role, for people who choose one. */
export const roleMeanings: Readonly<Record<ProjectRole, { readonly meaning: string }>> = {
  owner: { meaning: 'May do everything, also delete the project' },
  creator: { meaning: 'May do everything, also change tables and invite people' },
  editor: { meaning: 'May add, change and delete rows' },
  commenter: { meaning: 'May read rows and comment on them' },
  viewer: { meaning: 'May read rows' },
};

/** The roles that the person may give in a project, from most to least rights. */
export function givableRoles({ role }: ProjectEntity): readonly ProjectRole[] {
  return projectRoles.filter((of) => role !== undefined && isWithinRole(of, role));
}

/** The meaning of a usual role; empty for a custom role's id. */
export function meaningOf(role: string): string {
  const usual = projectRoles.find((of) => of === role);
  return usual === undefined ? '' : roleMeanings[usual].meaning;
}
