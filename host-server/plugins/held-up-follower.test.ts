import { expect, test } from '@jest/globals';
import { pluginErrors, type PluginState } from '@trellis/core';
import { createFollower } from './follow-decisions.ts';

test('a plugin that another server switched on, and that only a busy database held up here, is tried again', async () => {
  let state: PluginState = 'disabled';
  let tries = 0;
  const reported: string[] = [];
  const decided = new Map([['acme', { state: 'enabled', version: '1.0.0', reason: undefined }]]);
  let generation = 1;
  const follower = createFollower({
    manager: {
      list: () => [{ id: 'acme', system: false, state }],
      status: () => ({ state }),
      async enable() {
        tries += 1;
        state = tries === 1 ? 'failed' : 'enabled';
        if (tries === 1)
          throw pluginErrors.create('PLUGIN_HELD_UP', { plugin: 'acme', step: 'setup', reason: 'busy' });
      },
    } as never,
    metadata: { generations: { current: () => generation } } as never,
    rows: { read: () => Promise.resolve(decided) } as never,
    settings: { load: () => Promise.resolve() },
    turn: { elsewhere: () => Promise.resolve(undefined), isOver: () => Promise.resolve() } as never,
    ending: new AbortController().signal,
    isAgreed: () => Promise.resolve(true),
    rescan: () => Promise.resolve(),
    announce: () => undefined,
    onError: (id) => void reported.push(id),
  });
  await follower.begin();
  generation = 2;
  // Whoever calls it tries again after a while.
  await expect(follower.follow()).rejects.toThrow('busy');
  await follower.follow();
  await follower.follow();
  expect([tries, state, reported]).toEqual([2, 'enabled', []]);
});
