import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { CommentCount } from './CommentCount.tsx';
import './comments.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('rowPanes', {
      id: 'comments',
      label: 'Comments',
      icon: 'comments',
      order: 10,
      permission: 'commentList',
      Badge: CommentCount,
      Component: lazyPart(() => import('./CommentsPane.tsx')),
    });
  },
});
