import {
  Container,
  ErrorBudget,
  HookRegistry,
  PluginManager,
  setUnexpectedErrorHandler,
  systemClock,
  type Clock,
} from '@trellis/core';
import {
  createWebRegistries,
  webHookDefinitions,
  type WebHooks,
  type WebPluginContext,
} from '@trellis/sdk/web';
import { HttpApiClient } from '../api/http-api-client.ts';
import { createServerCache } from '../api/server-cache.ts';
import { Transport } from '../api/transport.ts';
import { Translations } from '../i18n/translations.ts';
import { connectSocket, SocketLiveClient } from '../live/socket-live-client.ts';
import { ClientErrorReporter } from '../plugins/client-error-reporter.ts';
import { Diagnostics } from '../plugins/diagnostics.ts';
import { PluginSync } from '../plugins/plugin-sync.ts';
import { StyleSheets } from '../plugins/style-sheets.ts';
import { WebPluginHost } from '../plugins/web-plugin-host.ts';
import { AccessToken } from '../session/access-token.ts';
import { SessionPoll } from '../session/session-poll.ts';
import { Session } from '../session/session.ts';
import { TokenRefresh } from '../session/token-refresh.ts';
import { isEmbedded, LocalMirror } from '../store/local-mirror.ts';
import { PluginReducers } from '../store/plugin-reducers.ts';
import { createStore } from '../store/store.ts';
import { ThemeController } from '../theme/theme-controller.ts';
import { SyncedUserStorage } from '../user-storage/user-storage.ts';
import { trackActivity } from './activity.ts';
import { createBoundary } from './Boundary.tsx';
import { ConfirmCenter } from './confirm-center.ts';
import { ShellController } from './shell-controller.ts';
import { ToastCenter } from './toast-center.ts';
import { createUseServerData } from './use-server-data.ts';

export interface HostOptions {
  readonly transport?: Transport;
  readonly mirror?: LocalMirror;
  readonly clock?: Clock;
  readonly embedded?: boolean;
  readonly importModule?: (url: string) => Promise<unknown>;
}

export type HostParts = ReturnType<typeof createWebHost>;

/** Puts the page's services together. Nothing talks to the server before `connect`. */
export function createWebHost(options: HostOptions = {}) {
  const {
    clock = systemClock,
    embedded = isEmbedded(),
    mirror = LocalMirror.ofPage(),
    transport = new Transport(),
    importModule = (url) => import(/* @vite-ignore */ url),
  } = options;
  const registries = createWebRegistries();
  const translations = new Translations(registries.get('locales'));
  const diagnostics = new Diagnostics();
  const budget = new ErrorBudget({ clock });
  const hooks = new HookRegistry<WebHooks>({
    budget,
    onContained: (error, owner, hookId) => diagnostics.add(owner, `hook ${hookId}`, error),
  });
  for (const id of Object.keys(webHookDefinitions) as (keyof WebHooks)[]) {
    hooks.define(id, webHookDefinitions[id] as never); // The table pairs each id with its own kind.
  }

  const token = new AccessToken();
  const refresh = new TokenRefresh(transport, token);
  const toasts = new ToastCenter(clock);
  const confirms = new ConfirmCenter();
  const pluginReducers = new PluginReducers();
  const container = new Container();

  // The client reports to the store, and the store's cache reads through the client.
  const api: HttpApiClient = new HttpApiClient({
    transport,
    token,
    refresh,
    headers: (own, request) => hooks.call('api.willSend', own, request),
    track: (request) =>
      trackActivity(
        {
          store,
          toast: (message) => toasts.show(message),
          translate: translations.translate,
          now: () => clock.now(),
        },
        request,
      ),
    onExpired: () => session.expire(),
  });
  const cache = createServerCache(() => api);
  const store = createStore({ cache, pluginReducers, mirror });
  const session: Session = new Session({
    store,
    api,
    token,
    refresh,
    prepare: () => userStorage.load(),
    embedded,
  });
  const shell = new ShellController(store);
  const theme = new ThemeController(store, registries.get('themes'));
  const userStorage = new SyncedUserStorage(api, {
    enabled: !embedded,
    onError: (error) => diagnostics.add('host', 'user storage', error),
  });
  const live = new SocketLiveClient({
    connect: connectSocket,
    token: () => token.get(),
    renew: () => session.check(),
    clock,
    onError: (error) => diagnostics.add('host', 'live channel', error),
  });

  const pluginHost = new WebPluginHost({
    hooks,
    registries,
    container,
    api,
    reducers: pluginReducers,
    userStorage,
    styleSheets: new StyleSheets(),
    translate: () => translations.translate,
    isPluginEnabled: (id) => isEnabled(id),
    importModule,
    onError: (error, pluginId, step) => diagnostics.add(pluginId, step, error),
    dropCache: (pluginId) => dropCacheOf(pluginId),
  });
  const plugins = new PluginManager<WebPluginContext>(pluginHost, { budget });
  const sync = new PluginSync(api, pluginHost, plugins);
  const reporter = new ClientErrorReporter(api, { isSignedIn: () => session.status === 'signedIn' });

  function isEnabled(id: string): boolean {
    const state = plugins.state(id);
    return state === 'enabled' || state === 'degraded';
  }

  function dropCacheOf(pluginId: string): void {
    for (const [queryCacheKey, entry] of Object.entries(store.getState().server.queries)) {
      const asked = entry?.originalArgs as { readonly owner?: string } | undefined;
      if (asked?.owner !== pluginId) continue;
      store.dispatch(cache.internalActions.removeQueryResult({ queryCacheKey: queryCacheKey as never }));
    }
  }

  setUnexpectedErrorHandler((error) => diagnostics.add('host', 'unexpected', error));

  return {
    api,
    budget,
    cache,
    clock,
    confirms,
    container,
    diagnostics,
    embedded,
    hooks,
    live,
    mirror,
    plugins,
    isEnabled,
    poll: new SessionPoll(session, clock),
    registries,
    reporter,
    session,
    shell,
    store,
    sync,
    theme,
    toasts,
    token,
    translations,
    userStorage,
    Boundary: createBoundary({ diagnostics, translate: () => translations.translate }),
    useServerData: createUseServerData(cache),
  };
}
