import { defineServerPlugin } from '@trellis/sdk/server';
import { email, password, phoneNumber, url } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const type of [email, url, phoneNumber, password]) ctx.register('columnTypes', type);
  },
});
