import type { Command } from '@trellis/sdk/web';

/** Passes the request to search rows from the page's keys to the visible view's search. */
export class SearchRequests {
  #taker: (() => void) | undefined;

  /** Registers the receiver of the requests; returns how to remove it. */
  take(taker: () => void): () => void {
    this.#taker = taker;
    return () => {
      if (this.#taker === taker) this.#taker = undefined;
    };
  }

  readonly ask = (): void => this.#taker?.();
}

/** The command that searches rows: the browser's own search finds only drawn rows. */
export function searchRows(requests: SearchRequests): Command {
  return {
    id: 'views.search-rows',
    label: 'Search rows',
    icon: 'search',
    keys: 'mod+f',
    when: ({ rows }) => rows !== undefined,
    run: requests.ask,
  };
}
