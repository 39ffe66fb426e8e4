import { defineServerPlugin } from '@trellis/sdk/server';

export default defineServerPlugin({
  // `setup` only registers. Everything that it hands to `ctx` is undone by the host when the plugin is switched off.
  setup(ctx) {
    ctx.logger.info('My plugin is on');
  },
});
