import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { WebHostContext, type SchemaFormProps, type WebHost } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';
import { hostOwner, type Translations } from '../i18n/translations.ts';
import type { HostParts } from './host-parts.ts';
import { PartsContext } from '../base/parts-context.ts';
import { useObservable } from '../base/use-observable.ts';

const LazySchemaForm = lazy(async () => ({ default: (await import('../form/SchemaForm.tsx')).SchemaForm }));

function SchemaForm(props: SchemaFormProps) {
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <LazySchemaForm {...props} />
    </Suspense>
  );
}

/** Provides the host to everything below. A change of language creates a new host object, so that all texts are drawn again. */
export function HostProvider({
  parts,
  children,
}: {
  readonly parts: HostParts;
  readonly children: ReactNode;
}) {
  const { translations } = parts;
  const textsOf = useObservable(translations.onDidChange, () => translations.textsOf);
  const host = useMemo(() => hostWithTexts(publicHost(parts), textsOf), [parts, textsOf]);
  return (
    <PartsContext value={parts}>
      <Provider store={parts.store}>
        <WebHostContext value={host}>{children}</WebHostContext>
      </Provider>
    </PartsContext>
  );
}

/** The page as components see it, with the current texts. Each owner has one host, which all of its parts share. */
export function hostWithTexts(page: PublicHost, textsOf: Translations['textsOf']): WebHost {
  const hosts = new Map<string, WebHost>();
  function hostOf(owner: string): WebHost {
    let host = hosts.get(owner);
    if (host === undefined) hosts.set(owner, (host = { ...page, ...textsOf(owner), hostOf }));
    return host;
  }
  return hostOf(hostOwner);
}

/** The page as components see it, without its texts. */
export type PublicHost = Omit<WebHost, 't' | 'sharedT' | 'hostOf'>;

export function publicHost(parts: HostParts): PublicHost {
  const { api, registries, container, toasts, confirms, live, session, shell, userStorage } = parts;
  return {
    api,
    registry: (id) => registries.get(id),
    get: (token) => container.get(token),
    find: (token) => (container.has(token) ? container.get(token) : undefined),
    isPluginEnabled: parts.isEnabled,
    toast: (message) => toasts.show(message),
    confirm: (question) => confirms.ask(question),
    live,
    session,
    shell,
    userStorageOf: (owner) => userStorage.of(owner),
    navigate: (path) => {
      location.hash = `#${path}`;
    },
    SchemaForm,
    Boundary: parts.Boundary,
    reportError: parts.reportError,
    useServerData: parts.useServerData,
    invalidate: (tags) => parts.liveCache.invalidate(tags),
  };
}
