import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createServerCache } from '../api/server-cache.ts';
import { ada } from '../testing/signed-in-server.ts';
import { LocalMirror } from './local-mirror.ts';
import { isBusy, notificationsSlice } from './notifications-slice.ts';
import { PluginReducers } from './plugin-reducers.ts';
import { sessionSlice } from './session-slice.ts';
import { defaultSettings, settingsSlice } from './settings-slice.ts';
import { createStore } from './store.ts';
import { maxOpenTabs, tabsOf, tabsSlice } from './tabs-slice.ts';

class MemoryStorage implements Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  readonly values = new Map<string, string>();
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
}

function makeStore(storage = new MemoryStorage()) {
  const pluginReducers = new PluginReducers();
  const cache = createServerCache(() => {
    throw new Error('nothing is read here');
  });
  const store = createStore({
    cache,
    pluginReducers,
    mirror: new LocalMirror(storage as unknown as Storage),
  });
  return { store, pluginReducers, storage };
}

const person = (id: string) => ({ ...ada, id });
const tab = (key: string) => ({ type: 'table', key, name: key });
const open = (key: string) => tabsSlice.actions.opened({ projectId: 'p', tab: tab(key) });
const close = (key: string) => tabsSlice.actions.closed({ projectId: 'p', tab: tab(key) });

describe('tabs', () => {
  test('drop the oldest when a ninth is opened', () => {
    const { store } = makeStore();
    for (const key of 'abcdefghi') store.dispatch(open(key));
    const { open: opened, active } = tabsOf(store.getState().tabs, 'p');
    expect(opened.map(({ key }) => key).join('')).toBe('bcdefghi');
    expect(active?.key).toBe('i');
  });

  test('show the neighbour when the active one is closed', () => {
    const { store } = makeStore();
    for (const key of 'abc') store.dispatch(open(key));
    store.dispatch(open('b'));
    store.dispatch(close('b'));
    expect(tabsOf(store.getState().tabs, 'p').active?.key).toBe('c');
    store.dispatch(close('c'));
    expect(tabsOf(store.getState().tabs, 'p').active?.key).toBe('a');
    store.dispatch(close('a'));
    expect(tabsOf(store.getState().tabs, 'p')).toEqual({ open: [], active: undefined });
  });

  test('are never more than eight, never twice the same, and the active one is among them', () => {
    const step = fc.record({
      kind: fc.constantFrom(open, close),
      key: fc.constantFrom(...'abcdefghijkl'.split('')),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { store } = makeStore();
        for (const { kind, key } of steps) store.dispatch(kind(key));
        const { open: opened, active } = tabsOf(store.getState().tabs, 'p');
        const keys = opened.map(({ key }) => key);
        expect(keys.length).toBeLessThanOrEqual(maxOpenTabs);
        expect(new Set(keys).size).toBe(keys.length);
        expect(active === undefined ? keys.length === 0 : keys.includes(active.key)).toBe(true);
      }),
    );
  });
});

