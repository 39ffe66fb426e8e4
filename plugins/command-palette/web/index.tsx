import { defineWebPlugin, OpenRequests } from '@trellis/sdk/web';
import { lazy } from 'react';
import { createPaletteButton } from './PaletteButton.tsx';
import { createPaletteHost } from './PaletteHost.tsx';
import './palette.css';

const CommandPalette = lazy(() => import('./CommandPalette.tsx'));
const KeysDialog = lazy(() => import('./KeysDialog.tsx'));

const forMembers = { when: ({ signedIn }: { readonly signedIn: boolean }) => signedIn };

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const palette = new OpenRequests<true>();
    const keys = new OpenRequests<true>();
    ctx.register('commands', {
      ...forMembers,
      id: 'palette.open',
      label: 'Search everything',
      keys: 'mod+k',
      run: () => palette.open(true),
    });
    ctx.register('commands', {
      ...forMembers,
      id: 'palette.keys',
      label: 'Show the keyboard shortcuts',
      icon: 'question-circle',
      keys: ['?', 'mod+/'],
      run: () => keys.open(true),
    });
    ctx.register('menuItems', {
      ...forMembers,
      id: 'palette.keys',
      menu: 'account',
      label: 'Keyboard shortcuts',
      icon: 'question-circle',
      order: 60,
      run: () => keys.open(true),
    });
    ctx.register('shellItems', {
      ...forMembers,
      id: 'palette',
      slot: 'overlays',
      Component: createPaletteHost(palette, CommandPalette),
    });
    ctx.register('shellItems', {
      ...forMembers,
      id: 'keys',
      slot: 'overlays',
      Component: createPaletteHost(keys, KeysDialog),
    });
    ctx.register('shellItems', {
      ...forMembers,
      id: 'palette-button',
      slot: 'top-bar-end',
      order: 10,
      Component: createPaletteButton(palette),
    });
  },
});
