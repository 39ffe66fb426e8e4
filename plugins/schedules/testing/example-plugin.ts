import { defineRoute, defineServerPlugin, RowStoreToken, SchedulesToken } from '@trellis/sdk/server';

export default defineServerPlugin({
  setup(ctx) {
    const rows = ctx.get(RowStoreToken);
    // People choose this action for a schedule, with a table and a view.
    ctx.register('scheduledActions', {
      id: 'acme-stock.count',
      label: 'Count the rows of a view',
      description: 'Keeps in the log how many rows the view has.',
      icon: 'hashtag',
      target: 'view',
      permission: 'dataCount',
      settings: { type: 'object', properties: {} },
      async run({ handle, signal }) {
        if (handle === undefined) return { msg: 'There is no view.' };
        return { msg: `${await rows.count(handle, {}, signal)} rows.` };
      },
    });
    // Nobody can choose this one: the plugin creates schedules for it itself.
    ctx.register('scheduledActions', {
      id: 'acme-stock.remind',
      label: 'Remind',
      description: 'Reminds of what is to be ordered.',
      icon: 'bell',
      target: 'none',
      isOffered: false,
      settings: { type: 'object', properties: {} },
      async run({ scope, settings }) {
        await ctx.kv.set(`reminded ${scope.projectId ?? ''}`, settings);
        return { msg: 'Reminded.' };
      },
    });
    ctx.routes(
      defineRoute({
        method: 'PUT',
        path: 'projects/:projectId/reminder',
        permission: 'scheduleUpdate',
        object: { kind: 'project', param: 'projectId' },
        summary: 'Have people reminded each weekday',
        handle: ({ scope, body }) =>
          ctx.get(SchedulesToken).keep(scope, {
            action: 'acme-stock.remind',
            key: 'weekdays',
            title: 'Reminder',
            cron: '0 8 * * 1-5',
            timeZone: 'Europe/Berlin',
            settings: body as Readonly<Record<string, unknown>>,
          }),
      }),
      defineRoute({
        method: 'GET',
        path: 'projects/:projectId/reminder',
        permission: 'scheduleList',
        object: { kind: 'project', param: 'projectId' },
        summary: 'Read of what people were reminded last',
        handle: async ({ scope }) => (await ctx.kv.get(`reminded ${scope.projectId ?? ''}`)) ?? {},
      }),
    );
  },
});
