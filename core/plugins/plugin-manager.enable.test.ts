import { describe, expect, jest, test } from '@jest/globals';
import { toDisposable } from '../lifecycle/disposable.ts';
import type { PluginStep } from './plugin-host.ts';
import {
  createHost,
  needs,
  plugin,
  quiet,
  refusal,
  settle,
  type Module,
  type Overrides,
} from './plugin-manager.fixture.ts';
import type { PluginManifest } from './plugin-manifest.ts';

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

  test('is held up, and no failure of the plugin, where what the host stands on could not answer', async () => {
    let isBusy = true;
    const p: Module = {
      setup: () => (isBusy ? Promise.reject(new Error('The database is busy')) : undefined),
    };
    const isOutage = (error: unknown) => error instanceof Error && error.message === 'The database is busy';
    const { manager } = createHost({ p }, { isOutage });
    await manager.discover([plugin('p')]);
    expect(await refusal(manager.enable('p'))).toMatchObject({
      code: 'PLUGIN_HELD_UP',
      status: 503,
      params: { plugin: 'p', step: 'setup', reason: 'The database is busy' },
    });
    isBusy = false;
    await manager.enable('p');
    expect(manager.state('p')).toBe('enabled');
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
