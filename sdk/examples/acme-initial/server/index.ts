import { defineServerPlugin } from '@trellis/sdk/server';
import { initial } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('formulaFunctions', initial);
    ctx.register('functions', {
      id: 'ACME_INITIAL',
      parameters: [{ kinds: ['text'] }],
      result: () => ({ kind: 'text', nullable: true }),
      // SQL of each database that says it in words of its own; `default` is for the others.
      body: {
        kind: 'sql',
        text: { default: 'upper(substr({0}, 1, 1))', mssql: 'upper(substring({0}, 1, 1))' },
      },
    });
  },
});
