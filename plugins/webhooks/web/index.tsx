import { defineWebPlugin, lazyPart, OpenRequests, useOpenRequest, useShell } from '@trellis/sdk/web';
import type { PickedRow } from './hook-requests.ts';
import { useHookInAddress, type NamedHook } from './hook-in-address.ts';
import WebhooksButton from './WebhooksButton.tsx';
import './webhooks.css';

const WebhooksDialog = lazyPart(() => import('./WebhooksDialog.tsx'));
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
      shows: ({ id, contributes, state }) =>
        (id === 'webhooks' || (contributes['notificationChannels']?.length ?? 0) > 0) &&
        (state === 'enabled' || state === 'degraded'),
      Component: lazyPart(() => import('./ChannelPanel.tsx')),
    });
    const named = new OpenRequests<NamedHook>();
    ctx.register('shellItems', {
      id: 'webhooks.named',
      slot: 'overlays',
      Component() {
        useHookInAddress(named);
        const open = useOpenRequest(named);
        const { table } = useShell().context;
        if (open === undefined) return null;
        // The table's columns may change while the dialog is open.
        const of = table?.id === open.table.id ? table : open.table;
        return <WebhooksDialog key={open.hookId} table={of} named={open.hookId} onClose={named.close} />;
      },
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
