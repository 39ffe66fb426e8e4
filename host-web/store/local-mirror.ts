import { framedAddress } from '@trellis/sdk/web';
import { readMirrored, writeMirrored, type MirroredState } from './mirrored-state.ts';

/** `public/boot-theme.js` reads it too, before the first paint. */
const storageKey = 'trellis.state';

/**
 * Whether the page is shown inside another one. An embedded page is public: it must neither read nor store state of the person who
 * is signed in by chance.
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

/** Keeps settings and tabs in local storage; does nothing in an embedded page or if storage is refused. */
export class LocalMirror {
  readonly #storage: Storage | undefined;

  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  static ofPage(): LocalMirror {
    return new LocalMirror(isEmbedded() ? undefined : usableStorage());
  }

  /** The stored state; keys that are missing or unreadable have their defaults. */
  read(): Partial<MirroredState> {
    const text = this.#storage?.getItem(storageKey);
    return text === undefined || text === null ? {} : readMirrored(text);
  }

  write(state: MirroredState): void {
    try {
      this.#storage?.setItem(storageKey, writeMirrored(state));
    } catch {
      // The storage is full: the state stays in memory and is lost at a reload.
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
