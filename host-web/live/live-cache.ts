import type { Clock } from '@trellis/core';
import type { LiveEvent } from '@trellis/sdk/shared';
import { objectsTag } from '@trellis/sdk/web';
import type { OwnCalls } from '../api/own-calls.ts';
import { ownerTag, type CachedRequest, type ServerCache } from '../api/server-cache.ts';

/** A request of the cache, and how it is with its last read. */
interface CacheEntry {
  readonly originalArgs?: unknown;
  readonly startedTimeStamp?: number;
  readonly status?: string;
}

/** The part of the store that the cache of server data lives in. */
interface CacheStore {
  getState(): {
    readonly server: { readonly queries: Readonly<Record<string, CacheEntry | undefined>> };
  };
  dispatch(action: ReturnType<ServerCache['util']['invalidateTags']>): unknown;
}

/** Milliseconds after an own call in which the page says by itself what it changed. */
const ownPause = 100;
/** Milliseconds that an event waits for the answers of own calls: what somebody else did does not wait for an upload. */
const longestWait = 300;

/**
 * Keeps what the page has read true: each event of the live channel becomes tags of the cache, and after a gap everything that
 * was read before is read again.
 *
 * What a call of this page changed is usually invalidated by whoever made the call. Its event then causes nothing, so that
 * nothing is read twice; without such an invalidation it counts like anybody else's.
 */
export class LiveCache {
  readonly #store: CacheStore;
  readonly #cache: ServerCache;
  readonly #calls: OwnCalls;
  readonly #clock: Clock;
  /** When the page itself invalidated a tag last, in milliseconds. */
  readonly #invalidated = new Map<string, number>();

  constructor(parts: {
    readonly store: CacheStore;
    readonly cache: ServerCache;
    readonly calls: OwnCalls;
    readonly clock: Clock;
  }) {
    this.#store = parts.store;
    this.#cache = parts.cache;
    this.#calls = parts.calls;
    this.#clock = parts.clock;
  }

  /** The page changed what these tags name. */
  invalidate(tags: readonly string[]): void {
    const now = this.#clock.now();
    for (const tag of tags) this.#invalidated.set(tag, now);
    this.#readAgain(tags);
  }

  /** Reads again what an event changed. */
  async follow(event: LiveEvent): Promise<void> {
    const tags = tagsOf(event, this.#tags());
    if (tags.length === 0) return;
    const start = 'requestId' in event ? await this.#calls.startOf(event.requestId, longestWait) : undefined;
    if (start === undefined) this.#readAgain(tags);
    else this.#clock.after(ownPause, () => this.#readAgain(tags.filter((tag) => !this.#isDone(tag, start))));
  }

  /** Reads again what was read before a moment (milliseconds since the epoch). Entries that nobody shows are forgotten. */
  readAgainFrom(before: number): void {
    this.#readAgain(this.#tags(({ startedTimeStamp: started = 0 }) => started < before));
  }

  /** Reads again what could not be read. */
  readFailed(): void {
    this.#readAgain(this.#tags(({ status }) => status === 'rejected'));
  }

  #isDone(tag: string, since: number): boolean {
    return (this.#invalidated.get(tag) ?? -1) >= since;
  }

  #readAgain(tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#store.dispatch(this.#cache.util.invalidateTags(tags.map((id) => ({ type: 'data' as const, id }))));
  }

  /** The tags of such entries. */
  #tags(isMeant: (entry: CacheEntry) => boolean = () => true): readonly string[] {
    const found = new Set<string>();
    for (const entry of Object.values(this.#store.getState().server.queries)) {
      const asked = entry?.originalArgs as CachedRequest | undefined;
      if (entry === undefined || asked === undefined || !isMeant(entry)) continue;
      for (const tag of asked.tags) found.add(tag);
      // Without tags it never gets old; but what failed is not there yet.
      if (asked.tags.length === 0 && entry.status === 'rejected') found.add(ownerTag(asked.owner));
    }
    return [...found];
  }
}

/**
 * The tags of what an event changed. Rows have none: whoever shows rows listens to their table.
 *
 * @param known the tags in use.
 */
function tagsOf(event: LiveEvent, known: readonly string[]): readonly string[] {
  switch (event.kind) {
    case 'projects':
      return ['projects'];
    case 'plugins':
      // Projects say what the person may do, by the permissions that plugins register.
      return ['plugins', 'projects'];
    case 'objects':
      return [objectsTag(event.objectKind, event.projectId)];
    case 'view':
      return [`view:${event.viewId}`, `table:${event.tableId}`];
    case 'schema': {
      const { projectId, tableId } = event;
      if (tableId === undefined) return [`project:${projectId}`, `tables:${projectId}`];
      // A column that comes or goes is in all views of its table.
      const views = known.filter((tag) => tag.startsWith('view:'));
      return [`tables:${projectId}`, `table:${tableId}`, ...views];
    }
    default:
      return [];
  }
}
