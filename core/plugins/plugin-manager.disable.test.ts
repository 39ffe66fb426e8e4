import { describe, expect, test } from '@jest/globals';
import { Veto } from '../errors/trellis-error.ts';
import { toDisposable } from '../lifecycle/disposable.ts';
import { createHost, needs, plugin, refusal, settle, type Module } from './plugin-manager.fixture.ts';
import type { PluginScope } from './plugin-scope.ts';

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
