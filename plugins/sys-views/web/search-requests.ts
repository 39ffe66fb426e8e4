import type { Command } from '@trellis/sdk/web';

/** Takes the wish to look for rows from the keys of the page to the search of the view in sight. */
export class SearchRequests {
  #taker: (() => void) | undefined;

  /** Hears of the wishes; returns the way back. */
  take(taker: () => void): () => void {
    this.#taker = taker;
    return () => {
      if (this.#taker === taker) this.#taker = undefined;
    };
  }

  readonly ask = (): void => this.#taker?.();
}

/** Looks for rows by the keys for it: the browser's own search finds only those that are drawn. */
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
