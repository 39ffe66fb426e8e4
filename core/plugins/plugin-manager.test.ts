import { describe, expect, jest, test } from '@jest/globals';
import { Container } from '../container/container.ts';
import { createToken } from '../container/token.ts';
import { ErrorBudget } from '../errors/error-budget.ts';
import { Veto, type TrellisError } from '../errors/trellis-error.ts';
import { HookRegistry } from '../hooks/hook-registry.ts';
import type { DidSpec } from '../hooks/hook-types.ts';
import { toDisposable } from '../lifecycle/disposable.ts';
import { LeakTracker } from '../lifecycle/leak-tracker.ts';
import { ManualClock } from '../lifecycle/manual-clock.ts';
import { Registry } from '../registry/registry.ts';
import type { KnownPlugin, PluginHost, PluginModule, PluginStep } from './plugin-host.ts';
import { PluginManager } from './plugin-manager.ts';
import type { PluginManifest } from './plugin-manifest.ts';
import type { PluginScope } from './plugin-scope.ts';

type Catalogue = { 'row.didChange': DidSpec<number> };
interface Context {
  readonly id: string;
  readonly scope: PluginScope;
  tap(handler: (input: number) => void): void;
  register(id: string): void;
}
type Module = PluginModule<Context>;
type Overrides = Partial<PluginHost<Context>>;

const SERVICE = createToken<string>('test.service');
const quiet: Module = { setup: () => undefined };

function plugin(
  id: string,
  links: Partial<PluginManifest> = {},
  known: Partial<KnownPlugin> = {},
): KnownPlugin {
  const manifest: PluginManifest = {
    id,
    name: id,
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '^1.0.0' },
    sdk: 1,
    ...links,
  };
  return { id, origin: 'built-in', manifest, ...known };
}

const needs = (...ids: string[]) => ({ dependencies: Object.fromEntries(ids.map((id) => [id, '^1.0.0'])) });

/** A small but whole host: hooks, a registry and a container that plugins add to through their context. */
function createHost(modules: Record<string, Module> = {}, overrides: Overrides = {}) {
  const clock = new ManualClock();
  const budget = new ErrorBudget({ clock });
  const steps: string[] = [];
  const errors: string[] = [];
  const persisted = new Map<string, string>();
  const hooks = new HookRegistry<Catalogue>({ onContained: () => undefined, budget });
  hooks.define('row.didChange', { kind: 'did', policy: 'contain', description: 'test' });
  const items = new Registry<{ id: string }>({ id: 'items', absentPolicy: 'none' });
  const container = new Container();
  let published: readonly string[] = [];
  const host: PluginHost<Context> = {
    version: '1.0.0',
    clock,
    load: async (manifest) => modules[manifest.id] ?? quiet,
    createContext: ({ id }, scope) => ({
      id,
      scope,
      tap: (handler) => void scope.stage(() => hooks.tap(id, 'row.didChange', handler)),
      register: (item) => void scope.stage(() => items.register({ id: item }, id)),
    }),
    willEnable: ({ id }) => void steps.push(`willEnable ${id}`),
    didEnable: ({ id }) => void steps.push(`didEnable ${id}`),
    willDisable: ({ id }) => void steps.push(`willDisable ${id}`),
    didDisable: ({ id }) => void steps.push(`didDisable ${id}`),
    publish: () => {
      published = items.list().map((item) => item.id);
    },
    persist: (id, state) => void persisted.set(id, state),
    onError: (error, id, step) =>
      errors.push(`${id} ${step}: ${error instanceof Error ? error.message : 'unknown'}`),
    ...overrides,
  };
  const manager = new PluginManager(host, { budget });
  const counts = () => ({ taps: hooks.size, items: items.size, bindings: container.size });
  return {
    manager,
    clock,
    steps,
    errors,
    persisted,
    hooks,
    items,
    container,
    counts,
    published: () => published,
  };
}

async function refusal(work: Promise<unknown>): Promise<TrellisError> {
  return work.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: unknown) => error as TrellisError,
  );
}

/** Lets everything run that only waits for resolved promises. */
const settle = () => new Promise(setImmediate);

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
      plugin('system', { system: true }, { persisted: 'starting' }),
    ]);
    await manager.start();
    expect(manager.status('crasher')).toMatchObject({ state: 'disabled' });
    expect(manager.status('crasher')?.reason).toContain('It was starting when the host stopped');
    expect(persisted.get('crasher')).toBe('disabled');
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
    });
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

