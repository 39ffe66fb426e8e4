import { framedAddress } from '@trellis/sdk/web';
import { readMirrored, writeMirrored, type MirroredState } from './mirrored-state.ts';

/** Read by `public/boot-theme.js` as well, before the first paint. */
const storageKey = 'trellis.state';

/**
 * Whether the page is shown inside another one. An embedded page is public: it must neither read nor leave state of the
 * person who happens to be signed in.
 */
export function isEmbedded(page: Pick<Window, 'location' | 'self' | 'top'> = window): boolean {
  const inHash = page.location.hash.split('?')[1] ?? '';
  return (
    page.self !== page.top ||
    framedAddress(page.location) !== undefined ||
    new URLSearchParams(page.location.search).has('embed') ||
    new URLSearchParams(inHash).has('embed')
  );
}

/** Keeps settings and tabs in local storage; does nothing in an embedded page or where storage is refused. */
export class LocalMirror {
  readonly #storage: Storage | undefined;

  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  static ofPage(): LocalMirror {
    return new LocalMirror(isEmbedded() ? undefined : usableStorage());
  }

  /** What was kept, key by key; anything that is missing or unreadable has its default. */
  read(): Partial<MirroredState> {
    const text = this.#storage?.getItem(storageKey);
    return text === undefined || text === null ? {} : readMirrored(text);
  }

  write(state: MirroredState): void {
    try {
      this.#storage?.setItem(storageKey, writeMirrored(state));
    } catch {
      // The storage is full: the state lives on in memory, and only a reload forgets it.
      return;
    }
  }

  clear(): void {
    this.#storage?.removeItem(storageKey);
  }
}

/** Undefined where the browser refuses to keep anything. */
export function usableStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined; // Browsers throw when cookies are blocked.
  }
}
