import {
  AccessServiceToken,
  defineRoute,
  TasksToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';

const path = '/api/v1/tasks';

/** List and read the tasks of a project, and cancel one. */
export function taskRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const access = ctx.get(AccessServiceToken);
  const tasks = ctx.get(TasksToken);
  const object = { kind: 'task', param: 'taskId' } as const;

  return [
    defineRoute<Record<string, string>, { readonly project: string }>({
      method: 'GET',
      path,
      // The project is in the query; its rights are checked below.
      permission: 'signedIn',
      summary: 'List the tasks of a project: unfinished ones first, then those that ended last',
      schemas: {
        query: {
          type: 'object',
          properties: { project: { type: 'string', minLength: 1, maxLength: 255 } },
          required: ['project'],
        },
      },
      async handle({ query, principal, id }) {
        const projectId = (await access.locateProject(query.project)) ?? '';
        const scope = await access.scopeFor(principal, projectId, id);
        const list = await tasks.list(scope);
        const count = list.length;
        return {
          list,
          pageInfo: { totalRows: count, page: 1, pageSize: count, isFirstPage: true, isLastPage: true },
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:taskId`,
      permission: 'taskList',
      object,
      summary: 'Read a task',
      handle: ({ scope, params }) => tasks.get(scope, params['taskId'] ?? ''),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:taskId/cancel`,
      permission: 'taskList',
      object,
      bodyKind: 'none',
      summary: 'Ask for the end of a task; whoever started it may, and whoever may start its kind',
      handle: ({ scope, params }) => tasks.cancel(scope, params['taskId'] ?? ''),
    }),
  ];
}
