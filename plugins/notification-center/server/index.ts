import {
  BusToken,
  defineServerPlugin,
  followRows,
  InboxToken,
  keptInTable,
  LiveChannelToken,
  writeTo,
} from '@trellis/sdk/server';
import { noticesObjectKind } from '../shared/index.ts';
import { Digests } from './digests.ts';
import { migrations } from './migrations.ts';
import { NoticeKinds } from './notice-kinds.ts';
import { noticeRoutes } from './notice-routes.ts';
import { Notices } from './notices.ts';

declare module '@trellis/sdk/server' {
  interface BusTopics {
    /** Called when people of a project got notices. */
    'notification-center.told': { readonly projectId: string; readonly requestId: string };
  }
}

export default defineServerPlugin<{ readonly digestHour: number }>({
  migrations,
  setup(ctx) {
    const kinds = new NoticeKinds(ctx);
    const notices = new Notices(ctx.db, kinds);
    const digests = new Digests(ctx);
    const bus = ctx.get(BusToken);
    const live = ctx.get(LiveChannelToken);
    ctx.own(
      bus.subscribe('notification-center.told', {
        message: ({ projectId, requestId }) =>
          live.publish({ kind: 'objects', projectId, objectKind: noticesObjectKind, requestId }),
        // People who got notices meanwhile see them when they next look at the page.
        gap: () => undefined,
      }),
    );
    ctx.provide(InboxToken, () => ({
      async tell(told) {
        const wishOf = await notices.wishes(told.map(({ accountId }) => accountId));
        const fresh = await notices.add(
          told.map((notice) => {
            const wish = wishOf(notice.accountId, notice.kind);
            const { letter } = notice;
            const isDaily = letter !== undefined && wish.mail === 'daily';
            return { ...notice, wish, ...(isDaily && { digest: digests.seal(letter) }) };
          }),
        );
        const shown = fresh.filter(({ wish }) => wish.page);
        const byProject = new Map(shown.map(({ projectId, requestId }) => [projectId, requestId]));
        for (const [projectId, requestId] of byProject)
          bus.publish('notification-center.told', { projectId, requestId });
        for (const { accountId, letter, wish } of fresh) {
          if (letter === undefined || wish.mail !== 'now') continue;
          await writeTo(ctx, accountId, letter).catch((error: unknown) =>
            ctx.logger.warn('Somebody was not mailed what concerns them', { error }),
          );
        }
      },
    }));
    followRows(ctx, keptInTable(ctx.db, 'notice'));
    ctx.tap('accounts.didDelete', ({ accountId }) => notices.forgetAccount(accountId));
    ctx.register('jobs', { id: 'notification-center.sweep', every: 24 * 3600, run: () => notices.sweep() });
    ctx.register('jobs', {
      id: 'notification-center.digest',
      every: 600,
      run: ({ signal }) => digests.sendDue(ctx.settings.current.digestHour, signal),
    });
    ctx.routes(...noticeRoutes(ctx, { notices, kinds }));
  },
});
