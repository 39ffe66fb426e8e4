import { type AutomationInputProps, defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { hoursPart } from '../shared/index.ts';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    // Drawn in the editor of automations, for the step's input that names it.
    ctx.register('automationInputParts', {
      id: hoursPart,
      Component: lazyPart<AutomationInputProps>(() => import('./HoursSlider.tsx')),
    });
  },
});
