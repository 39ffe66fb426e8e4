import { expect, test } from '@jest/globals';
import { defineServerPlugin, type ServerPluginContext } from './context.ts';

interface Settings {
  readonly days: number;
}

test('settings have the type that a plugin names, and a context is one of any plugin where nobody reads them', () => {
  const anyPlugin = (ctx: ServerPluginContext) => ctx.manifest.id;
  const read = (ctx: ServerPluginContext<Settings>): number => ctx.settings.current.days;
  const named = defineServerPlugin<Settings>({
    setup(ctx) {
      read(ctx);
      anyPlugin(ctx);
      // @ts-expect-error The plugin has no such setting.
      return ctx.settings.current.weeks;
    },
    willSave: async (_ctx, { days }) => expect(days).toBe(3),
  });
  const unnamed = defineServerPlugin({
    setup(ctx) {
      anyPlugin(ctx);
      // @ts-expect-error Nobody has said which type it has.
      const days: number = ctx.settings.current['days'];
      // @ts-expect-error Nobody has said that it is there.
      return read(ctx) === days ? undefined : undefined;
    },
  });
  expect([named, unnamed].map(({ setup }) => typeof setup)).toEqual(['function', 'function']);
});
