import { defineWebPlugin } from '@trellis/sdk/web';

export default defineWebPlugin({
  setup(ctx) {
    // Offered over each table to whoever may add rows to it. The importer of the same id reads the file.
    ctx.register('importFormats', {
      id: 'my-plugin',
      label: 'My plugin',
      extensions: ['jsonl'],
      icon: 'file-import',
    });
  },
});
