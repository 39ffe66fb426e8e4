import { defineServerPlugin } from '@trellis/sdk/server';
import { readRows } from './read-rows.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('importers', {
      // The word in the path: POST .../import/my-plugin
      id: 'my-plugin',
      label: 'My plugin',
      extensions: ['jsonl'],
      mediaTypes: ['application/jsonl'],
      read: readRows,
    });
  },
});
