import { defineServerPlugin } from '@trellis/sdk/server';
import { multiSelect, singleSelect } from '../shared/index.ts';
import { fromColOptions, toColOptions } from './col-options.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const type of [singleSelect, multiSelect])
      ctx.register('columnTypes', { ...type, server: { fromColOptions, toColOptions } });
  },
});
