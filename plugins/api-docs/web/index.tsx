import { defineWebPlugin, lazyPart } from '@trellis/sdk/web';
import './api-docs.css';

const TryPage = lazyPart(() => import('./TryPage.tsx'));
const ReadPage = lazyPart(() => import('./ReadPage.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const title = 'API';
    ctx.register('routes', { id: 'api-docs.try', path: '/nc/:projectId/swagger', Component: TryPage, title });
    ctx.register('routes', { id: 'api-docs.read', path: '/nc/:projectId/redoc', Component: ReadPage, title });
    ctx.register('menuItems', {
      id: 'api-docs.open',
      menu: 'project',
      label: 'API',
      icon: 'code',
      order: 70,
      permission: 'projectGet',
      run({ project }, { navigate }) {
        if (project) navigate(`/nc/${encodeURIComponent(project.id)}/swagger`);
      },
    });
  },
});
