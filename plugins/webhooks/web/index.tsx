import { defineWebPlugin } from '@trellis/sdk/web';
import WebhooksButton from './WebhooksButton.tsx';
import './webhooks.css';

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
