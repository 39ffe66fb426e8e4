import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { WebHostContext, type SchemaFormProps, type WebHost } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';
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

/** Gives everything below it the host. A change of language makes a new host object, so that all texts are drawn again. */
export function HostProvider({
  parts,
  children,
}: {
  readonly parts: HostParts;
  readonly children: ReactNode;
}) {
  const { translations } = parts;
  const translate = useObservable(translations.onDidChange, () => translations.translate);
  const host = useMemo((): WebHost => ({ ...publicHost(parts), t: translate }), [parts, translate]);
  return (
    <PartsContext value={parts}>
      <Provider store={parts.store}>
        <WebHostContext value={host}>{children}</WebHostContext>
      </Provider>
    </PartsContext>
  );
}

/** What components see of the page. */
export function publicHost(parts: HostParts): Omit<WebHost, 't'> {
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