describe('enabling', () => {
  test('takes its steps in order, and disabling goes back', async () => {
    const steps: string[] = [];
    const step = (name: string) => async () => void steps.push(name);
    const p: Module = {
      setup: ({ scope }) => {
        steps.push('setup');
        scope.own(toDisposable(() => void steps.push('resource disposed')));
        scope.stage(() => {
          steps.push('commit');
          return toDisposable(() => void steps.push('withdrawn'));
        });
        scope.signal.addEventListener('abort', () => steps.push('abort'));
      },
    };
    const { manager } = createHost(
      {},
      {
        willEnable: step('willEnable'),
        load: async () => {
          steps.push('load');
          return p;
        },
        migrate: async (_, module) =>
          void steps.push(module === p ? 'migrate' : 'migrate without the module'),
        didEnable: step('didEnable'),
        willDisable: step('willDisable'),
        didDisable: step('didDisable'),
        publish: () => void steps.push('publish'),
        persist: (_, state) => void steps.push(`persist ${state}`),
      },
    );
    await manager.discover([plugin('p')]);
    await manager.enable('p');
    expect(steps).toEqual([
      'persist starting',
      'willEnable',
      'load',
      'migrate',
      'setup',
      'commit',
      'publish',
      'persist enabled',
      'didEnable',
    ]);
    steps.length = 0;
    await manager.disable('p');
    expect(steps).toEqual([
      'willDisable',
      'persist disabled',
      'withdrawn',
      'publish',
      'abort',
      'resource disposed',
      'didDisable',
    ]);
  });

  test('needs what it depends on, or carries it along', async () => {
    const { manager } = createHost();
    await manager.discover([plugin('a', needs('b')), plugin('b', needs('c')), plugin('c')]);
    expect(manager.planEnable('a')).toEqual({ needs: ['c', 'b'], conflicts: [], problems: [] });
    expect(await refusal(manager.enable('a'))).toMatchObject({
      code: 'PLUGIN_NEEDS_OTHERS',
      params: { plugin: 'a', needs: ['c', 'b'] },
    });
    expect(manager.state('c')).toBe('discovered');
    await manager.enable('a', { cascade: true });
    expect(manager.list().map(({ state }) => state)).toEqual(['enabled', 'enabled', 'enabled']);
  });

  test('takes back what it carried along when it fails in the end', async () => {
    const a: Module = { setup: (context) => Promise.reject(new Error(`${context.id} broke`)) };
    const b: Module = { setup: (context) => context.register('b-item') };
    const { manager, counts, persisted } = createHost({ a, b });
    await manager.discover([plugin('a', needs('b')), plugin('b')]);
    expect(await refusal(manager.enable('a', { cascade: true }))).toMatchObject({ code: 'PLUGIN_FAILED' });
    expect(manager.list().map(({ state }) => state)).toEqual(['failed', 'disabled']);
    expect(counts()).toEqual({ taps: 0, items: 0, bindings: 0 });
    expect(persisted.get('b')).toBe('disabled');
  });

  test('is refused beside a plugin that it conflicts with, from either side', async () => {
    const { manager } = createHost();
    await manager.discover([
      plugin('a', { conflicts: { b: '*' } }),
      plugin('b'),
      plugin('c', needs('a', 'b')),
    ]);
    await manager.enable('b');
    expect(await refusal(manager.enable('a'))).toMatchObject({
      code: 'PLUGIN_CONFLICT',
      params: { plugin: 'a', other: 'b' },
    });
    await manager.disable('b');
    await manager.enable('a');
    expect(manager.planEnable('b').conflicts).toEqual(['a']);
    expect(await refusal(manager.enable('b'))).toMatchObject({ code: 'PLUGIN_CONFLICT' });
    await manager.disable('a');
    expect(await refusal(manager.enable('c', { cascade: true }))).toMatchObject({ code: 'PLUGIN_CONFLICT' });
    expect(manager.state('a')).toBe('disabled');
  });

  test('leaves nothing when an id is taken at commit', async () => {
    const first: Module = { setup: (context) => context.register('Rating') };
    const second: Module = {
      setup: (context) => {
        context.tap(() => undefined);
        context.register('Stars');
        context.register('Rating');
      },
    };
    const { manager, counts, published } = createHost({ first, second });
    await manager.discover([plugin('first'), plugin('second')]);
    await manager.enable('first');
    const before = counts();
    const error = await refusal(manager.enable('second'));
    expect(error.message).toContain(
      "failed at 'commit': 'Rating' of 'second' is already registered in 'items' by 'first'",
    );
    expect(counts()).toEqual(before);
    expect(published()).toEqual(['Rating']);
    expect(manager.state('second')).toBe('failed');
  });

  describe('that fails or hangs leaves nothing, whichever step it is', () => {
    const full: Module = {
      setup: (context) => {
        context.tap(() => undefined);
        context.register('item');
        context.scope.own(toDisposable(() => undefined));
      },
    };
    /** A host in which plugin `p`, and only that one, misbehaves at a step. */
    const createMisbehaving = (step: PluginStep, behave: () => Promise<never>) => {
      const p: Module = {
        setup: async (context) => {
          await full.setup(context);
          if (step === 'setup') await behave();
        },
      };
      const ofManifest = ({ id }: PluginManifest) => (id === 'p' ? behave() : undefined);
      const overrides: Overrides =
        step === 'setup'
          ? {}
          : step === 'persist'
            ? { persist: (id, state) => (id === 'p' && state === 'enabled' ? behave() : undefined) }
            : step === 'load'
              ? { load: async ({ id }) => (id === 'p' ? behave() : quiet) }
              : { [step]: ofManifest };
      return createHost({ p }, overrides);
    };
    const stepsThatMayFail: PluginStep[] = ['willEnable', 'migrate', 'load', 'setup', 'persist'];

    test.each(stepsThatMayFail)('%s fails', async (step) => {
      const { manager, counts, clock } = createMisbehaving(step, () => Promise.reject(new Error('broken')));
      await manager.discover([plugin('p')]);
      const error = await refusal(manager.enable('p'));
      expect(error).toMatchObject({ code: 'PLUGIN_FAILED', params: { plugin: 'p', step, reason: 'broken' } });
      expect(counts()).toEqual({ taps: 0, items: 0, bindings: 0 });
      expect(manager.state('p')).toBe('failed');
      expect(clock.waiting).toBe(0);
    });

    test.each(stepsThatMayFail)('%s hangs', async (step) => {
      const { manager, counts, clock } = createMisbehaving(step, () => new Promise(() => undefined));
      await manager.discover([plugin('p'), plugin('next')]);
      const refused = refusal(manager.enable('p'));
      const next = manager.enable('next');
      await settle();
      clock.advance(10 * 60_000);
      expect((await refused).message).toMatch(
        new RegExp(`Step '${step}' of plugin 'p' took longer than \\d+ ms`),
      );
      expect(counts()).toEqual({ taps: 0, items: 0, bindings: 0 });
      await next;
      expect(manager.state('next')).toBe('enabled');
      expect(clock.waiting).toBe(0);
    });

    test('publish fails', async () => {
      let fail = true;
      const publish = jest.fn(() => {
        if (fail) throw new Error('route taken');
      });
      const { manager, counts, errors } = createHost({ p: full }, { publish });
      await manager.discover([plugin('p')]);
      expect((await refusal(manager.enable('p'))).message).toContain("failed at 'publish': route taken");
      expect(counts()).toEqual({ taps: 0, items: 0, bindings: 0 });
      expect(publish).toHaveBeenCalledTimes(2);
      expect(errors).toEqual(['p publish: route taken']);
      fail = false;
      await manager.enable('p');
      expect(manager.state('p')).toBe('enabled');
    });

    test('didEnable fails, which does not undo what is done', async () => {
      const { manager, errors } = createHost({}, { didEnable: () => Promise.reject(new Error('late')) });
      await manager.discover([plugin('p')]);
      await manager.enable('p');
      expect(manager.state('p')).toBe('enabled');
      expect(errors).toEqual(['p didEnable: late']);
    });
  });

  test('turns away a setup that goes on after it was given up', async () => {
    let goOn: () => void = () => undefined;
    const late: { error?: unknown } = {};
    const p: Module = {
      setup: async (context) => {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        try {
          context.register('zombie');
        } catch (error) {
          late.error = error;
        }
      },
    };
    const { manager, clock, counts } = createHost({ p });
    await manager.discover([plugin('p')]);
    const refused = refusal(manager.enable('p'));
    await settle();
    clock.advance(10_000);
    await refused;
    goOn();
    await settle();
    expect(String(late.error)).toContain("'p' is no longer active");
    expect(counts().items).toBe(0);
  });
});

