import { defineWebPlugin, lazyPart, type ViewProps } from '@trellis/sdk/web';
import { gridView } from '../shared/index.ts';
import { gridCommands, GridInSight } from './grid-in-sight.ts';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const inSight = new GridInSight();
    const View = lazyPart(async () => {
      const { default: GridView } = await import('./GridView.tsx');
      return { default: (props: ViewProps) => <GridView {...props} inSight={inSight} /> };
    });
    ctx.register('viewTypes', { ...gridView, icon: 'table', View });
    for (const command of gridCommands(inSight)) ctx.register('commands', command);
  },
});
