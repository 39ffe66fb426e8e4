import { useSyncExternalStore } from 'react';

/**
 * Accepts requests to open something from anywhere, and passes the last one to the component that draws it, such as a dialog in
 * `shellItems` that menus of rows open.
 * @public
 */
export class OpenRequests<Request> {
  #current: Request | undefined;
  readonly #listeners = new Set<() => void>();

  /** The request to show; undefined for none. */
  get current(): Request | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly open = (request: Request): void => this.show(request);

  readonly close = (): void => this.show(undefined);

  /** All changes use this method: a subclass with further state sets it before calling this. */
  protected show(request: Request | undefined): void {
    this.#current = request;
    for (const listener of this.#listeners) listener();
  }
}

/** The current request; renders again with each change. @public */
export function useOpenRequest<Request>(requests: OpenRequests<Request>): Request | undefined {
  return useSyncExternalStore(requests.subscribe, () => requests.current);
}
