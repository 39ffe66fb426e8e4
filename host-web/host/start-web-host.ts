import type { LiveEvent } from '@trellis/sdk/shared';
import { isChunkFailure, reloadForNewParts } from './reload-once.ts';
import type { HostParts } from './create-web-host.ts';

const expiredToastLife = 5000;

/**
 * Starts the page: follows events, restores the session and loads the plugins.
 *
 * @throws ApiError when the server cannot be reached.
 */
export async function startWebHost(host: HostParts): Promise<void> {
  followEvents(host);
  await connect(host);
  host.poll.start();
}

/** The part of the start that talks to the server; it may be tried again. */
export async function connect({ session, sync }: HostParts): Promise<void> {
  await Promise.all([session.restore(), sync.run()]);
}

function followEvents(host: HostParts): void {
  const { session, hooks, live, store, cache, userStorage, toasts, translations, shell, diagnostics } = host;
  const followLanguage = () => translations.setLanguage(store.getState().settings.language);
  const otherTabs =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('trellis-session');

  session.onDidStart((user) => {
    void userStorage.load();
    void live.start();
    void hooks.call('session.didStart', { userId: user.id });
  });
  session.onDidEnd((reason) => {
    live.stop();
    userStorage.clear();
    store.dispatch(cache.util.resetApiState());
    shell.setContext({ project: undefined, table: undefined, view: undefined });
    if (reason === 'signedOut') otherTabs?.postMessage('signedOut');
    if (reason === 'expired') {
      const summary = translations.translate('Token Expired. Please login again.');
      toasts.show({ severity: 'info', summary, life: expiredToastLife });
    }
    void hooks.call('session.didEnd', { reason });
  });
  otherTabs?.addEventListener('message', () => session.expire());

  live.onEvent((event) => void followLive(host, event));
  shell.onDidOpenProject((projectId) => void hooks.call('projects.didOpen', { projectId }));
  diagnostics.onDidAdd((item) => {
    if (item.pluginId !== 'host') void host.reporter.report(item);
    if (!session.superAdmin || item.pluginId === 'host') return;
    const summary = translations.translate('Plugin {{plugin}} has a problem', { plugin: item.pluginId });
    toasts.show({ severity: 'warn', summary, detail: `${item.where}: ${item.message}`, life: 5000 });
  });

  followLanguage();
  store.subscribe(followLanguage);
  window.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { readonly payload?: unknown };
    if (isChunkFailure(payload) && reloadForNewParts()) event.preventDefault();
  });
}

async function followLive(host: HostParts, event: LiveEvent): Promise<void> {
  await host.hooks.call('live.didReceive', event);
  if (event.kind === 'signedOut') await host.session.check().catch(() => host.session.expire());
  if (event.kind !== 'plugins') return;
  try {
    await host.sync.run(event.generation);
  } catch (error) {
    host.diagnostics.add('host', 'plugin list', error);
  }
}
