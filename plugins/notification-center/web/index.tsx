import { defineWebPlugin } from '@trellis/sdk/web';
import { lazy, Suspense } from 'react';
import './notifications.css';

const NoticeBell = lazy(() => import('./NoticeBell.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('shellItems', {
      id: 'notifications',
      slot: 'top-bar-end',
      order: 95,
      when: (shell) => shell.signedIn,
      Component: () => (
        <Suspense>
          <NoticeBell />
        </Suspense>
      ),
    });
  },
});
