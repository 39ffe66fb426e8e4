import { describe, expect, test } from '@jest/globals';
import { createToken } from '../container/token.ts';
import { Veto } from '../errors/trellis-error.ts';
import { toDisposable } from '../lifecycle/disposable.ts';
import { LeakTracker } from '../lifecycle/leak-tracker.ts';
import { createHost, needs, plugin, refusal, type Module } from './plugin-manager.fixture.ts';

const SERVICE = createToken<string>('test.service');

describe('starting', () => {
  test('enables what should run, dependencies first, and leaves the rest alone', async () => {
    const { manager, steps } = createHost();
    await manager.discover([
      plugin('a', { ...needs('z'), enabledByDefault: true }),
      plugin('z', { system: true }),
      plugin('undecided'),
      plugin('off', { enabledByDefault: true }, { persisted: 'disabled' }),
      plugin('on', {}, { persisted: 'enabled' }),
    ]);
    await manager.start();
    expect(steps.filter((step) => step.startsWith('did'))).toEqual([
      'didEnable z',
      'didEnable a',
      'didEnable on',
    ]);
    expect(manager.list().map(({ id, state }) => `${id} ${state}`)).toEqual([
      'a enabled',
      'off disabled',
      'on enabled',
      'undecided discovered',
      'z enabled',
    ]);
  });

  test('takes system plugins first, then built-in ones, then those from elsewhere, each after what it needs', async () => {
    const { manager, steps } = createHost();
    const on = { persisted: 'enabled' } as const;
    await manager.discover([
      plugin('a-foreign', {}, { ...on, origin: 'installed' }),
      plugin('b-feature', {}, on),
      plugin('c-needed', {}, on),
      plugin('d-system', { ...needs('c-needed'), system: true }),
      plugin('e-feature', needs('f-foreign'), on),
      plugin('f-foreign', {}, { ...on, origin: 'installed' }),
    ]);
    let states: readonly string[] = [];
    await manager.start({
      onSystemReady: () => {
        states = manager.list().map(({ state }) => state);
      },
    });
    expect(steps.filter((step) => step.startsWith('did'))).toEqual(
      ['c-needed', 'd-system', 'b-feature', 'f-foreign', 'e-feature', 'a-foreign'].map(
        (id) => `didEnable ${id}`,
      ),
    );
    expect(states).toEqual(['starting', 'starting', 'enabled', 'enabled', 'starting', 'starting']);
  });

  test('goes on past a plugin that fails, and says of its dependants why they are off', async () => {
    const broken: Module = {
      setup: () => {
        throw new Error('no licence');
      },
    };
    const { manager, errors, persisted } = createHost({ broken });
    await manager.discover([
      plugin('broken', {}, { persisted: 'enabled' }),
      plugin('child', needs('broken'), { persisted: 'enabled' }),
      plugin('fine', {}, { persisted: 'enabled' }),
    ]);
    await manager.start();
    expect(manager.list().map(({ id, state }) => `${id} ${state}`)).toEqual([
      'broken failed',
      'child failed',
      'fine enabled',
    ]);
    expect(manager.status('broken')?.reason).toContain("failed at 'setup': no licence");
    expect(manager.status('child')?.reason).toContain("'child' needs broken to be enabled");
    expect(errors).toHaveLength(2);
    expect(persisted.get('broken')).toBe('enabled');
  });

  test('stops with the reason when a system plugin fails', async () => {
    const broken: Module = { setup: () => Promise.reject(new Error('no database')) };
    const { manager } = createHost({ broken });
    await manager.discover([plugin('broken', { system: true })]);
    expect((await refusal(manager.start())).message).toContain(
      "'broken' could not be enabled, it failed at 'setup'",
    );
  });

  test('leaves off what was starting when the host went down, system plugins excepted', async () => {
    const { manager, persisted } = createHost();
    await manager.discover([
      plugin('crasher', {}, { persisted: 'starting' }),
      plugin('crashed before', {}, { persisted: 'crashed' }),
      plugin('system', { system: true }, { persisted: 'starting' }),
    ]);
    await manager.start();
    for (const id of ['crasher', 'crashed before']) {
      expect(manager.status(id)).toMatchObject({ state: 'disabled' });
      expect(manager.status(id)?.reason).toContain('It was starting when the host stopped');
    }
    expect(persisted.get('crasher')).toBe('crashed');
    expect(manager.state('system')).toBe('enabled');
  });

  test('in safe mode starts system plugins only and changes no decision', async () => {
    const { manager, persisted } = createHost();
    await manager.discover([plugin('system', { system: true }), plugin('app', {}, { persisted: 'enabled' })]);
    await manager.start({ safeMode: true });
    expect(manager.state('system')).toBe('enabled');
    expect(manager.state('app')).not.toBe('enabled');
    expect(persisted.has('app')).toBe(false);
  });

  test('takes no word of an installed plugin that it is a part of the system', async () => {
    const { manager } = createHost();
    await manager.discover([plugin('sly', { system: true }, { origin: 'installed' })]);
    await manager.start();
    expect(manager.status('sly')).toMatchObject({ state: 'discovered', system: false });
  });
});

