import { defineWebPlugin } from '@trellis/sdk/web';
import { lazy, Suspense } from 'react';
import './tasks.css';

const TaskIndicator = lazy(() => import('./TaskIndicator.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('shellItems', {
      id: 'tasks',
      slot: 'top-bar-end',
      order: 90,
      folds: true,
      when: (shell) => shell.signedIn && shell.project !== undefined,
      Component: () => (
        <Suspense>
          <TaskIndicator />
        </Suspense>
      ),
    });
  },
});
