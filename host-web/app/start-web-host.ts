import { DisposableStore, toDisposable, type Disposable } from '@trellis/core';
import type { LiveEvent } from '@trellis/sdk/shared';
import { framedAddress, pageAddress } from '@trellis/sdk/web';
import { languageOfBrowser } from '../i18n/language-of-browser.ts';
import { SessionTabs } from '../session/session-tabs.ts';
import { loadPage } from '../router/load-page.ts';
import { projectsPath, signInPath } from '../router/route-guard.ts';
import type { Session, SessionEnd } from '../session/session.ts';
import { CatchUp } from '../live/catch-up.ts';
import { tabsSlice } from '../store/tabs-slice.ts';
import type { HostParts } from './host-parts.ts';
import type { Diagnostic } from '../contain/diagnostics.ts';
import { watchDrawLoops } from '../contain/draw-loops.ts';
import { watchStrayErrors } from '../contain/stray-errors.ts';
import { isChunkFailure, reloadForNewParts } from '../contain/reload-once.ts';

const endedToastLife = 5000;
/** As long as the page is open: a day. */
const leftOutToastLife = 86_400_000;
/** Milliseconds after which the page is drawn without the texts of its language, and without parts of it. */
const longestParts = 2000;

/**
 * Restores the session and loads the plugins, those of the requested page first; may be called again.
 *
 * @throws ApiError if the server cannot be reached.
 */
export async function connect(host: HostParts): Promise<void> {
  const { session, live, sync, translations, clock, registries } = host;
  const restored = session.restore().then(() => {
    // The earlier the channel connects, the less data is read before it and must be read again.
    if (session.status === 'signedIn') void live.start();
  });
  const pages = async () => {
    await restored;
    return addressesToShow(session.status);
  };
  await Promise.all([restored, sync.start(pages)]);
  if (host.leftOut.leavesOutAll) sayWhatIsLeftOut(host);
  if (session.status === 'guest') leaveTheEntrance();
  session.announce();
  // Waits for a complete page in the right language, but only for a limited time.
  const whole = Promise.all([translations.settled(), loadPage(registries, session, pageAddress())]);
  await Promise.race([whole, new Promise<void>((go) => clock.after(longestParts, go))]);
  const mayComeIn = session.status === 'guest' && framedAddress() === undefined;
  if (mayComeIn) void sync.started.then(() => loadWhatComesNext(host));
}

function sayWhatIsLeftOut({ toasts, translations }: HostParts): void {
  const t = translations.translate;
  toasts.show({
    severity: 'info',
    summary: t('Plugins from elsewhere are left out of this page'),
    detail: t('Its address asks for that. What they bring is missing here alone.'),
    life: leftOutToastLife,
    action: { label: t('Load them'), run: () => location.assign(`/${location.hash}`) },
  });
}

/** While a guest types, the page that signing in leads to is fetched. */
function loadWhatComesNext({ session, registries }: HostParts): void {
  if (session.status === 'guest')
    void loadPage(registries, { status: 'signedIn', superAdmin: false }, pageAddress());
}

/**
 * Sends guests from the entrance to the sign-in page before anything is drawn. If the page itself redirected, the entrance would
 * count as drawn, and the parts of all other plugins would be loaded before those of the form.
 */
