import { defineWebPlugin } from '@trellis/sdk/web';
import { theme } from './theme.ts';

export default defineWebPlugin({
  setup(ctx) {
    ctx.register('themes', theme);
  },
});
