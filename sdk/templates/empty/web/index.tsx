import { defineWebPlugin } from '@trellis/sdk/web';

export default defineWebPlugin({
  setup(ctx) {
    ctx.logger.info('My plugin is on');
  },
});
