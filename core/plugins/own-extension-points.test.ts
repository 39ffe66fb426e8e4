import { describe, expect, test } from '@jest/globals';
import { HookRegistry } from '../hooks/hook-registry.ts';
import type { DidSpec } from '../hooks/hook-types.ts';
import { ManualClock } from '../lifecycle/manual-clock.ts';
import { Registries } from '../registry/registries.ts';
import { createOwnExtensionPoints } from './own-extension-points.ts';
import { PluginScope } from './plugin-scope.ts';

interface Items {
  'deals.stages': { readonly id: string };
}
interface Hooks {
  'deals.didClose': DidSpec<{ readonly deal: string }>;
  'host.didStart': DidSpec<undefined>;
}

function createHost(clock = new ManualClock()) {
  const registries = new Registries<Items>();
  const hooks = new HookRegistry<Hooks>({ onContained: () => undefined, limit: 5000, clock });
  hooks.define('host.didStart', { kind: 'did', policy: 'contain', description: 'At the start.' });
  const of = (pluginId: string) => {
    const scope = new PluginScope(pluginId);
    return { scope, points: createOwnExtensionPoints(scope, { registries, hooks }) };
  };
  return { registries, hooks, of };
}

describe('extension points of a plugin', () => {
  test('are there while it is on: others fill its registry and follow its hook', async () => {
    const { registries, hooks, of } = createHost();
    const { scope, points } = of('deals');
    points.registries.define('deals.stages', { absentPolicy: 'shown by its id' });
    points.hooks.define('deals.didClose', { kind: 'did', policy: 'contain', description: 'After a deal.' });
    expect(registries.has('deals.stages')).toBe(false);
    scope.commit();
    registries.get('deals.stages').register({ id: 'won' }, 'acme');
    const closed: string[] = [];
    hooks.tap('acme', 'deals.didClose', ({ deal }) => void closed.push(deal));
    await points.hooks.call('deals.didClose', { deal: 'd1' });
    expect(closed).toEqual(['d1']);
    await scope.close(0);
    expect([registries.has('deals.stages'), hooks.has('deals.didClose')]).toEqual([false, false]);
  });

  test('a plugin that tells of something waits for no handler without end', async () => {
    const clock = new ManualClock();
    const { hooks, of } = createHost(clock);
    const { scope, points } = of('deals');
    points.hooks.define('deals.didClose', { kind: 'did', policy: 'contain', description: 'After a deal.' });
    scope.commit();
    hooks.tap('acme', 'deals.didClose', () => new Promise<never>(() => undefined));
    const told = points.hooks.call('deals.didClose', { deal: 'd1' });
    await new Promise(setImmediate);
    clock.advance(5000);
    expect(await told).toBeUndefined();
    expect(clock.waiting).toBe(0);
    await scope.close(0);
  });

  test('a hook is called by the plugin that made it and by no other', async () => {
    const { of } = createHost();
    const { scope, points } = of('acme');
    scope.commit();
    await expect(points.hooks.call('host.didStart', undefined)).rejects.toThrow(
      /'acme' cannot call the hook 'host.didStart'/,
    );
  });
});
