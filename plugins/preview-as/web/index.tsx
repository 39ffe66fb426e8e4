import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { previewHeader } from '../shared/index.ts';
import PreviewMenu from './PreviewMenu.tsx';
import { isPreviewed, previewedCustomRole, previewedRole } from './preview-state.ts';
import './preview-as.css';

const PreviewBanner = lazyPart(() => import('./PreviewBanner.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.tap('api.willSend', (headers, { path }) => {
      const role = previewedCustomRole()?.id ?? previewedRole();
      return role !== undefined && isPreviewed(path, window.location.hash)
        ? { ...headers, [previewHeader]: role }
        : headers;
    });
    ctx.register('shellItems', {
      id: 'preview-as',
      slot: 'top-bar-end',
      order: 20,
      folds: true,
      permission: 'previewAs',
      when: (shell) => shell.project !== undefined,
      Component: PreviewMenu,
    });
    ctx.register('shellItems', {
      id: 'preview-banner',
      slot: 'overlays',
      when: (shell) =>
        shell.project !== undefined && (previewedCustomRole() ?? previewedRole()) !== undefined,
      Component: PreviewBanner,
    });
  },
});
