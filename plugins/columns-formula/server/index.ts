import { defineServerPlugin } from '@trellis/sdk/server';
import { assertCallable } from '../shared/index.ts';
import { createButtonColumn } from './button-column.ts';
import { buttonRoutes } from './button-routes.ts';
import { createFormulaColumn } from './formula-column.ts';
import { previewRoute } from './preview-route.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.registries.define('formulaFunctions', {
      absentPolicy: 'The formula says what is missing, and keeps its text.',
      validate: assertCallable,
    });
    const formula = createFormulaColumn({
      columnTypes: ctx.registry('columnTypes'),
      functions: () => ctx.registry('formulaFunctions'),
      report: (id, error) => ctx.logger.error(`The function ${id} of formulas failed.`, { error }),
    });
    ctx.register('columnTypes', formula);
    ctx.register('columnTypes', createButtonColumn(formula, ctx.registry('operations')));
    ctx.register('permissions', {
      id: 'buttonPress',
      label: 'Press the buttons of rows',
      roles: ['editor', 'commenter', 'viewer'],
      scope: 'project',
    });
    ctx.routes(...buttonRoutes(ctx), previewRoute(ctx));
  },
});
