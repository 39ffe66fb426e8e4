import { defineWebPlugin } from '@trellis/sdk/web';
import { lazy } from 'react';
import { PaletteState } from './palette-state.ts';
import { createPaletteButton } from './PaletteButton.tsx';
import { createPaletteHost } from './PaletteHost.tsx';
import './palette.css';

const CommandPalette = lazy(() => import('./CommandPalette.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const state = new PaletteState();
    ctx.register('commands', {
      id: 'palette.open',
      label: 'Search everything',
      keys: 'mod+k',
      when: ({ signedIn }) => signedIn,
      run: () => state.open(),
    });
    ctx.register('shellItems', {
      id: 'palette',
      slot: 'overlays',
      when: ({ signedIn }) => signedIn,
      Component: createPaletteHost(state, CommandPalette),
    });
    ctx.register('shellItems', {
      id: 'palette-button',
      slot: 'top-bar-end',
      order: 10,
      when: ({ signedIn }) => signedIn,
      Component: createPaletteButton(state),
    });
  },
});
