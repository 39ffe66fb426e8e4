// The server half. A type whose storage kind says it all has nothing more to add: it is registered, and the host parses,
// validates, stores and documents its values by what `shared/` says.
import { defineServerPlugin } from '@trellis/sdk/server';
import { rating } from '../shared/index.ts';

export default defineServerPlugin({
  // `setup` only registers. Everything it hands to `ctx` is undone by the host when the plugin is switched off.
  setup(ctx) {
    ctx.register('columnTypes', rating);
  },
});
