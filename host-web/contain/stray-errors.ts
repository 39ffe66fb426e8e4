import { DisposableStore, toDisposable, type Disposable } from '@trellis/core';
import { ApiError } from '@trellis/sdk/web';

/** The plugin of an address as `/ext/<id>/<version>/index.js`, which the stack of its errors names. */
const pluginAddress = /\/ext\/([^/\s]+)\//;

/**
 * Tells of errors that no boundary meets, as of a click handler, a timer or a promise, with the plugin whose code threw them.
 *
 * Those of built-in plugins stand in the browser's console alone: their code is part of the page. A refusal of the server is
 * nobody's defect.
 */
export function watchStrayErrors(
  isPlugin: (id: string) => boolean,
  report: (pluginId: string, where: string, error: unknown) => void,
): Disposable {
  const lifetime = new DisposableStore();
  function listen(type: 'error' | 'unhandledrejection', where: string, errorOf: (event: never) => unknown) {
    const listener = (event: Event) => {
      const error = errorOf(event as never);
      const [, id] = (error instanceof Error && pluginAddress.exec(error.stack ?? '')) || [];
      if (id !== undefined && isPlugin(id) && !(error instanceof ApiError)) report(id, where, error);
    };
    window.addEventListener(type, listener);
    lifetime.add(toDisposable(() => window.removeEventListener(type, listener)));
  }
  listen('error', 'event handler or timer', ({ error }: ErrorEvent) => error);
  listen('unhandledrejection', 'promise', ({ reason }: PromiseRejectionEvent) => reason);
  return lifetime;
}
