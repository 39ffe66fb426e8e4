import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import { isShareId, visitorHeader } from '../shared/index.ts';
import { visitedShare, visitPath } from './visit.ts';
import './shared-base.css';

const VisitorPage = lazyPart(() => import('./VisitorPage.tsx'));
const ShareBaseButton = lazyPart(() => import('./ShareBaseButton.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    // A visit shows what visitors see, even to a signed-in person.
    ctx.tap('api.willSend', (headers, { path }) => {
      const uuid = visitedShare();
      return uuid !== undefined && path.startsWith('/api/v1/db/')
        ? { ...headers, [visitorHeader]: uuid }
        : headers;
    });
    ctx.register('routes', {
      id: 'shared-base',
      path: visitPath,
      Component: VisitorPage,
      access: 'everyone',
      framed: true,
      validate: ({ uuid = '' }) => isShareId(uuid),
    });
    ctx.register('shellItems', {
      id: 'shared-base',
      slot: 'top-bar-end',
      order: 15,
      folds: true,
      permission: 'getSharedBaseLink',
      when: (shell) => shell.project !== undefined,
      Component: ShareBaseButton,
    });
  },
});
