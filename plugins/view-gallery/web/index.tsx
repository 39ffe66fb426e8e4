import { defineWebPlugin, lazyPart, usualParts } from '@trellis/sdk/web';
import { galleryView } from '../shared/index.ts';

const View = lazyPart(() => import('./GalleryView.tsx'));
const SettingsPanel = lazyPart(() => import('./GallerySettings.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('viewTypes', {
      ...galleryView,
      icon: 'images',
      View,
      SettingsPanel,
      uses: [...usualParts, 'colors'],
    });
  },
});
