import { useSyncExternalStore } from 'react';

/**
 * Takes requests to open something from anywhere, and shows the last one to whoever draws it: a dialog that stands in `shellItems` and is
 * opened by the menus of rows.
 * @public
 */
export class OpenRequests<Request> {
  #current: Request | undefined;
  readonly #listeners = new Set<() => void>();

  /** What should be open; undefined for nothing. */
  get current(): Request | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly open = (request: Request): void => this.show(request);

  readonly close = (): void => this.show(undefined);

  /** Every change comes through here: who keeps more beside the request sets it before it calls this one. */
  protected show(request: Request | undefined): void {
    this.#current = request;
    for (const listener of this.#listeners) listener();
  }
}

/** What should be open, drawn again with each change. @public */
export function useOpenRequest<Request>(requests: OpenRequests<Request>): Request | undefined {
  return useSyncExternalStore(requests.subscribe, () => requests.current);
}
