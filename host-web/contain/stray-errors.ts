import { DisposableStore, toDisposable, type Disposable } from '@trellis/core';
import { ApiError } from '@trellis/sdk/web';

/** Finds the plugin in an address like `/ext/<id>/<version>/index.js`, which stacks contain. */
const pluginAddress = /\/ext\/([^/\s]+)\//;

/**
 * Reports errors that no boundary catches, such as those of click handlers, timers and promises, with the plugin whose code threw
 * them.
 *
 * Errors of built-in plugins appear only in the browser's console, because their code is part of the page. A refusal of the server
 * is not a defect and is not reported.
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
