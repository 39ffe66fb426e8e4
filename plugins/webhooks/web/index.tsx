import { defineWebPlugin, lazyPart, OpenRequests, useOpenRequest } from '@trellis/sdk/web';
import type { PickedRow } from './hook-requests.ts';
import WebhooksButton from './WebhooksButton.tsx';
import './webhooks.css';

const RunDialog = lazyPart(() => import('./RunDialog.tsx'));

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
    ctx.register('pluginPanels', {
      id: 'webhooks',
      permission: 'hookChannelRead',
      shows: ({ contributes, state }) =>
        (contributes['notificationChannels']?.length ?? 0) > 0 &&
        (state === 'enabled' || state === 'degraded'),
      Component: lazyPart(() => import('./ChannelPanel.tsx')),
    });
    const requests = new OpenRequests<PickedRow>();
    ctx.register('cellActions', {
      id: 'webhooks.run',
      label: 'Send to a webhook…',
      icon: 'send',
      order: 60,
      permission: 'hookTest',
      run: requests.open,
    });
    ctx.register('shellItems', {
      id: 'webhooks.run',
      slot: 'overlays',
      Component() {
        const picked = useOpenRequest(requests);
        return picked && <RunDialog key={picked.rowKey} picked={picked} onClose={requests.close} />;
      },
    });
  },
});
