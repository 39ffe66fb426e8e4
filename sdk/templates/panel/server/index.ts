import { defineRoute, defineServerPlugin } from '@trellis/sdk/server';

export default defineServerPlugin({
  setup(ctx) {
    async function kept(): Promise<number> {
      const count: number | undefined = await ctx.kv.get('count');
      return count ?? 0;
    }

    // Served below /api/v1/plugins/my-plugin/. Every route says who may call it.
    ctx.routes(
      defineRoute({
        method: 'GET',
        path: 'notes',
        permission: 'signedIn',
        summary: 'The number of notes that were kept',
        handle: async () => ({ count: await kept() }),
      }),
      defineRoute({
        method: 'POST',
        path: 'notes',
        permission: 'signedIn',
        bodyKind: 'none',
        summary: 'Keep one more note',
        async handle() {
          const count = (await kept()) + 1;
          await ctx.kv.set('count', count);
          return { count };
        },
      }),
    );
  },
});