describe('what cannot run here', () => {
  test('is incompatible with every reason, or missing', async () => {
    const { manager } = createHost();
    await manager.discover([
      plugin('old', { engines: { trellis: '^0.5.0' }, sdk: 9 }),
      plugin('child', needs('old')),
      plugin('orphan', needs('ghost')),
      plugin('a', needs('b')),
      plugin('b', needs('a')),
      { id: 'gone', origin: 'installed', persisted: 'enabled' },
      { id: 'garbled', origin: 'installed', problem: 'plugin.json is no JSON' },
      plugin('needy', needs('garbled')),
    ]);
    await manager.start();
    const states = Object.fromEntries(manager.list().map(({ id, state }) => [id, state]));
    expect(states).toEqual({
      old: 'incompatible',
      child: 'incompatible',
      orphan: 'incompatible',
      a: 'incompatible',
      b: 'incompatible',
      gone: 'missing',
      garbled: 'incompatible',
      needy: 'incompatible',
    });
    expect(manager.status('needy')?.reason).toBe(
      "'needy' needs 'garbled', which cannot be used: plugin.json is no JSON",
    );
    expect(manager.status('old')?.reason).toMatch(
      /SDK contract 9.*\n.*asks for Trellis \^0\.5\.0, this is 1\.0\.0/,
    );
    expect(manager.status('a')?.reason).toContain('a -> b -> a');
    expect(manager.status('garbled')?.reason).toBe('plugin.json is no JSON');
    expect(await refusal(manager.enable('orphan'))).toMatchObject({
      code: 'PLUGIN_INCOMPATIBLE',
      status: 409,
    });
    expect(await refusal(manager.enable('gone'))).toMatchObject({ code: 'PLUGIN_MISSING' });
    expect(await refusal(manager.enable('nowhere'))).toMatchObject({ code: 'PLUGIN_NOT_FOUND', status: 404 });
  });

  test('can run once what it needs is installed', async () => {
    const { manager } = createHost();
    await manager.discover([plugin('orphan', needs('ghost'))]);
    expect(manager.state('orphan')).toBe('incompatible');
    await manager.discover([plugin('ghost')]);
    expect(manager.state('orphan')).toBe('discovered');
    await manager.enable('orphan', { cascade: true });
    expect(await refusal(manager.remove('ghost'))).toMatchObject({ code: 'PLUGIN_IS_RUNNING' });
    await manager.disable('ghost', { cascade: true });
    await manager.remove('ghost');
    expect(manager.state('orphan')).toBe('incompatible');
    expect(manager.state('ghost')).toBeUndefined();
  });
});

test('a plugin that is replaced by another version keeps what was decided about it', async () => {
  const { manager } = createHost();
  await manager.discover([plugin('p')]);
  await manager.enable('p');
  expect(await refusal(manager.discover([plugin('p')]))).toMatchObject({ code: 'PLUGIN_IS_RUNNING' });
  await manager.disable('p');
  await manager.discover([plugin('p', { version: '1.1.0', enabledByDefault: true })]);
  expect(manager.status('p')).toMatchObject({ state: 'disabled', manifest: { version: '1.1.0' } });
  await manager.start();
  expect(manager.state('p')).toBe('disabled');
});
describe('what a plugin asks for', () => {
  test('is compared with the host when the plugin becomes known, and not whenever a state changes', async () => {
    const { manager } = createHost();
    let reads = 0;
    const known = plugin('a', {}, { persisted: 'enabled' });
    const engines = known.manifest?.engines;
    Object.defineProperty(known.manifest, 'engines', {
      enumerable: true,
      get: () => {
        reads += 1;
        return engines;
      },
    });
    await manager.discover([known, plugin('b', {}, { persisted: 'enabled' })]);
    const before = reads;
    expect(before).toBeGreaterThan(0);
    await manager.start();
    await manager.disable('b');
    await manager.enable('b');
    expect(reads).toBe(before);
  });
});

