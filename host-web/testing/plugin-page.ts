import type { PluginManager, Registries } from '@trellis/core';
import { ApiError, type WebPlugin, type WebPluginContext, type WebRegistries } from '@trellis/sdk/web';
import { createWebHost } from '../app/create-web-host.ts';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { AnsweringTransport } from './page-in-memory.tsx';

/** The page's own host without a screen, for web halves of plugins. */
export interface PluginPage {
  readonly manager: PluginManager<WebPluginContext>;
  readonly registries: Registries<WebRegistries>;
  /** Reads the list of plugins and starts them. */
  start(): Promise<void>;
  /** What the plugins have added beside items of registries. */
  counts(): { readonly taps: number; readonly services: number; readonly reducers: number };
}

/**
 * @param halves what stands at the addresses of the list
 * @param plugins the list as the server gives it
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
      // Reducers come and go with the next action.
      store.dispatch({ type: 'testing/counted' });
      const reducers = Object.values(store.getState().plugins).flatMap((keys) => Object.keys(keys));
      return { taps: hooks.size, services: container.size, reducers: reducers.length };
    },
  };
}
