import { PrimeReactProvider } from 'primereact/api';
import { lazy, Suspense, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { WebHostContext, type SchemaFormProps, type WebHost } from '@trellis/sdk/web';
import type { HostParts } from './create-web-host.ts';
import { HostPartsContext } from './host-parts-context.ts';

const LazySchemaForm = lazy(async () => ({ default: (await import('../form/SchemaForm.tsx')).SchemaForm }));

function SchemaForm(props: SchemaFormProps) {
  return (
    <Suspense fallback={<div className="tr-skeleton tr-skeleton--form" />}>
      <LazySchemaForm {...props} />
    </Suspense>
  );
}

/** Gives everything below it the host. A change of language makes a new host object, so that all texts are drawn again. */
export function HostProvider({
  parts,
  children,
}: {
  readonly parts: HostParts;
  readonly children: ReactNode;
}) {
  const translate = useSyncExternalStore(
    (listener) => {
      const subscription = parts.translations.onDidChange(listener);
      return () => void subscription.dispose();
    },
    () => parts.translations.translate,
  );
  const host = useMemo((): WebHost => ({ ...publicHost(parts), t: translate }), [parts, translate]);
  return (
    <HostPartsContext value={parts}>
      <Provider store={parts.store}>
        <PrimeReactProvider value={{ ripple: false }}>
          <WebHostContext value={host}>{children}</WebHostContext>
        </PrimeReactProvider>
      </Provider>
    </HostPartsContext>
  );
}

function publicHost(parts: HostParts): Omit<WebHost, 't'> {
  const { api, registries, container, toasts, confirms, live, session, shell, userStorage, store, cache } =
    parts;
  return {
    api,
    registry: (id) => registries.get(id),
    get: (token) => container.get(token),
    isPluginEnabled: parts.isEnabled,
    toast: (message) => toasts.show(message),
    confirm: (question) => confirms.ask(question),
    live,
    session,
    shell,
    userStorage: userStorage.of('page'),
    SchemaForm,
    Boundary: parts.Boundary,
    reportError: (owner, where, error) => parts.diagnostics.add(owner, where, error),
    useServerData: parts.useServerData,
    invalidate: (tags) => {
      store.dispatch(cache.util.invalidateTags(tags.map((id) => ({ type: 'data' as const, id }))));
    },
  };
}
