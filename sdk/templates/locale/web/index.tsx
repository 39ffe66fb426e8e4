import { defineWebPlugin } from '@trellis/sdk/web';

export default defineWebPlugin({
  setup(ctx) {
    ctx.register('locales', { id: 'nl', label: 'Nederlands' });
    // Loaded once somebody reads the page in this language. A text that is missing is shown in English.
    ctx.messages('nl', () => import('./messages/nl.json', { with: { type: 'json' } }));
  },
});
