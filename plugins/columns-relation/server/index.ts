import { defineServerPlugin } from '@trellis/sdk/server';
import { linkOperators } from '../shared/index.ts';
import { countType, lookupType, rollupType } from './computed-types.ts';
import { linkType } from './link-type.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const operator of linkOperators) ctx.register('filterOperators', operator);
    for (const type of [linkType, lookupType, rollupType, countType]) ctx.register('columnTypes', type);
  },
});
