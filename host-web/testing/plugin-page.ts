import type { PluginManager, Registries } from '@trellis/core';
import { ApiError, type WebPlugin, type WebPluginContext, type WebRegistries } from '@trellis/sdk/web';
import { createWebHost } from '../app/create-web-host.ts';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { AnsweringTransport } from './page-in-memory.tsx';

/** The page's own host without a screen, for plugins' web halves. */
export interface PluginPage {
  readonly manager: PluginManager<WebPluginContext>;
  readonly registries: Registries<WebRegistries>;
  /** Reads the list of plugins and starts them. */
  start(): Promise<void>;
  /** What the plugins have added, except items of registries. */
  counts(): { readonly taps: number; readonly services: number; readonly reducers: number };
}

/**
 * @param halves the modules at the addresses of the list
 * @param plugins the list in the server's form
 */
export function createPluginPage(
  halves: ReadonlyMap<string, WebPlugin>,
  plugins: readonly WebPluginEntry[],
): PluginPage {
  const {
    plugins: manager,
    registries,
    sync,
    hooks,
    container,
    store,
  } = createWebHost({
    transport: new AnsweringTransport(({ path }) => {
      if (path !== '/api/v1/plugins/web') return Promise.reject(new ApiError(404, `'${path}' is not there.`));
      return Promise.resolve({ data: { generation: 1, plugins }, status: 200, headers: {} });
    }),
    mirror: new LocalMirror(undefined),
    embedded: true,
    importModule: (url) => Promise.resolve({ default: halves.get(url) }),
  });
  return {
    manager,
    registries,
    start: () => sync.run(),
    counts() {
      // Reducers are added and removed with the next action.
      store.dispatch({ type: 'testing/counted' });
      const reducers = Object.values(store.getState().plugins).flatMap((keys) => Object.keys(keys));
      return { taps: hooks.size, services: container.size, reducers: reducers.length };
    },
  };
}
