import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import './mail.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('pluginPanels', {
      id: 'mail',
      permission: 'mailUpdate',
      shows: ({ contributes, state }) =>
        (contributes['mailAdapters']?.length ?? 0) > 0 && (state === 'enabled' || state === 'degraded'),
      Component: lazyPart(() => import('./MailPanel.tsx')),
    });
  },
});
