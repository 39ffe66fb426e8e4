import { DisposableStore, toDisposable, type Disposable } from '@trellis/core';
import type { LiveEvent } from '@trellis/sdk/shared';
import type { HostParts } from './create-web-host.ts';
import { isChunkFailure, reloadForNewParts } from './reload-once.ts';

const expiredToastLife = 5000;

/**
 * Restores the session and loads the plugins; may be tried again.
 *
 * @throws ApiError when the server cannot be reached.
 */
export async function connect({ session, sync }: HostParts): Promise<void> {
  await Promise.all([session.restore(), sync.run()]);
  session.announce();
}

/** Lets the parts of the page follow each other's events. Call it once, before `connect`. */
export function followEvents(host: HostParts): Disposable {
  const lifetime = new DisposableStore();
  followSession(host, lifetime);
  followLanguage(host, lifetime);
  lifetime.add(host.live.onEvent((event) => void followLive(host, event)));
  lifetime.add(
    host.shell.onDidOpenProject((projectId) => void host.hooks.call('projects.didOpen', { projectId })),
  );
  lifetime.add(host.diagnostics.onDidAdd((item) => showDiagnostic(host, item)));
  followFailedParts(lifetime);
  host.poll.start();
  lifetime.add(host.poll);
  return lifetime;
}

function followSession(host: HostParts, lifetime: DisposableStore): void {
  const { session, hooks, live, store, cache, userStorage, toasts, translations, shell, reporter } = host;
  const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('trellis-session');
  lifetime.add(
    session.onDidStart((user) => {
      void live.start();
      void reporter.flush();
      void hooks.call('session.didStart', { userId: user.id });
    }),
  );
  lifetime.add(
    session.onDidEnd((reason) => {
      live.stop();
      userStorage.clear();
      store.dispatch(cache.util.resetApiState());
      shell.setContext({ project: undefined, table: undefined, view: undefined });
      if (reason === 'signedOut') tabs?.postMessage(reason);
      if (reason === 'expired') {
        const summary = translations.translate('Token Expired. Please login again.');
        toasts.show({ severity: 'info', summary, life: expiredToastLife });
      }
      void hooks.call('session.didEnd', { reason });
    }),
  );
  // Signing out in one tab signs the others out as well.
  tabs?.addEventListener('message', () => session.expire());
  lifetime.add(toDisposable(() => tabs?.close()));
}

function followLanguage({ translations, store }: HostParts, lifetime: DisposableStore): void {
  const follow = () => translations.setLanguage(store.getState().settings.language);
  follow();
  lifetime.add(toDisposable(store.subscribe(follow)));
}

function showDiagnostic(
  { session, reporter, toasts, translations }: HostParts,
  item: Parameters<HostParts['reporter']['report']>[0],
): void {
  if (item.pluginId === 'host') return;
  void reporter.report(item);
  if (!session.superAdmin) return;
  const summary = translations.translate('Plugin {{plugin}} has a problem', { plugin: item.pluginId });
  toasts.show({ severity: 'warn', summary, detail: `${item.where}: ${item.message}`, life: 5000 });
}

/** Vite tells of parts that could not be fetched before anybody sees the error. */
function followFailedParts(lifetime: DisposableStore): void {
  const listener = (event: Event) => {
    const { payload } = event as Event & { readonly payload?: unknown };
    if (isChunkFailure(payload) && reloadForNewParts()) event.preventDefault();
  };
  window.addEventListener('vite:preloadError', listener);
  lifetime.add(toDisposable(() => window.removeEventListener('vite:preloadError', listener)));
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