describe('many operations at once', () => {
  test('run one after the other, so that dependants never outlive what they need', async () => {
    const { manager } = createHost();
    await manager.discover([plugin('base'), plugin('top', needs('base'))]);
    manager.onDidChange(() => {
      if (manager.state('top') === 'enabled') expect(manager.state('base')).toBe('enabled');
    });
    const outcomes = await Promise.allSettled([
      manager.enable('top', { cascade: true }),
      manager.disable('base'),
      manager.disable('base', { cascade: true }),
      manager.enable('top'),
      manager.enable('base'),
      manager.enable('top'),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(manager.list().map(({ state }) => state)).toEqual(['enabled', 'enabled']);
  });
});

describe('a plugin that fails too often', () => {
  test('is degraded: only the failing tap is suspended, and enabling puts it back', async () => {
    let broken = true;
    const heard: string[] = [];
    const p: Module = {
      setup: (context) => {
        context.tap(() => {
          if (broken) throw new Error('broken');
          heard.push('bad');
        });
        context.tap(() => void heard.push('good'));
      },
    };
    const { manager, hooks } = createHost({ p });
    await manager.discover([plugin('p')]);
    await manager.enable('p');
    for (let call = 0; call < 25; call += 1) await hooks.call('row.didChange', call);
    expect(heard).toHaveLength(25);
    expect(manager.status('p')).toMatchObject({ state: 'degraded', suspended: ['tap on row.didChange'] });
    expect(manager.status('p')?.reason).toContain('tap on row.didChange');

    broken = false;
    await manager.enable('p');
    expect(manager.status('p')).toMatchObject({ state: 'enabled', suspended: [] });
    await hooks.call('row.didChange', 0);
    expect(heard.slice(25)).toEqual(['bad', 'good']);
  });

  test('is not degraded by refusing bad data', async () => {
    const p: Module = {
      setup: (context) =>
        context.tap(() => {
          throw new Veto('BAD', 'bad');
        }),
    };
    const { manager, hooks } = createHost({ p });
    await manager.discover([plugin('p')]);
    await manager.enable('p');
    for (let call = 0; call < 100; call += 1) await hooks.call('row.didChange', call);
    expect(manager.state('p')).toBe('enabled');
  });
});

describe('the test of a plugin', () => {
  test('runs with its context, and only where there is one', async () => {
    const p: Module = {
      setup: () => undefined,
      test: (context, { host }) => `${context.id} reaches ${String(host)}`,
    };
    const { manager } = createHost({ p });
    await manager.discover([plugin('p'), plugin('q')]);
    expect(await refusal(manager.test('p'))).toMatchObject({ code: 'PLUGIN_NOT_RUNNING' });
    await manager.enable('p');
    await manager.enable('q');
    expect(await manager.test('p', { host: 'mail' })).toBe('p reaches mail');
    expect(await refusal(manager.test('q'))).toMatchObject({ code: 'PLUGIN_TEST_MISSING', status: 501 });
  });
});

describe('what one sees of plugins', () => {
  test('is a list that stays the same until something changes', async () => {
    const { manager } = createHost();
    const changes: string[] = [];
    manager.onDidChange(({ id, previous, current }) =>
      changes.push(`${id}: ${previous?.state ?? '-'} -> ${current?.state ?? '-'}`),
    );
    await manager.discover([plugin('p'), plugin('q')]);
    const before = manager.list();
    const q = manager.status('q');
    expect(manager.list()).toBe(before);
    await manager.enable('p');
    expect(manager.list()).not.toBe(before);
    expect(manager.status('q')).toBe(q);
    await manager.remove('q');
    expect(changes).toEqual([
      'p: - -> discovered',
      'q: - -> discovered',
      'p: discovered -> enabled',
      'q: discovered -> -',
    ]);
  });
});

describe('stopping', () => {
  test('waits for no plugin that is still being set up, starts no other and keeps every decision', async () => {
    const undone: string[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow: Module = {
      setup: ({ scope }) => {
        scope.own(toDisposable(() => void undone.push('slow')));
        begin();
        return new Promise(() => undefined);
      },
    };
    const { manager, steps, persisted, errors, clock } = createHost({ slow });
    await manager.discover([
      plugin('slow', {}, { persisted: 'enabled' }),
      plugin('waiting', {}, { persisted: 'enabled' }),
    ]);
    const started = manager.start();
    await begun;
    await manager.stop();
    await started;
    expect(undone).toEqual(['slow']);
    expect(steps).not.toContain('willEnable waiting');
    expect(persisted.get('slow')).toBe('enabled');
    expect(errors).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test('keeps what another server decided where it fails here', async () => {
    const bad: Module = {
      setup: () => {
        throw new Error('no port is free');
      },
    };
    const { manager, persisted } = createHost({ bad });
    await manager.discover([plugin('needed'), plugin('bad', needs('needed'))]);
    await expect(manager.enable('bad', { cascade: true, isDecided: true })).rejects.toThrow(
      'no port is free',
    );
    expect([...persisted]).toEqual([
      ['needed', 'enabled'],
      ['bad', 'enabled'],
    ]);
    expect(manager.list().map(({ state }) => state)).toEqual(['failed', 'enabled']);
  });

  test('keeps that it was to run where somebody tries in vain to switch it on', async () => {
    const bad: Module = {
      setup: () => {
        throw new Error('no port is free');
      },
    };
    const { manager, persisted } = createHost({ bad });
    await manager.discover([plugin('bad', {}, { persisted: 'enabled' })]);
    await manager.start();
    await expect(manager.enable('bad')).rejects.toThrow('no port is free');
    expect([manager.state('bad'), persisted.get('bad')]).toEqual(['failed', 'enabled']);
  });

  test('switches nothing on or off afterwards, and changes no decision by it', async () => {
    const { manager, persisted } = createHost();
    await manager.discover([plugin('a', {}, { persisted: 'enabled' }), plugin('b')]);
    await manager.start();
    const stopped = manager.stop();
    const refused = { code: 'PLUGIN_HOST_STOPPING', status: 503 };
    await expect(manager.enable('a')).rejects.toMatchObject(refused);
    await expect(manager.disable('a')).rejects.toMatchObject(refused);
    await expect(manager.enable('b')).rejects.toMatchObject(refused);
    await stopped;
    expect([...persisted]).toEqual([['a', 'enabled']]);
  });

  test('takes everything back, dependants first, and keeps every decision', async () => {
    const a: Module = { setup: (context) => context.register('a') };
    const { manager, steps, persisted, counts } = createHost({ a });
    await manager.discover([plugin('a'), plugin('b', needs('a'))]);
    await manager.enable('b', { cascade: true });
    await manager.stop();
    expect(steps.filter((step) => step.startsWith('didDisable'))).toEqual(['didDisable b', 'didDisable a']);
    expect([...persisted.values()]).toEqual(['enabled', 'enabled']);
    expect(counts()).toEqual({ taps: 0, items: 0, bindings: 0 });
  });
});

test('two thousand rounds of enabling and disabling leave no tap, item, binding, listener or timer behind', async () => {
  const hosted = createHost({
    p: {
      setup: ({ scope, tap, register }) => {
        tap(() => undefined);
        register('item');
        scope.stage(() => hosted.container.bind(SERVICE, () => 'service', 'p'));
        scope.stage(() => hosted.items.onDidChange(() => undefined));
        scope.own(toDisposable(() => undefined));
      },
    },
  });
  const { manager, counts, clock } = hosted;
  await manager.discover([plugin('p')]);
  const leaks = LeakTracker.install();
  try {
    for (let round = 0; round < 2_000; round += 1) {
      await manager.enable('p');
      if (round === 0) {
        expect(counts()).toEqual({ taps: 1, items: 1, bindings: 1 });
        expect(hosted.container.get(SERVICE)).toBe('service');
      }
      await manager.disable('p');
    }
    leaks.assertNone();
  } finally {
    leaks.uninstall();
  }
  expect(counts()).toEqual({ taps: 0, items: 0, bindings: 0 });
  expect(clock.waiting).toBe(0);
});
