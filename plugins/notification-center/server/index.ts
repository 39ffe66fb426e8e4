import { BusToken, defineServerPlugin, LiveChannelToken } from '@trellis/sdk/server';
import { InboxToken, noticesObjectKind } from '../shared/index.ts';
import { migrations } from './migrations.ts';
import { noticeRoutes } from './notice-routes.ts';
import { Notices } from './notices.ts';

declare module '@trellis/sdk/server' {
  interface BusTopics {
    /** People of a project were told something. */
    'notification-center.told': { readonly projectId: string; readonly requestId: string };
  }
}

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    const notices = new Notices(ctx.db);
    const bus = ctx.get(BusToken);
    const live = ctx.get(LiveChannelToken);
    ctx.own(
      bus.subscribe('notification-center.told', {
        message: ({ projectId, requestId }) =>
          live.publish({ kind: 'objects', projectId, objectKind: noticesObjectKind, requestId }),
        // Who was told meanwhile sees it with the next look at the page.
        gap: () => undefined,
      }),
    );
    ctx.provide(InboxToken, () => ({
      async tell(told) {
        await notices.add(told);
        const byProject = new Map(told.map(({ projectId, requestId }) => [projectId, requestId]));
        for (const [projectId, requestId] of byProject)
          bus.publish('notification-center.told', { projectId, requestId });
      },
    }));
    ctx.tap('projects.didPurge', ({ projectId }) => notices.forgetProject(projectId));
    ctx.tap('accounts.didDelete', ({ accountId }) => notices.forgetAccount(accountId));
    ctx.register('jobs', { id: 'notification-center.sweep', every: 24 * 3600, run: () => notices.sweep() });
    ctx.routes(...noticeRoutes(ctx, notices));
  },
});
