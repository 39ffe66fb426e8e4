import { defineWebPlugin, lazyPart, usualParts, type ViewProps } from '@trellis/sdk/web';
import { gridCommands, GridInSight } from './grid-in-sight.ts';
import { gridView } from '../shared/index.ts';
import { GroupButton } from './GroupButton.tsx';

const SettingsPanel = lazyPart(() => import('./GridSettings.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const inSight = new GridInSight();
    const View = lazyPart(async () => {
      const { default: GridView } = await import('./GridView.tsx');
      return { default: (props: ViewProps) => <GridView {...props} inSight={inSight} /> };
    });
    ctx.register('viewTypes', {
      ...gridView,
      icon: 'table',
      View,
      SettingsPanel,
      uses: [...usualParts, 'groups', 'colors'],
    });
    for (const command of gridCommands(inSight)) ctx.register('commands', command);
    ctx.register('toolbarItems', {
      id: 'group',
      slot: 'view-toolbar-start',
      order: 45,
      part: 'groups',
      Component: GroupButton,
    });
  },
});