describe('local storage', () => {
  test('keeps settings and tabs over a reload, and nothing else', () => {
    const first = makeStore();
    first.store.dispatch(sessionSlice.actions.started(person('us_1')));
    first.store.dispatch(settingsSlice.actions.changed({ mode: 'dark' }));
    first.store.dispatch(open('a'));
    const second = makeStore(first.storage);
    expect(second.store.getState().settings.mode).toBe('dark');
    expect(tabsOf(second.store.getState().tabs, 'p').active?.key).toBe('a');
    const kept = JSON.parse(first.storage.getItem('trellis.state') ?? '{}') as object;
    expect(Object.keys(kept).sort()).toEqual(['settings', 'tabs', 'version']);
  });

  test('gives nobody the tabs of somebody else', () => {
    const first = makeStore();
    first.store.dispatch(sessionSlice.actions.started(person('us_1')));
    first.store.dispatch(open('a'));
    const second = makeStore(first.storage);
    second.store.dispatch(sessionSlice.actions.started(person('us_1')));
    expect(tabsOf(second.store.getState().tabs, 'p').open).toHaveLength(1);
    second.store.dispatch(sessionSlice.actions.started(person('us_2')));
    expect(second.store.getState().tabs).toEqual({ owner: 'us_2', byProject: {} });
  });

  test('of an older page is read: what was dark stays dark', () => {
    const storage = new MemoryStorage();
    storage.setItem('trellis.state', JSON.stringify({ settings: { dark: true, themeId: 'orange' } }));
    expect(makeStore(storage).store.getState().settings).toEqual({
      ...defaultSettings,
      mode: 'dark',
      themeId: 'orange',
    });
  });

  test('gives a state of the right shape whatever it holds', () => {
    const key = fc.constantFrom(
      'open',
      'active',
      'type',
      'key',
      'name',
      'view',
      'light',
      'p',
      'mode',
      'dark',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 6 }, fc.jsonValue({ maxDepth: 1 }), fc.array(tie('value')), tie('object')),
      object: fc.dictionary(key, tie('value')),
    }));
    const kept = fc.record(
      {
        version: fc.constantFrom(1, 2, 'x'),
        settings: fc.oneof(value, fc.record({ customTheme: value, sideBarWidth: value, mode: value })),
        tabs: fc.oneof(value, fc.record({ owner: fc.string(), byProject: value })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(kept, (state) => {
        const storage = new MemoryStorage();
        storage.setItem('trellis.state', JSON.stringify(state));
        const { settings, tabs } = makeStore(storage).store.getState();
        expect(['system', 'light', 'dark']).toContain(settings.mode);
        expect(settings.sideBarWidth).toBeGreaterThan(0);
        for (const colour of Object.values({ ...settings.customTheme.light, ...settings.customTheme.dark })) {
          expect(typeof colour).toBe('string');
        }
        for (const { open: opened, active } of Object.values(tabs.byProject)) {
          for (const of of opened) expect([typeof of.type, typeof of.key]).toEqual(['string', 'string']);
          if (active !== undefined) expect(opened).toContain(active);
        }
      }),
    );
  });

  test('that holds something else is no obstacle', () => {
    const storage = new MemoryStorage();
    storage.setItem('trellis.state', '{"settings":');
    expect(makeStore(storage).store.getState().settings.themeId).toBe('default');
  });
});

describe('notifications', () => {
  const { started, settled, barMoved } = notificationsSlice.actions;
  const key = { type: 'Create', module: 'table', title: '/x' };

  test('go from pending to their outcome and move the loading bar meanwhile', () => {
    const { store } = makeStore();
    store.dispatch(started({ ...key, time: 1 }));
    expect(isBusy(store.getState().notifications)).toBe(true);
    store.dispatch(settled({ ...key, status: 'success', time: 2 }));
    expect(store.getState().notifications.items).toEqual([{ ...key, status: 'success', time: 2 }]);
    expect(isBusy(store.getState().notifications)).toBe(false);
  });

  test('leave the bar running while its counter is above zero', () => {
    const { store } = makeStore();
    store.dispatch(barMoved(1));
    expect(isBusy(store.getState().notifications)).toBe(true);
    store.dispatch(barMoved(-1));
    store.dispatch(barMoved(-1));
    expect(store.getState().notifications.barCounter).toBe(0);
  });
});

describe("plugins' reducers", () => {
  test('come and go with their state', () => {
    const { store, pluginReducers } = makeStore();
    const count = (state = 0, action: { type: string }) =>
      action.type === 'count' ? Number(state) + 1 : state;
    const one = pluginReducers.add('demo', 'count', count);
    const other = pluginReducers.add('other', 'count', count);
    store.dispatch({ type: 'count' });
    expect(store.getState().plugins).toEqual({ demo: { count: 1 }, other: { count: 1 } });
    void one.dispose();
    store.dispatch({ type: 'count' });
    expect(store.getState().plugins).toEqual({ other: { count: 2 } });
    void other.dispose();
    store.dispatch({ type: 'count' });
    expect(store.getState().plugins).toEqual({});
  });

  test('cannot take a key twice', () => {
    const reducers = new PluginReducers();
    reducers.add('demo', 'x', (state: unknown = 0) => state);
    expect(() => reducers.add('demo', 'x', (state: unknown = 0) => state)).toThrow(
      /'demo' has a reducer 'x' already/,
    );
  });
});
