import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DidSpec, RegistryView, WaterfallSpec } from '@trellis/sdk/shared';
import {
  createTestServer,
  pluginState,
  testPlugin,
  testRoute,
  type TestServer,
} from '@trellis/sdk/testing/server';

interface Dish {
  readonly id: string;
  readonly price: number;
}

declare module '@trellis/sdk/server' {
  interface ServerRegistries {
    dishes: Dish;
  }
  interface ServerHooks {
    'kitchen.willServe': WaterfallSpec<string>;
    'kitchen.didServe': DidSpec<string>;
  }
}

/* One plugin offers a registry and hooks of its own, a second one fills and follows them: the host knows neither. */

let server: TestServer;
const served: string[] = [];

const kitchen = testPlugin('kitchen', (ctx) => {
  ctx.registries.define('dishes', {
    absentPolicy: 'Not on the menu.',
    validate: ({ id, price }) => {
      if (!(price > 0)) throw new Error(`the dish '${id}' has no price; write a number above 0`);
    },
  });
  ctx.hooks.define('kitchen.willServe', {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before a dish is served. The value is its name.',
  });
  ctx.hooks.define('kitchen.didServe', {
    kind: 'did',
    policy: 'contain',
    description: 'After a dish was served.',
  });
  ctx.routes(
    testRoute('menu', async () => {
      const dishes: RegistryView<Dish> = ctx.registry('dishes');
      return dishes.list().map(({ id }) => id);
    }),
    testRoute('serve', async () => {
      const dish = await ctx.hooks.call('kitchen.willServe', 'soup', undefined);
      await ctx.hooks.call('kitchen.didServe', dish);
      return dish;
    }),
  );
});

let price = 4;
const cook = testPlugin(
  'cook',
  (ctx) => {
    ctx.register('dishes', { id: 'stew', price });
    ctx.tap('kitchen.willServe', (dish) => `hot ${dish}`);
    ctx.tap('kitchen.didServe', (dish) => void served.push(dish));
  },
  { dependencies: { kitchen: '*' }, contributes: { hooks: ['kitchen.willServe'] } },
);

beforeAll(async () => {
  server = await createTestServer({ plugins: [kitchen, cook] });
});
afterAll(() => server.dispose());

const call = async (what: string) => (await server.client.get(`/api/v1/plugins/kitchen/${what}`)).body;

test('a second plugin fills the registry and taps the hooks of the first', async () => {
  expect(await call('menu')).toEqual(['stew']);
  expect(await call('serve')).toBe('hot soup');
  expect(served).toEqual(['hot soup']);
});

test('both come and go with their plugins', async () => {
  const { plugins, registries, hooks } = server.host;
  await plugins.disable('cook', { cascade: [] });
  expect([await call('menu'), await call('serve')]).toEqual([[], 'soup']);
  await plugins.enable('cook');
  await plugins.disable('kitchen', { cascade: ['cook'] });
  expect([registries.has('dishes'), hooks.has('kitchen.willServe')]).toEqual([false, false]);
  await plugins.enable('kitchen');
  await plugins.enable('cook');
  expect([await call('menu'), await call('serve')]).toEqual([['stew'], 'hot soup']);
});

test("the first plugin's own check refuses what the second one registers, in words", async () => {
  await server.host.plugins.disable('cook', { cascade: [] });
  price = 0;
  await expect(server.host.plugins.enable('cook')).rejects.toThrow("the dish 'stew' has no price");
  expect(await pluginState(server, 'cook')).toEqual(['failed', expect.stringContaining('no price')]);
});
