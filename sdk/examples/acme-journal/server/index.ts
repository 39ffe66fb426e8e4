import { defineRoute, defineServerPlugin } from '@trellis/sdk/server';
import { Journal, migrations } from './journal.ts';
import { jsonLines } from './json-lines.ts';

const dayMs = 24 * 60 * 60 * 1000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

export default defineServerPlugin<{ readonly days: number }>({
  migrations,
  setup(ctx) {
    const journal = new Journal(ctx.db);

    ctx.tap('rows.didChange', ({ changes, table }) =>
      journal.add(table.projectId, dayOf(Date.now()), changes.length),
    );
    ctx.tap('projects.didPurge', ({ projectId }) => journal.forgetProject(projectId));

    // One of all servers runs it, and none while the plugin is off: what it does must be the same whenever it comes.
    ctx.register('jobs', {
      id: 'acme-journal.prune',
      every: 3600,
      run: () => journal.forgetBefore(dayOf(Date.now() - ctx.settings.current.days * dayMs)),
    });

    ctx.register('exporters', jsonLines);

    ctx.routes(
      defineRoute({
        method: 'GET',
        path: 'projects/:projectId/days',
        permission: 'projectGet',
        object: { kind: 'project', param: 'projectId' },
        summary: 'List how many changes of rows a project had on each day',
        handle: async ({ params: { projectId = '' } }) => ({ list: await journal.ofProject(projectId) }),
      }),
    );
  },
});
