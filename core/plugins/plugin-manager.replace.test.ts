import { expect, test } from '@jest/globals';
import { createHost, needs, plugin, quiet, refusal, type Module } from './plugin-manager.fixture.ts';

/** Version 1 of `a` runs, and `b` that needs it; each setup is noted with the version. */
async function start(next: Module = quiet, migrate = (): void => undefined) {
  const steps: string[] = [];
  const host = createHost(
    {},
    {
      load: async (manifest) => {
        const half = manifest.version === '1.0.0' ? quiet : next;
        steps.push(`load ${manifest.id} ${manifest.version}`);
        return {
          setup: (ctx) => {
            steps.push(`setup ${manifest.id} ${manifest.version}`);
            return half.setup(ctx);
          },
        };
      },
      migrate: async ({ id, version }) => {
        steps.push(`migrate ${id} ${version}`);
        if (version !== '1.0.0') migrate();
      },
      didDisable: ({ id }) => void steps.push(`off ${id}`),
    },
  );
  await host.manager.discover([
    plugin('a', {}, { persisted: 'enabled' }),
    plugin('b', needs('a'), { persisted: 'enabled' }),
    plugin('idle', {}, { persisted: 'disabled' }),
  ]);
  await host.manager.start();
  steps.length = 0;
  return { ...host, steps };
}

const running = ({ manager }: Awaited<ReturnType<typeof start>>) =>
  manager.list().map(({ id, state, manifest }) => `${id} ${state} ${manifest?.version ?? 'gone'}`);

test('another version takes the place of a running one, with those that need it, and is loaded and migrated before', async () => {
  const host = await start();
  await host.manager.replace(plugin('a', { version: '1.1.0' }));
  expect(host.steps).toEqual([
    'load a 1.1.0',
    'migrate a 1.1.0',
    'off b',
    'off a',
    'load a 1.1.0',
    'migrate a 1.1.0',
    'setup a 1.1.0',
    'load b 1.0.0',
    'migrate b 1.0.0',
    'setup b 1.0.0',
  ]);
  expect(running(host)).toEqual(['a enabled 1.1.0', 'b enabled 1.0.0', 'idle disabled 1.0.0']);
});

test('one whose migrations are refused does not even stop the one before it', async () => {
  const host = await start(quiet, () => {
    throw new Error('out of order');
  });
  const refused = await refusal(host.manager.replace(plugin('a', { version: '1.1.0' })));
  expect(refused.message).toContain('out of order');
  expect(host.steps).toEqual(['load a 1.1.0', 'migrate a 1.1.0']);
  expect(running(host)).toEqual(['a enabled 1.0.0', 'b enabled 1.0.0', 'idle disabled 1.0.0']);
});

test('one that fails leaves the one before it running, with those that need it', async () => {
  const host = await start({ setup: () => Promise.reject(new Error('out of paper')) });
  const refused = await refusal(host.manager.replace(plugin('a', { version: '1.1.0' })));
  expect([refused.code, refused.message]).toEqual(['PLUGIN_FAILED', expect.stringContaining('out of paper')]);
  expect(running(host)).toEqual(['a enabled 1.0.0', 'b enabled 1.0.0', 'idle disabled 1.0.0']);
});

test('a build that fails in the folder of the one that runs leaves that one running, by the code that it ran by', async () => {
  const setups: string[] = [];
  let built: Module = { setup: () => void setups.push('first') };
  const host = createHost({}, { load: async () => built });
  await host.manager.discover([plugin('a', {}, { persisted: 'enabled' })]);
  await host.manager.start();
  built = { setup: () => Promise.reject(new Error('out of paper')) };
  const refused = await refusal(host.manager.replace(plugin('a')));
  expect(refused.message).toContain('out of paper');
  expect([host.manager.state('a'), host.manager.status('a')?.reason]).toEqual(['enabled', undefined]);
  expect(host.persisted.get('a')).toBe('enabled');
  built = { setup: () => void setups.push('second') };
  await host.manager.replace(plugin('a'));
  expect(setups).toEqual(['first', 'first', 'second']);
});

test('one that cannot run here, or with those that need it, does not even stop the one before it', async () => {
  const host = await start();
  for (const wrong of [plugin('a', { sdk: 9 }), plugin('a', { version: '2.0.0' })]) {
    const refused = await refusal(host.manager.replace(wrong));
    expect(refused.code).toBe('PLUGIN_INCOMPATIBLE');
  }
  expect(host.steps).toEqual([]);
});

test('a plugin that is off stays off, and one whose folder is gone goes off and comes back as it was', async () => {
  const host = await start();
  await host.manager.replace(plugin('idle', { version: '3.0.0' }));
  await host.manager.replace({ id: 'a', origin: 'installed' });
  expect(running(host)).toEqual(['a missing gone', 'b incompatible 1.0.0', 'idle disabled 3.0.0']);
  await host.manager.replace(plugin('a'));
  expect(running(host)).toEqual(['a enabled 1.0.0', 'b enabled 1.0.0', 'idle disabled 3.0.0']);
});

test('a plugin is off with those that need it while work is done, and nothing is decided about them', async () => {
  const host = await start();
  host.persisted.clear();
  const during = await host.manager.whileOff('a', async () => {
    expect(host.steps).toEqual(['off b', 'off a']);
    expect([...host.persisted]).toEqual([]);
    return 'done';
  });
  expect([during, running(host)]).toEqual([
    'done',
    ['a enabled 1.0.0', 'b enabled 1.0.0', 'idle disabled 1.0.0'],
  ]);
  expect([...host.persisted.values()]).not.toContain('disabled');
  await host.manager.whileOff('idle', async () => undefined);
  expect(host.manager.state('idle')).toBe('disabled');
});

test('work that fails while a plugin is off is what is told, also where the plugin does not come back', async () => {
  let isBroken = false;
  const host = createHost({
    a: {
      setup: () => {
        if (isBroken) throw new Error('out of paper');
      },
    },
  });
  await host.manager.discover([plugin('a', {}, { persisted: 'enabled' })]);
  await host.manager.start();
  isBroken = true;
  const refused = host.manager.whileOff('a', () => Promise.reject(new Error('no room')));
  await expect(refused).rejects.toThrow('no room');
  expect(host.manager.status('a')).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('paper'),
  });
  expect(host.persisted.get('a')).toBe('enabled');
});
