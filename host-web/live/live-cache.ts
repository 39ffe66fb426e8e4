import type { Clock } from '@trellis/core';
import type { LiveEvent } from '@trellis/sdk/shared';
import { objectsTag } from '@trellis/sdk/web';
import type { OwnCalls } from '../api/own-calls.ts';
import { ownerTag, type CachedRequest, type ServerCache } from '../api/server-cache.ts';

/** A request in the cache, and the state of its last read. */
interface CacheEntry {
  readonly originalArgs?: unknown;
  readonly startedTimeStamp?: number;
  readonly status?: string;
}

/** The part of the store that contains the cache of server data. */
interface CacheStore {
  getState(): {
    readonly server: { readonly queries: Readonly<Record<string, CacheEntry | undefined>> };
  };
  dispatch(action: ReturnType<ServerCache['util']['invalidateTags']>): unknown;
}

/** Milliseconds after one of the page's own calls in which the page itself invalidates what it changed. */
const ownPause = 100;
/**
 * Milliseconds that an event waits for the answers of the page's own calls. The limit keeps an upload from delaying the changes of
 * others.
 */
const longestWait = 300;

/**
 * Keeps the page's data current: each event of the live channel becomes tags of the cache, and after a gap everything that was read
 * before is read again.
 *
 * The caller usually invalidates what its own call changed. The call's event then does nothing, so that nothing is read twice.
 * Without such an invalidation the event is treated like those of others.
 */
export class LiveCache {
  readonly #store: CacheStore;
  readonly #cache: ServerCache;
  readonly #calls: OwnCalls;
  readonly #clock: Clock;
  /** When the page itself last invalidated each tag, in milliseconds. */
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

  /** Records that the page itself changed the data of these tags, and reads it again. */
  invalidate(tags: readonly string[]): void {
    const now = this.#clock.now();
    for (const tag of tags) this.#invalidated.set(tag, now);
    this.#readAgain(tags);
  }

  /** Reads the data again that an event changed. */
  async follow(event: LiveEvent): Promise<void> {
    const tags = tagsOf(event, this.#tags());
    if (tags.length === 0) return;
    const start = 'requestId' in event ? await this.#calls.startOf(event.requestId, longestWait) : undefined;
    if (start === undefined) this.#readAgain(tags);
    else this.#clock.after(ownPause, () => this.#readAgain(tags.filter((tag) => !this.#isDone(tag, start))));
  }

  /** Reads again what was read before a moment (milliseconds since the epoch). Entries that nothing shows are dropped. */
  readAgainFrom(before: number): void {
    this.#readAgain(this.#tags(({ startedTimeStamp: started = 0 }) => started < before));
  }

  /** Reads again what failed. */
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

  /** The tags of the entries that match. */
  #tags(isMeant: (entry: CacheEntry) => boolean = () => true): readonly string[] {
    const found = new Set<string>();
    for (const entry of Object.values(this.#store.getState().server.queries)) {
      const asked = entry?.originalArgs as CachedRequest | undefined;
      if (entry === undefined || asked === undefined || !isMeant(entry)) continue;
      for (const tag of asked.tags) found.add(tag);
      // Data without tags never becomes outdated, but a failed read has to be repeated.
      if (asked.tags.length === 0 && entry.status === 'rejected') found.add(ownerTag(asked.owner));
    }
    return [...found];
  }
}

/**
 * The tags of the data that an event changed. Rows have none: components that show rows listen to their table.
 *
 * @param known the tags in use.
 */
function tagsOf(event: LiveEvent, known: readonly string[]): readonly string[] {
  switch (event.kind) {
    case 'projects':
      return ['projects'];
    case 'plugins':
      // Projects contain the person's rights, which use the permissions that plugins register.
      return ['plugins', 'projects'];
    case 'objects':
      return [objectsTag(event.objectKind, event.projectId)];
    case 'view':
      return [`view:${event.viewId}`, `table:${event.tableId}`];
    case 'schema': {
      const { projectId, tableId } = event;
      if (tableId === undefined) return [`project:${projectId}`, `tables:${projectId}`];
      // A column is added to or removed from all views of its table.
      const views = known.filter((tag) => tag.startsWith('view:'));
      return [`tables:${projectId}`, `table:${tableId}`, ...views];
    }
    default:
      return [];
  }
}
