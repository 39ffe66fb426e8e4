import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { resetFactor } from './reset-factor.ts';
import './two-factor.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('signInSteps', {
      id: 'two-factor',
      label: 'Two-factor sign-in',
      Component: lazyPart(() => import('./FactorStep.tsx')),
    });
    ctx.register('menuItems', {
      id: 'reset-second-factor',
      menu: 'person',
      label: 'Reset two-factor sign-in',
      icon: 'mobile',
      permission: 'accountReset',
      when: ({ person }) => person !== undefined,
      run: resetFactor,
    });
    ctx.register('accountPanels', {
      id: 'two-factor',
      label: 'Two-factor sign-in',
      icon: 'shield',
      order: 25,
      permission: 'ownAccount',
      Component: lazyPart(() => import('./FactorPanel.tsx')),
    });
  },
});
