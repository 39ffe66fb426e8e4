import { defineServerPlugin } from '@trellis/sdk/server';
import { createButtonColumn } from './button-column.ts';
import { buttonRoutes } from './button-routes.ts';
import { createFormulaColumn } from './formula-column.ts';

export default defineServerPlugin({
  setup(ctx) {
    const formula = createFormulaColumn(ctx.registry('columnTypes'));
    ctx.register('columnTypes', formula);
    ctx.register('columnTypes', createButtonColumn(formula, ctx.registry('operations')));
    ctx.register('permissions', {
      id: 'buttonPress',
      label: 'Press the buttons of rows',
      roles: ['editor', 'commenter', 'viewer'],
      scope: 'project',
    });
    ctx.routes(...buttonRoutes(ctx));
  },
});
