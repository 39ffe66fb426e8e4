import { defineRoute, type RouteDefinition } from '@trellis/sdk/server';
import type { People } from '../shared/index.ts';
import type { Members } from './members.ts';

/** The members of a project, for pickers and cells. */
export function peopleRoutes(members: Members): readonly RouteDefinition[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/people',
      permission: 'peopleList',
      object: { kind: 'project', param: 'projectId' },
      summary: 'List the people of a project: e-mail addresses and names',
      handle: async ({ object }): Promise<People> => ({ list: await members(object.projectId ?? '') }),
    }),
  ];
}
