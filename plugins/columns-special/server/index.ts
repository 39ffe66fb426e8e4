import { defineServerPlugin } from '@trellis/sdk/server';
import { barcode, geometry, qrCode, specificDBType } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('columnTypes', barcode);
    ctx.register('columnTypes', qrCode);
    ctx.register('columnTypes', geometry);
    ctx.register('columnTypes', specificDBType);
  },
});
