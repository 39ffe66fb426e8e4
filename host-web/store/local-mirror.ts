import { defaultSettings, type SettingsState } from './settings-slice.ts';
import type { TabsState } from './tabs-slice.ts';

/** The part of the state that survives a reload. There is no token in it, and there must never be one. */
export interface MirroredState {
  readonly settings: SettingsState;
  readonly tabs: TabsState;
}

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
    if (text === undefined || text === null) return {};
    try {
      const kept = JSON.parse(text) as Partial<MirroredState>;
      return {
        settings: { ...defaultSettings, ...kept.settings },
        ...(kept.tabs === undefined ? {} : { tabs: kept.tabs }),
      };
    } catch {
      return {}; // Someone else wrote there; the next write repairs it.
    }
  }

  write({ settings, tabs }: MirroredState): void {
    try {
      this.#storage?.setItem(storageKey, JSON.stringify({ settings, tabs }));
    } catch {
      // The storage is full: the state lives on in memory, and only a reload forgets it.
      return;
    }
  }

  clear(): void {
    this.#storage?.removeItem(storageKey);
  }
}

function usableStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined; // Browsers throw when cookies are blocked.
  }
}
