import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import './webhooks.css';

const WebhooksButton = lazyPart(() => import('./WebhooksButton.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('toolbarItems', {
      id: 'webhooks',
      slot: 'view-toolbar-end',
      order: 60,
      permission: 'hookList',
      Component: WebhooksButton,
    });
  },
});
