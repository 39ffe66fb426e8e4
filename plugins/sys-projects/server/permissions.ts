import type { Permission } from '@trellis/sdk/server';

const readers: Permission['roles'] = ['editor', 'commenter', 'viewer'];

/** The rows of the authorisation table for projects. Owners and creators have all that are judged by the project role. */
export const permissions: readonly Permission[] = [
  { id: 'projectList', label: 'List the own projects', roles: ['user', 'user_new'], scope: 'account' },
  { id: 'projectCreate', label: 'Create a project', roles: ['user'], scope: 'account' },
  { id: 'databaseOpen', label: 'Open a database of this server', roles: [], scope: 'account' },
  { id: 'projectGet', label: 'Open a project', roles: readers, scope: 'project' },
  { id: 'projectInfoGet', label: 'Read the facts about a project', roles: [], scope: 'project' },
  { id: 'projectCost', label: 'Read the cost of a project', roles: readers, scope: 'project' },
  { id: 'projectUpdate', label: 'Rename a project', roles: [], scope: 'project' },
  { id: 'projectDelete', label: 'Delete a project', roles: [], scope: 'project' },
];
