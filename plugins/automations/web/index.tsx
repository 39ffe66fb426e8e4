import type { TableEntity } from '@trellis/sdk/shared';
import { defineWebPlugin, lazyPart, OpenRequests } from '@trellis/sdk/web';
import { createAutomationsButton } from './AutomationsButton.tsx';
import './automations.css';

const AutomationsTab = lazyPart(() => import('./AutomationsTab.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.registries.define('automationInputParts', {
      absentPolicy: 'The setting is not shown, and stays as it is.',
    });
    const cameFrom = new OpenRequests<TableEntity>();
    ctx.register('toolbarItems', {
      id: 'automations',
      slot: 'view-toolbar-end',
      order: 61,
      permission: 'automationList',
      Component: createAutomationsButton(cameFrom),
    });
    ctx.register('dashboardTabs', {
      id: 'automations',
      label: 'Automations',
      icon: 'bolt',
      order: 55,
      permission: 'automationList',
      Component: ({ project }) => <AutomationsTab project={project} cameFrom={cameFrom} />,
    });
  },
});
