import { expect, test } from '@jest/globals';
import { createHost, needs, plugin, settle, type Module } from './plugin-manager.fixture.ts';

const late = new Error('nobody was there to catch it');

async function start(overrides: Parameters<typeof createHost>[1] = {}) {
  const setups: string[] = [];
  const counted = (id: string): Module => ({ setup: () => void setups.push(id) });
  const host = createHost({ a: counted('a'), b: counted('b'), s: counted('s') }, overrides);
  await host.manager.discover([
    plugin('s', { system: true }),
    plugin('a', {}, { persisted: 'enabled' }),
    plugin('b', needs('a'), { persisted: 'enabled' }),
  ]);
  await host.manager.start();
  setups.length = 0;
  return { ...host, setups };
}

test('a plugin that throws where nobody can catch it is set up anew, with those that need it', async () => {
  const { manager, setups, errors } = await start();
  expect(manager.recover('a', late)).toBe(true);
  await settle();
  expect(setups).toEqual(['a', 'b']);
  expect([manager.state('a'), manager.state('b')]).toEqual(['enabled', 'enabled']);
  expect(errors).toEqual(['a late error: nobody was there to catch it']);
});

test('when it throws again within a minute it stays off, and so do those that need it', async () => {
  const { manager, persisted, clock, setups } = await start();
  for (let round = 0; round < 2; round += 1) {
    manager.recover('a', late);
    await settle();
    clock.advance(59_000);
  }
  expect(setups).toEqual(['a', 'b']);
  expect(manager.status('a')).toMatchObject({
    state: 'disabled',
    reason: expect.stringContaining('nobody was there to catch it'),
  });
  expect(persisted.get('a')).toBe('crashed');
  expect(manager.state('b')).toBe('failed');
  await manager.enable('a');
  expect(manager.state('a')).toBe('enabled');
});

test('errors further apart than a minute leave it on', async () => {
  const { manager, clock } = await start();
  for (let round = 0; round < 3; round += 1) {
    manager.recover('a', late);
    await settle();
    clock.advance(60_001);
  }
  expect(manager.state('a')).toBe('enabled');
});

test('the host may not go on after an error of a system plugin, or of nobody', async () => {
  const { manager } = await start();
  expect([manager.recover('s', late), manager.recover('unknown', late)]).toEqual([false, false]);
});

test('the reason why a plugin could not be enabled is there after the next start', async () => {
  const reasons: (string | undefined)[] = [];
  const { manager } = createHost(
    { a: { setup: () => Promise.reject(new Error('out of paper')) } },
    { persist: (_id, _state, reason) => void reasons.push(reason) },
  );
  await manager.discover([plugin('a')]);
  await expect(manager.enable('a')).rejects.toThrow('out of paper');
  expect(reasons.at(-1)).toContain('out of paper');
  await manager.discover([plugin('a', {}, { persisted: 'disabled', persistedReason: reasons.at(-1) })]);
  expect(manager.status('a')).toMatchObject({
    state: 'disabled',
    reason: expect.stringContaining('out of paper'),
  });
});