function leaveTheEntrance(): void {
  if (framedAddress() === undefined && /^#?\/?$/.test(location.hash))
    history.replaceState(history.state, '', `#${signInPath}`);
}

/** The page's address, and the address that it redirects to. */
function addressesToShow(status: Session['status']): readonly string[] {
  const [path = '/'] = pageAddress().split('?');
  if (framedAddress() !== undefined) return [path];
  if (status === 'signedIn') return [path === '/' || path === '' ? projectsPath : path];
  return [path, signInPath];
}

/** Connects the parts of the page to each other's events. Call it once, before `connect`. */
export function followEvents(host: HostParts): Disposable {
  const lifetime = new DisposableStore();
  const catchUp = lifetime.add(new CatchUp(host));
  followSession(host, catchUp, lifetime);
  followLanguage(host, lifetime);
  followLiveChannel(host, catchUp, lifetime);
  followConnection(host, catchUp, lifetime);
  lifetime.add(
    host.shell.onDidOpenProject((projectId) => void host.hooks.call('projects.didOpen', { projectId })),
  );
  lifetime.add(host.diagnostics.onDidAdd((item) => void showDiagnostic(host, item)));
  followFailedParts(lifetime);
  lifetime.add(watchDrawLoops(host.clock));
  lifetime.add(watchStrayErrors((id) => host.plugins.status(id) !== undefined, host.reportError));
  host.poll.start();
  lifetime.add(host.poll);
  return lifetime;
}

function followSession(host: HostParts, catchUp: CatchUp, lifetime: DisposableStore): void {
  const { session, hooks, live, sync, store, cache, userStorage, shell, reporter, confirms } = host;
  const tabs = new SessionTabs(
    (userId) =>
      void session
        .follow(userId)
        .catch((error) => host.diagnostics.add('host', 'session of another tab', error)),
  );
  lifetime.add(tabs);
  lifetime.add(
    session.onDidStart((user) => {
      tabs.tell(user.id);
      void live.start();
      void reporter.flush();
      // Plugins that are still loading need this event too.
      void sync.started.then(() => {
        if (session.user?.id === user.id) void hooks.call('session.didStart', { userId: user.id });
      });
    }),
  );
  // Must run before the server ends the session: otherwise the other tabs would hear from the server first, and treat the session
  // as expired.
  lifetime.add(session.onWillSignOut(() => tabs.tell(undefined)));
  lifetime.add(session.onDidPause(() => live.stop()));
  lifetime.add(
    session.onDidResume((user) => {
      tabs.tell(user.id);
      void live.start();
      catchUp.soon();
    }),
  );
  lifetime.add(
    session.onDidEnd((reason) => {
      live.stop();
      userStorage.clear();
      store.dispatch(cache.util.resetApiState());
      shell.setContext({ project: undefined, table: undefined, view: undefined });
      shell.closeSettings();
      confirms.dismiss();
      if (reason === 'signedOut') {
        store.dispatch(tabsSlice.actions.forgotten());
      }
      sayThatItEnded(host, reason);
      void hooks.call('session.didEnd', { reason: reason === 'expired' ? 'expired' : 'signedOut' });
    }),
  );
}

function sayThatItEnded({ toasts, translations }: HostParts, reason: SessionEnd): void {
  const t = translations.translate;
  const texts: Partial<Record<SessionEnd, string>> = {
    expired: t('Token Expired. Please login again.'),
    elsewhere: t(
      'The session of this page ended, because you signed out or in as somebody else in another tab.',
    ),
  };
  const summary = texts[reason];
  if (summary !== undefined) toasts.show({ severity: 'info', summary, life: endedToastLife });
}

function followLanguage({ translations, store, registries }: HostParts, lifetime: DisposableStore): void {
  const locales = registries.get('locales');
  const follow = () => {
    const { language } = store.getState().settings;
    translations.setLanguage(language === 'browser' ? languageOfBrowser(locales) : language);
  };
  follow();
  lifetime.add(toDisposable(store.subscribe(follow)));
  lifetime.add(locales.onDidChange(follow));
}

/** Tells the server, and then an administrator who looks at the page. This includes errors from before the sign-in. */
async function showDiagnostic(
  { session, reporter, toasts, translations }: HostParts,
  item: Diagnostic,
): Promise<void> {
  if (item.pluginId === 'host') return;
  const place = await reporter.report(item);
  if (!session.superAdmin) return;
  const summary = translations.translate('Plugin {{plugin}} has a problem', { plugin: item.pluginId });
  const detail = `${item.where}: ${item.message}${place === undefined ? '' : ` (${place})`}`;
  toasts.show({ severity: 'warn', summary, detail, life: 5000 });
}

/** Vite reports parts that could not be loaded before the error becomes visible. */
function followFailedParts(lifetime: DisposableStore): void {
  const listener = (event: Event) => {
    const { payload } = event as Event & { readonly payload?: unknown };
    if (isChunkFailure(payload) && reloadForNewParts()) event.preventDefault();
  };
  window.addEventListener('vite:preloadError', listener);
  lifetime.add(toDisposable(() => window.removeEventListener('vite:preloadError', listener)));
}

function followLiveChannel(host: HostParts, catchUp: CatchUp, lifetime: DisposableStore): void {
  const { live, sync, diagnostics, shell } = host;
  lifetime.add(live.onEvent((event) => void receive(host, event)));
  lifetime.add(
    shell.onDidChangeRights(() => {
      catchUp.now();
      live.joinAgain();
    }),
  );
  lifetime.add(
    live.onDidConnect((which) => {
      catchUp.now();
      if (which === 'again') void sync.run().catch((error) => diagnostics.add('host', 'plugin list', error));
    }),
  );
}

/** The browser and the live channel notice first that the server is away; when it is back, all data is read again. */
function followConnection(host: HostParts, catchUp: CatchUp, lifetime: DisposableStore): void {
  const { connection, live, toasts, translations } = host;
  lifetime.add(connection);
  lifetime.add(live.onDidLose(() => void connection.check()));
  lifetime.add(
    connection.onDidReturn(() => {
      live.goOnline();
      catchUp.afterLoss(connection.lostAt);
      toasts.show({
        severity: 'success',
        summary: translations.translate('The server can be reached again.'),
      });
    }),
  );
  const listeners = {
    online: () => {
      live.goOnline();
      void connection.check();
    },
    offline: () => {
      live.goOffline();
      connection.heard(false);
    },
  };
  for (const [name, listener] of Object.entries(listeners)) {
    window.addEventListener(name, listener);
    lifetime.add(toDisposable(() => window.removeEventListener(name, listener)));
  }
}

export async function receive(host: HostParts, event: LiveEvent): Promise<void> {
  await host.hooks.call('live.didReceive', event);
  await host.liveCache.follow(event);
  if (event.kind === 'signedOut') await host.poll.poll();
  if (event.kind === 'plugins') host.sync.hear(event.generation);
}
