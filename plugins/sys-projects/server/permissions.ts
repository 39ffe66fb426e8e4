import type { Permission } from '@trellis/sdk/server';

/** What this plugin answers beside the schema store. */
export const permissions: readonly Permission[] = [
  { id: 'aggregatedMetaInfo', label: 'See how much this server holds', roles: [], scope: 'account' },
  { id: 'projectInfoGet', label: 'Read the facts about a project', roles: [], scope: 'project' },
  {
    id: 'projectCost',
    label: 'Read the cost of a project',
    roles: ['editor', 'commenter', 'viewer'],
    scope: 'project',
  },
];
