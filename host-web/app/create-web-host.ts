import {
  Container,
  ErrorBudget,
  HookRegistry,
  longestHook,
  PluginManager,
  setUnexpectedErrorHandler,
  systemClock,
  type Clock,
} from '@trellis/core';
import {
  createWebRegistries,
  webHookDefinitions,
  type ErrorSource,
  type WebHooks,
  type WebPluginContext,
} from '@trellis/sdk/web';
import { HttpApiClient } from '../api/http-api-client.ts';
import { Connection } from '../api/connection.ts';
import { OwnCalls } from '../api/own-calls.ts';
import { createServerCache, ownerTag } from '../api/server-cache.ts';
import { Transport } from '../api/transport.ts';
import { LeftOutPlugins } from '../plugins/left-out-plugins.ts';
import type { HostParts } from './host-parts.ts';
import { Translations } from '../i18n/translations.ts';
import { LiveCache } from '../live/live-cache.ts';
import { connectSocket, livePath, SocketLiveClient } from '../live/socket-live-client.ts';
import { ClientErrorReporter, clientErrorsPath } from '../contain/client-error-reporter.ts';
import { Diagnostics } from '../contain/diagnostics.ts';
import { PluginSync } from '../plugins/plugin-sync.ts';
import { StyleSheets } from '../plugins/style-sheets.ts';
import { WebPluginHost } from '../plugins/web-plugin-host.ts';
import { AccessToken } from '../api/access-token.ts';
import { SessionPoll } from '../session/session-poll.ts';
import { Session } from '../session/session.ts';
import { TokenRefresh } from '../api/token-refresh.ts';
import { isEmbedded, LocalMirror } from '../store/local-mirror.ts';
import { PluginReducers } from '../store/plugin-reducers.ts';
import { createStore } from '../store/store.ts';
import { ThemeController } from '../theme/theme-controller.ts';
import { SyncedUserStorage } from '../session/user-storage.ts';
import { trackActivity } from '../feedback/activity.ts';
import { createBoundary } from '../contain/Boundary.tsx';
import { ConfirmCenter } from '../feedback/confirm-center.ts';
import { LeaveGuard } from '../shell/leave-guard.ts';
import { ShellController } from '../shell/shell-controller.ts';
import { ToastCenter } from '../feedback/toast-center.ts';
import { createUseServerData } from '../api/use-server-data.ts';

/** Lower than a server's budget: a page calls a tap far less often, and reloading restores everything. */
const pageBudget = { limit: 10, window: 10 * 60_000 };

export interface HostOptions {
  readonly transport?: Transport;
  readonly mirror?: LocalMirror;
  readonly clock?: Clock;
  readonly embedded?: boolean;
  readonly importModule?: (url: string) => Promise<unknown>;
  readonly leftOut?: LeftOutPlugins;
  /** Makes the connection of the live channel. */
  readonly connectLive?: ConstructorParameters<typeof SocketLiveClient>[0]['connect'];
  /** Called for each reported error, with its source. */
  readonly onReport?: HostParts['reportError'];
}

/** Effectively until the page is reloaded: one day. */
const updateToastLife = 86_400_000;

