import { defineServerPlugin, followRows, keptInTable, type Permission } from '@trellis/sdk/server';
import { commentNotices } from '../shared/notices.ts';
import { commentRoutes } from './comment-routes.ts';
import { CommentStore } from './comment-store.ts';
import { migrations } from './migrations.ts';
import { commentHome, createCommentPlaces } from './place-of-comments.ts';
import { createSays } from './says.ts';

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
    for (const permission of permissions) ctx.register('permissions', permission);
    const store = new CommentStore(ctx.db);
    for (const kind of commentNotices) ctx.register('noticeKinds', { ...kind, says: createSays(store) });
    followRows(ctx, keptInTable(ctx.db, 'comment'));
    const places = createCommentPlaces(ctx);
    ctx.register('objectHomes', commentHome({ store, places }));
    ctx.routes(...commentRoutes(ctx, { store, places }));
  },
});
