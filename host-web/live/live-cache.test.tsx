import { describe, expect, test } from '@jest/globals';
import type { LiveEvent } from '@trellis/sdk/shared';
import { OwnCalls } from '../api/own-calls.ts';
import { createServerCache } from '../api/server-cache.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { PluginReducers } from '../store/plugin-reducers.ts';
import { createStore } from '../store/store.ts';
import { LiveCache } from './live-cache.ts';

const shown: Readonly<Record<string, readonly string[]>> = {
  projects: ['projects'],
  project: ['projects', 'project:p_1'],
  tables: ['tables:p_1'],
  'other tables': ['tables:p_2'],
  table: ['table:tb_1'],
  'other table': ['table:tb_2'],
  view: ['view:vw_1'],
  'other view': ['view:vw_2'],
  plugins: ['plugins'],
  version: [],
};

/** A page that shows all of it, and what it has asked for since it was drawn. */
async function openPage() {
  const asked: string[] = [];
  /** What the server does not answer. */
  const unreadable = new Set<string>();
  const request = <T,>({ path }: { readonly path: string }): Promise<T> => {
    asked.push(path);
    if (unreadable.has(path)) return Promise.reject(new Error('no answer'));
    return Promise.resolve(path as T);
  };
  const timers: (() => void)[] = [];
  const clock = {
    now: () => Date.now(),
    after: (_milliseconds: number, run: () => void) => {
      timers.push(run);
      return () => undefined;
    },
  };
  const cache = createServerCache(() => ({ request }) as never);
  const mirror = new LocalMirror(undefined);
  const store = createStore({ cache, pluginReducers: new PluginReducers(), mirror });
  const calls = new OwnCalls(clock);
  const liveCache = new LiveCache({ store, cache, calls, clock });
  for (const [path, tags] of Object.entries(shown)) {
    await store.dispatch(cache.endpoints.read.initiate({ owner: 'host', request: { path }, tags }));
  }
  asked.length = 0;
  const settled = async () => {
    await Promise.all(store.dispatch(cache.util.getRunningQueriesThunk()));
    return asked.splice(0).toSorted();
  };
  const runTimers = () => {
    for (const run of timers.splice(0)) run();
  };
  return { liveCache, calls, settled, runTimers, unreadable };
}

const schema = (tableId?: string, requestId = 'r'): LiveEvent => ({
  kind: 'schema',
  projectId: 'p_1',
  tableId,
  generation: 2,
  requestId,
});
const view: LiveEvent = {
  kind: 'view',
  projectId: 'p_1',
  tableId: 'tb_1',
  viewId: 'vw_1',
  requestId: 'r',
};

describe('what the page has read', () => {
  test.each<[string, LiveEvent, readonly string[]]>([
    ['projects', { kind: 'projects' }, ['project', 'projects']],
    ['the plugins', { kind: 'plugins', generation: 2 }, ['plugins', 'project', 'projects']],
    ['a project', schema(), ['project', 'tables']],
    ['a table', schema('tb_1'), ['other view', 'table', 'tables', 'view']],
    ['a view', view, ['table', 'view']],
  ])('is read again when somebody changed %s', async (_what, event, expected) => {
    const { liveCache, settled } = await openPage();
    await liveCache.follow(event);
    expect(await settled()).toEqual(expected);
  });

  test('is read again after a gap, except what was read since', async () => {
    const { liveCache, settled } = await openPage();
    liveCache.readAgainFrom(0);
    expect(await settled()).toEqual([]);
    liveCache.readAgainFrom(Date.now() + 1);
    const tagged = Object.keys(shown).filter((path) => shown[path]?.length !== 0);
    expect(await settled()).toEqual(tagged.toSorted());
  });

  test('is read again where it could not be read', async () => {
    const { liveCache, settled, unreadable } = await openPage();
    liveCache.readFailed();
    expect(await settled()).toEqual([]);
    unreadable.add('table');
    await liveCache.follow(view);
    await settled();
    unreadable.clear();
    liveCache.readFailed();
    expect(await settled()).toEqual(['table']);
  });

  test('is read once when the page changed it and said so', async () => {
    const { liveCache, calls, settled, runTimers } = await openPage();
    const call = calls.begin();
    // The event is faster than the answer.
    const followed = liveCache.follow(view);
    call.answered('r');
    call.end();
    liveCache.invalidate(['view:vw_1', 'table:tb_1']);
    await followed;
    expect(await settled()).toEqual(['table', 'view']);
    runTimers();
    expect(await settled()).toEqual([]);
  });

  test('is read when somebody else changed it, however long an own call takes', async () => {
    const { liveCache, calls, settled, runTimers } = await openPage();
    calls.begin();
    const followed = liveCache.follow(view);
    runTimers();
    await followed;
    expect(await settled()).toEqual(['table', 'view']);
  });

  test('is read when the page changed it and did not say so', async () => {
    const { liveCache, calls, settled, runTimers } = await openPage();
    const call = calls.begin();
    call.answered('r');
    call.end();
    await liveCache.follow(view);
    expect(await settled()).toEqual([]);
    runTimers();
    expect(await settled()).toEqual(['table', 'view']);
  });
});
