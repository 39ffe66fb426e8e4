import { expect, test } from '@jest/globals';
import { ManualClock } from '../lifecycle/manual-clock.ts';
import type { HookServices } from './hook-point.ts';
import { HookRegistry } from './hook-registry.ts';
import type { BailSpec, DidSpec, WaterfallSpec } from './hook-types.ts';

interface Catalogue {
  'record.willCreate': WaterfallSpec<{ title: string }, { table: string }>;
  'auth.willSignIn': BailSpec<string, number>;
  'record.didCreate': DidSpec<{ id: number }>;
}

function createRegistry(services: Partial<HookServices> = {}) {
  const hooks = new HookRegistry<Catalogue>({ onContained: () => undefined, ...services });
  hooks.define('record.willCreate', { kind: 'waterfall', policy: 'propagate', description: 'before' });
  hooks.define('record.didCreate', { kind: 'did', policy: 'contain', description: 'after' });
  return hooks;
}

test('hooks are tapped and called by id, typed by the catalogue', async () => {
  const hooks = createRegistry();
  hooks.tap('plugin', 'record.willCreate', (value, context) => ({
    title: `${context.table}: ${value.title}`,
  }));
  expect(await hooks.call('record.willCreate', { title: 'A' }, { table: 'T' })).toEqual({ title: 'T: A' });
  // @ts-expect-error a did hook takes one input of its own type
  const wrong = () => hooks.call('record.didCreate', { title: 'x' });
  expect(wrong).toBeDefined();
});

test('who tells of what happened waits for all handlers, and not for one that takes too long', async () => {
  const clock = new ManualClock();
  const hooks = createRegistry({ limit: 5000, clock });
  const done: string[] = [];
  let end = () => {};
  const slow = new Promise<void>((resolve) => {
    end = resolve;
  });
  hooks.tap('quick', 'record.didCreate', async () => void done.push('quick'));
  hooks.tap('broken', 'record.didCreate', () => {
    throw new Error('broken');
  });
  expect(await hooks.tell('record.didCreate', { id: 1 })).toBe(true);
  expect(done).toEqual(['quick']);

  hooks.tap('slow', 'record.didCreate', () => slow.then(() => void done.push('slow')));
  const telling = hooks.tell('record.didCreate', { id: 2 });
  clock.advance(5000);
  expect(await telling).toBe(false);
  expect(done).toEqual(['quick', 'quick']);
  end();
  await slow;
  expect(done).toContain('slow');
});

test('an unknown hook is refused by name, for taps and for calls', async () => {
  const hooks = createRegistry();
  expect(() => hooks.tap('plugin', 'auth.willSignIn', () => 1)).toThrow(
    /Hook 'auth.willSignIn' is not defined, so 'plugin' cannot tap it/,
  );
  await expect(hooks.call('auth.willSignIn', 'x')).rejects.toThrow(/'auth.willSignIn' is not defined/);
});

test('a hook is defined once, and undefined by disposal', async () => {
  const hooks = createRegistry();
  expect(() =>
    hooks.define('record.didCreate', { kind: 'did', policy: 'contain', description: 'again' }),
  ).toThrow(/'record.didCreate' is already defined/);
  const definition = hooks.define('auth.willSignIn', { kind: 'bail', policy: 'propagate', description: 'x' });
  expect(hooks.list().map(({ id }) => id)).toEqual([
    'auth.willSignIn',
    'record.didCreate',
    'record.willCreate',
  ]);
  await definition.dispose();
  expect(hooks.has('auth.willSignIn')).toBe(false);
});

test('the number of taps over all hooks goes back to what it was', async () => {
  const hooks = createRegistry();
  const taps = [
    hooks.tap('a', 'record.willCreate', () => undefined),
    hooks.tap('b', 'record.didCreate', () => undefined),
  ];
  expect(hooks.size).toBe(2);
  expect(hooks.ownersOf('record.didCreate')).toEqual(['b']);
  for (const tap of taps) await tap.dispose();
  expect(hooks.size).toBe(0);
});
