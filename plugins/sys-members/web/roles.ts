import { isWithinRole, projectRoles, type ProjectEntity, type ProjectRole } from '@trellis/sdk/shared';

/** What each role means, as people choose one. */
export const roleMeanings: Readonly<Record<ProjectRole, { readonly meaning: string }>> = {
  owner: { meaning: 'May do everything, also delete the project' },
  creator: { meaning: 'May do everything, also change tables and invite people' },
  editor: { meaning: 'May add, change and delete rows' },
  commenter: { meaning: 'May read rows and comment on them' },
  viewer: { meaning: 'May read rows' },
};

/** The roles that the person may give in a project, from most to least. */
export function givableRoles({ role }: ProjectEntity): readonly ProjectRole[] {
  return projectRoles.filter((of) => role !== undefined && isWithinRole(of, role));
}

/** What a usual role means; empty for the id of a custom one. */
export function meaningOf(role: string): string {
  const usual = projectRoles.find((of) => of === role);
  return usual === undefined ? '' : roleMeanings[usual].meaning;
}
