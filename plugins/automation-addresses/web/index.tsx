import { defineWebPlugin, lazyPart, type AutomationInputProps } from '@trellis/sdk/web';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('automationInputParts', {
      id: 'automation-addresses.address',
      Component: lazyPart<AutomationInputProps>(() => import('./AddressField.tsx')),
    });
  },
});
