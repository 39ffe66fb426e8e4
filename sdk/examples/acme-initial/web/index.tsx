import { defineWebPlugin } from '@trellis/sdk/web';
import { initial } from '../shared/index.ts';

export default defineWebPlugin({
  setup(ctx) {
    ctx.register('formulaFunctions', initial);
  },
});
