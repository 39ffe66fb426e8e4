import { defineWebPlugin } from '@trellis/sdk/web';
import { PresentPeople } from './PresentPeople.tsx';
import './presence.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('toolbarItems', {
      id: 'presence',
      slot: 'view-toolbar-end',
      order: 5,
      Component: PresentPeople,
    });
  },
});
