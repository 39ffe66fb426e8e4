import { BusToken, defineServerPlugin, LiveChannelToken, type Permission } from '@trellis/sdk/server';
import { commentNotices } from '../shared/notices.ts';
import { commentsObjectKind } from '../shared/index.ts';
import { commentRoutes } from './comment-routes.ts';
import { CommentStore } from './comment-store.ts';
import { migrations } from './migrations.ts';

declare module '@trellis/sdk/server' {
  interface BusTopics {
    /** Comments on rows of a table were written, changed or deleted. */
    'row-comments.changed': {
      readonly projectId: string;
      readonly tableId: string;
      readonly requestId: string;
    };
  }
}

const readers = ['editor', 'commenter', 'viewer'] as const;
const permissions: readonly Permission[] = [
  { id: 'commentRow', label: 'Comment on rows', roles: ['editor', 'commenter'], scope: 'project' },
  { id: 'commentList', label: 'Read comments on rows', roles: readers, scope: 'project' },
  { id: 'commentsCount', label: 'See how many comments rows have', roles: readers, scope: 'project' },
  { id: 'commentModerate', label: 'Delete comments of others', roles: [], scope: 'project' },
];

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const kind of commentNotices) ctx.register('noticeKinds', kind);
    for (const permission of permissions) ctx.register('permissions', permission);
    const store = new CommentStore(ctx.db);
    const live = ctx.get(LiveChannelToken);
    ctx.own(
      ctx.get(BusToken).subscribe('row-comments.changed', {
        message: ({ projectId, tableId, requestId }) =>
          live.publish({
            kind: 'objects',
            projectId,
            objectKind: commentsObjectKind(tableId),
            requestId,
          }),
        // A page that shows comments reads them again when it connects again.
        gap: () => undefined,
      }),
    );
    ctx.tap('projects.didPurge', ({ projectId }) => store.forgetProject(projectId));
    ctx.routes(...commentRoutes(ctx, store));
  },
});