describe('disabling', () => {
  test('is refused while others need it, or carries them along, those first that need it', async () => {
    const { manager, steps, persisted } = createHost();
    await manager.discover([plugin('base'), plugin('middle', needs('base')), plugin('top', needs('middle'))]);
    await manager.enable('top', { cascade: true });
    expect(await refusal(manager.disable('base'))).toMatchObject({
      code: 'PLUGIN_HAS_DEPENDENTS',
      params: { dependents: ['top', 'middle'] },
    });
    expect((await manager.planDisable('base')).dependents).toEqual(['top', 'middle']);
    await manager.disable('base', { cascade: true });
    expect(steps.filter((step) => step.startsWith('didDisable'))).toEqual([
      'didDisable top',
      'didDisable middle',
      'didDisable base',
    ]);
    expect([...persisted.values()]).toEqual(['disabled', 'disabled', 'disabled']);
  });

  test('is refused for a system plugin, also as somebody that would be carried along', async () => {
    const { manager } = createHost();
    await manager.discover([
      plugin('base', { enabledByDefault: true }),
      plugin('core-part', { system: true, ...needs('base') }),
    ]);
    await manager.start();
    expect(await refusal(manager.disable('core-part'))).toMatchObject({ code: 'PLUGIN_IS_SYSTEM' });
    expect(await refusal(manager.disable('base', { cascade: true }))).toMatchObject({
      code: 'PLUGIN_IS_SYSTEM',
    });
    expect(manager.state('base')).toBe('enabled');
  });

  test('changes nothing when somebody vetoes it, dependants included', async () => {
    const veto = new Veto('LAST_SIGN_IN', 'This is the last way in.');
    const { manager } = createHost(
      {},
      {
        willDisable: ({ id }) => {
          if (id === 'base') throw veto;
        },
      },
    );
    await manager.discover([plugin('base'), plugin('top', needs('base'))]);
    await manager.enable('top', { cascade: true });
    expect(await refusal(manager.disable('base', { cascade: true }))).toBe(veto);
    expect(manager.list().map(({ state }) => state)).toEqual(['enabled', 'enabled']);
  });

  test('goes on when the plugin breaks at it', async () => {
    const p: Module = {
      setup: ({ scope }) => {
        scope.stage(() =>
          toDisposable(() => {
            throw new Error('cannot undo');
          }),
        );
      },
    };
    const { manager, errors } = createHost(
      { p },
      { willDisable: () => Promise.reject(new Error('confused')) },
    );
    await manager.discover([plugin('p')]);
    await manager.enable('p');
    await manager.disable('p');
    expect(manager.state('p')).toBe('disabled');
    expect(errors).toEqual(['p willDisable: confused', 'p dispose: cannot undo']);
  });

  test('publishes before it waits for work in flight', async () => {
    let scope: PluginScope | undefined;
    const p: Module = {
      setup: (context) => {
        scope = context.scope;
        context.register('item');
      },
    };
    const { manager, published, clock } = createHost({ p });
    await manager.discover([plugin('p')]);
    await manager.enable('p');
    expect(published()).toEqual(['item']);
    void scope?.track(new Promise(() => undefined));
    const disabling = manager.disable('p');
    await settle();
    expect(published()).toEqual([]);
    expect(scope?.signal.aborted).toBe(false);
    clock.advance(10_000);
    await disabling;
    expect(scope?.signal.aborted).toBe(true);
  });

  test('shows before what relies on it, and says nothing when the report breaks', async () => {
    const base: Module = { setup: () => undefined, usage: async ({ id }) => [`${id} keeps 2 drafts`] };
    const { manager, errors } = createHost(
      { base },
      {
        usage: async ({ id }) => {
          if (id === 'top') throw new Error('no report');
          return [{ message: '{columns} columns use Rating', params: { columns: 3 } }];
        },
      },
    );
    await manager.discover([plugin('base'), plugin('top', needs('base'))]);
    await manager.enable('top', { cascade: true });
    expect(await manager.planDisable('base')).toEqual({
      dependents: ['top'],
      usage: {
        top: [],
        base: [
          { message: '{columns} columns use Rating', params: { columns: 3 } },
          { message: 'base keeps 2 drafts' },
        ],
      },
    });
    expect(errors).toEqual(['top usage: no report']);
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
