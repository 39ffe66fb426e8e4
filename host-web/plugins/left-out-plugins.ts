import { isEmbedded, usableStorage } from '../store/local-mirror.ts';
import type { SeenPage } from './time-in-sight.ts';

/** In an address: plugins from elsewhere are left out of this page, whatever they would do to it. */
const withoutPlugins = 'without-plugins';

const startingKey = 'trellis.plugins-starting';
const hungKey = 'trellis.plugins-hung';
/** Milliseconds; a page that is alive writes down more often than that what starts in it. */
const longestPause = 10_000;
const pulse = 3000;
/** Milliseconds for which a build that hung is left out. */
const leftOutFor = 24 * 60 * 60 * 1000;
const mostKept = 20;

type Times = Readonly<Record<string, number>>;

export interface LeftOutPluginsOptions {
  readonly page?: SeenPage & Pick<Window, 'location'>;
  /** Undefined where nothing may be kept. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Leaves plugins from elsewhere out of a page that would not come to life with them: all where the address says so, and those builds
 * during whose start a page stood still. Nothing in a page ends a loop without end, so the page that comes next must do without it.
 *
 * What starts is written down, and crossed out once it has started or the page is left; a page that stands still does neither. It is
 * crossed out in the background as well, where a browser holds timers back for minutes.
 */
export class LeftOutPlugins {
  /** Whether the address asks for a page without plugins from elsewhere. */
  readonly leavesOutAll: boolean;
  readonly #page: SeenPage;
  readonly #storage: LeftOutPluginsOptions['storage'];
  readonly #now: () => number;
  readonly #name = Math.random().toString(36).slice(2);
  #starting: string | undefined;
  #pulse: ReturnType<typeof setInterval> | undefined;

  constructor({ page = window, storage, now = Date.now }: LeftOutPluginsOptions) {
    this.#page = page;
    this.#storage = storage;
    this.#now = now;
    this.leavesOutAll = new URLSearchParams(page.location.search).has(withoutPlugins);
    this.#noteWhatHung();
    page.addEventListener('pagehide', () => this.started());
    page.addEventListener('visibilitychange', () => this.#note());
  }

  /** An embedded page keeps nothing. */
  static ofPage(): LeftOutPlugins {
    return new LeftOutPlugins({ storage: isEmbedded() ? undefined : usableStorage() });
  }

  /** Whether a page stood still while this build started. */
  didHang(url: string): boolean {
    const at = this.#read(hungKey)[url];
    return at !== undefined && this.#now() - at < leftOutFor;
  }

  /** Call it before anything of the build runs. Resolves once the page has gone on after what started before. */
  async starts(url: string): Promise<void> {
    // Promises that a plugin left behind come first: without end, they are laid at its door.
    if (this.#starting !== undefined) await new Promise((resolve) => setTimeout(resolve));
    this.started();
    this.#starting = `${this.#name} ${url}`;
    this.#note();
    this.#pulse = setInterval(() => this.#note(), pulse);
  }

  /** Call it once the page has gone on after the last start. */
  started(): void {
    clearInterval(this.#pulse);
    this.#crossOut();
    this.#starting = undefined;
  }

  #note(): void {
    if (this.#starting === undefined) return;
    if (this.#page.document.visibilityState === 'hidden') this.#crossOut();
    else this.#write(startingKey, { ...this.#read(startingKey), [this.#starting]: this.#now() });
  }

  #crossOut(): void {
    if (this.#starting !== undefined)
      this.#write(startingKey, without(this.#read(startingKey), [this.#starting]));
  }

  #noteWhatHung(): void {
    const starting = this.#read(startingKey);
    const hung = Object.keys(starting).filter((of) => this.#now() - (starting[of] ?? 0) > longestPause);
    if (hung.length === 0) return;
    const now = hung.map((of) => [of.slice(of.indexOf(' ') + 1), this.#now()] as const);
    const kept = Object.entries(this.#read(hungKey)).slice(-mostKept);
    this.#write(hungKey, Object.fromEntries([...kept, ...now]));
    this.#write(startingKey, without(starting, hung));
  }

  #read(key: string): Times {
    try {
      const value: unknown = JSON.parse(this.#storage?.getItem(key) ?? '{}');
      return typeof value === 'object' && value !== null ? (value as Times) : {};
    } catch {
      return {};
    }
  }

  #write(key: string, times: Times): void {
    try {
      this.#storage?.setItem(key, JSON.stringify(times));
    } catch {
      // Where nothing can be kept, plugins start as they would.
    }
  }
}

function without(times: Times, keys: readonly string[]): Times {
  return Object.fromEntries(Object.entries(times).filter(([key]) => !keys.includes(key)));
}