/** Assembles the page's services. No request is sent before `connect`. */
export function createWebHost(options: HostOptions = {}): HostParts {
  const {
    clock = systemClock,
    embedded = isEmbedded(),
    mirror = LocalMirror.ofPage(),
    transport = new Transport(),
    importModule = (url) => import(/* @vite-ignore */ url),
    leftOut = LeftOutPlugins.ofPage(),
  } = options;
  const registries = createWebRegistries((...of) => reportError(...of));
  const translations = new Translations(registries.get('locales'), (error, owner) =>
    diagnostics.add(owner, 'texts', error),
  );
  const diagnostics = new Diagnostics();
  const budget = new ErrorBudget({ clock, ...pageBudget });
  const hooks = new HookRegistry<WebHooks>({
    budget,
    clock,
    limit: longestHook,
    onContained: (error, owner, hookId) => diagnostics.add(owner, `hook ${hookId}`, error),
  });
  budget.onDidExhaust(({ owner, description, error }) =>
    diagnostics.add(owner, `${description}, which is out of service in this page now`, error),
  );
  for (const id of Object.keys(webHookDefinitions) as (keyof typeof webHookDefinitions)[]) {
    hooks.define(id, webHookDefinitions[id] as never); // The table pairs each id with the kind that belongs to it.
  }

  const token = new AccessToken();
  const refresh = new TokenRefresh(transport, token);
  // Everybody may request this, and it costs the server nothing.
  const connection = new Connection({
    ask: () => transport.send({ path: '/api/v1/health', headers: {} }),
    clock,
  });
  transport.onDidExchange((answered) => connection.heard(answered));
  const toasts = new ToastCenter(clock);
  const confirms = new ConfirmCenter();
  const pluginReducers = new PluginReducers();
  const container = new Container();
  const ownCalls = new OwnCalls(clock);

  // The client reports to the store, and the store's cache reads through the client.
  const api: HttpApiClient = new HttpApiClient({
    transport,
    token,
    refresh,
    headers: (own, request) =>
      request.path === clientErrorsPath ? Promise.resolve(own) : hooks.call('api.willSend', own, request),
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
    textOf: ({ code, params, message }) => translations.ofError(code, params, message),
    untilThere: () => connection.untilThere(),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    onExpired: () => session.expire(),
    // If the server cannot be asked who is signed in, the next request checks again.
    onOtherPerson: () => void session.check().catch(() => undefined),
    untilResumed: () => session.untilResumed(),
    isPaused: () => session.isPaused,
    person: () => session.user?.id,
    ownCalls,
    onPluginGeneration: (generation) => sync.hear(generation),
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
  const liveCache = new LiveCache({ store, cache, calls: ownCalls, clock });
  const theme = new ThemeController(store, registries.get('themes'));
  const leaveGuard = new LeaveGuard({
    confirm: (question) => confirms.ask(question),
    translate: translations.translate,
  });
  const shell = new ShellController(store, theme, leaveGuard);
  const userStorage = new SyncedUserStorage(api, {
    enabled: !embedded,
    clock,
    onError: (error) => diagnostics.add('host', 'user storage', error),
  });
  const live = new SocketLiveClient({
    connect: options.connectLive ?? connectSocket,
    token: () => token.get(),
    headers: () => hooks.call('api.willSend', {}, { method: 'GET', path: livePath }),
    renew: () => session.check(),
    isOwn: async (requestId) => (await ownCalls.startOf(requestId)) !== undefined,
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
    leftOut,
    translations,
    isPluginEnabled: (id) => isEnabled(id),
    importModule,
    reportError,
    onError: (error, pluginId, step) => diagnostics.add(pluginId, step, error),
    // Runs after the page was drawn without the plugin: data that others also show is read again, the rest is dropped.
    dropCache: (pluginId) => clock.after(0, () => liveCache.invalidate([ownerTag(pluginId)])),
  });
  const plugins = new PluginManager<WebPluginContext>(pluginHost, {
    budget,
    // A web half only registers, so a longer setup hangs. Loading may take longer, because files share a slow line.
    limits: { setup: 5000, load: 120_000 },
  });
  const sync: PluginSync = new PluginSync({
    api,
    host: pluginHost,
    manager: plugins,
    clock,
    leftOut,
    onError: (error) => diagnostics.add('host', 'plugin list', error),
    onOtherBuild: () => {
      const { translate: t } = translations;
      toasts.show({
        severity: 'info',
        summary: t('Trellis was updated'),
        detail: t('Reload the page once you have finished what you are doing.'),
        life: updateToastLife,
        action: { label: t('Reload the page'), run: () => location.reload() },
      });
    },
  });
  const reporter = new ClientErrorReporter(api, { isSignedIn: () => session.status === 'signedIn' });

  function isEnabled(id: string): boolean {
    const state = plugins.state(id);
    return state === 'enabled' || state === 'degraded';
  }

  function ownerOf(source: ErrorSource): string {
    if (typeof source === 'string') return source;
    return registries.get(source.registry).ownerOf(source.id) ?? source.id;
  }

  function reportError(source: ErrorSource, where: string, error: unknown): void {
    diagnostics.add(ownerOf(source), where, error);
    options.onReport?.(source, where, error);
    if (typeof source === 'string') return;
    const registry = registries.get(source.registry);
    if (registry.ownerOf(source.id) !== undefined) budget.charge(registry.subject(source.id), error);
  }

  function takeOutOfService(source: ErrorSource, where: string, error: unknown): void {
    const registry = typeof source === 'string' ? undefined : registries.get(source.registry);
    if (typeof source === 'string' || registry?.ownerOf(source.id) === undefined)
      reportError(source, where, error);
    else budget.charge(registry.subject(source.id), error, pageBudget.limit);
  }

  setUnexpectedErrorHandler((error) => diagnostics.add('host', 'unexpected', error));

  return {
    api,
    budget,
    cache,
    clock,
    confirms,
    connection,
    container,
    diagnostics,
    embedded,
    hooks,
    live,
    liveCache,
    mirror,
    plugins,
    isEnabled,
    poll: new SessionPoll(session, clock),
    leaveGuard,
    leftOut,
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
    reportError,
    Boundary: createBoundary({
      ownerOf,
      reportError,
      takeOutOfService,
      translate: () => translations.translate,
    }),
    useServerData: createUseServerData(cache),
  };
}
