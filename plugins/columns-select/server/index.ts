import { defineServerPlugin } from '@trellis/sdk/server';
import { multiSelect, selectOperators, singleSelect } from '../shared/index.ts';
import { fromColOptions, optionsOfTexts, toColOptions, toDtxp } from './col-options.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const operator of selectOperators) ctx.register('filterOperators', operator);
    for (const type of [singleSelect, multiSelect])
      ctx.register('columnTypes', {
        ...type,
        server: {
          bodyKeys: ['dtxp'],
          fromColOptions,
          toColOptions,
          toDtxp,
          optionsOfTexts: optionsOfTexts(type === multiSelect),
        },
      });
  },
});
