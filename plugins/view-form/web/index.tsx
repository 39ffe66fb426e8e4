import { defineWebPlugin, lazyPart, type ViewLinkProps } from '@trellis/sdk/web';
import { formView } from '../shared/index.ts';

const View = lazyPart(() => import('./FormView.tsx'));
const PrefillBuilder = lazyPart<ViewLinkProps>(() => import('./PrefillBuilder.tsx'));
const FormPage = lazyPart(() => import('./FormPage.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('viewTypes', { ...formView, icon: 'file-edit', View, LinkPanel: PrefillBuilder, uses: [] });
    ctx.register('routes', {
      id: 'form',
      path: '/nc/form/:uuid',
      Component: FormPage,
      access: 'everyone',
      layout: 'empty',
      framed: true,
      title: 'Form',
    });
  },
});
