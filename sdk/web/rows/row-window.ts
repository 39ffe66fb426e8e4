import { ChangeCount } from './change-count.ts';
import { PageRequest } from './page-request.ts';
import { RowCount } from './row-count.ts';
import type { RowValues } from './row-codec.ts';
import { patched, RowPages } from './row-pages.ts';
import type { RowData, RowSource } from './row-source.ts';

/** How a window loads its rows. @public */
export interface RowWindowOptions {
  /** Loads rows from `start` on; fewer than `limit` mean that there are no more. */
  readonly loadRows: (start: number, limit: number, signal: AbortSignal) => Promise<readonly RowData[]>;
  /** Counts the rows, by a separate call, since it may be slow; absent if they cannot be counted. */
  readonly countRows?: (signal: AbortSignal) => Promise<number>;
  readonly pageSize?: number;
  /** How many pages are kept; the least recently used ones are dropped first. */
  readonly keptPages?: number;
}

/** A range of row indexes, `end` exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Pages, both ends inclusive. */
interface Pages {
  readonly first: number;
  readonly last: number;
}

/**
 * Rows in pages, loaded around the visible ones. Requests for pages that are no longer visible are aborted, the least recently used
 * pages are dropped, and the count is loaded separately so that rows never wait for it. A row that was just added and is in no page
 * is shown after the last one until the rows are sorted again.
 *
 * @public
 */
export class RowWindow implements RowSource {
  readonly #options: RowWindowOptions;
  readonly #pageSize: number;
  readonly #keptPages: number;
  readonly #pages: RowPages;
  readonly #stale = new Set<number>();
  readonly #requests = new Map<number, PageRequest>();
  readonly #changes = new ChangeCount();
  readonly subscribe = this.#changes.subscribe;
  readonly #failed = new Set<number>();
  /** The pages that a `load` waits for. */
  readonly #holds = new Set<Pages>();
  readonly #count: RowCount;
  #added: readonly RowData[] = [];
  /** The keys of rows that were loaded when they were deleted, and were not restored. */
  readonly #deleted = new Set<string>();
  #failure: Error | undefined;
  /** Empty while nothing is visible: then nothing is loaded. */
  #inSight: readonly Pages[] = [];

  constructor(options: RowWindowOptions) {
    this.#options = options;
    this.#pageSize = options.pageSize ?? 100;
    this.#pages = new RowPages(this.#pageSize);
    this.#keptPages = options.keptPages ?? 150;
    this.#count = new RowCount({
      countRows: options.countRows,
      onSettled: (error) => {
        if (error !== undefined) this.#failure = toError(error);
        this.#changes.announce();
      },
    });
  }

  get count(): number | undefined {
    const { counted } = this.#count;
    return counted === undefined ? undefined : counted + this.#added.length;
  }

  /** The number of the place's rows, without those that are only shown because they were just added. */
  get total(): number | undefined {
    return this.#count.counted;
  }

  get atLeast(): number {
    return this.#count.known;
  }

  get error(): Error | undefined {
    return this.#failure;
  }

  /** Why the number of rows is unknown although rows can be read; undefined if it is known. It stays during a retry. */
  get countError(): Error | undefined {
    const { failure } = this.#count;
    return failure === undefined ? undefined : toError(failure);
  }

  get version(): number {
    return this.#changes.version;
  }

  rowAt(index: number): RowData | undefined {
    const { counted } = this.#count;
    if (counted !== undefined && index >= counted) return this.#added[index - counted];
    return this.#pages.rowAt(index);
  }

  /** The index of a row; undefined if it is not loaded. */
  indexOf(key: string): number | undefined {
    const held = this.#pages.indexOf(key);
    if (held !== undefined) return held;
    const added = this.#added.findIndex((row) => row.key === key);
    const { counted } = this.#count;
    return added >= 0 && counted !== undefined ? counted + added : undefined;
  }

  ensure(start: number, end: number): void {
    this.ensureAll([{ start, end }]);
  }

  /** Like `ensure`, for several visible ranges. */
  ensureAll(ranges: readonly RowRange[]): void {
    this.#inSight = ranges.map(({ start, end }) => this.#pagesOf(start, end));
    for (const [page, request] of this.#requests) {
      const isNear = this.#inSight.some(({ first, last }) => page >= first - 1 && page <= last + 1);
      if (!isNear && !this.#isHeld(page)) this.#giveUp(page, request);
    }
    this.#wantSight();
    this.#drop();
  }

  async load(start: number, end: number): Promise<void> {
    const hold = this.#pagesOf(start, end);
    this.#holds.add(hold);
    try {
      for (let page = hold.first; page <= hold.last; page++) this.#failed.delete(page);
      for (let missing = this.#missing(hold); missing.length > 0; missing = this.#missing(hold)) {
        for (const page of missing) this.#want(page);
        const requests = missing.flatMap((page) => this.#requests.get(page) ?? []);
        if (requests.length === 0) throw this.#failure ?? new Error('The rows could not be loaded');
        // Pages whose requests another visible range cancelled are requested again in the next round.
        await Promise.all(requests.map((request) => request.done));
      }
    } finally {
      this.#holds.delete(hold);
    }
  }

  retry(): void {
    this.#failed.clear();
    this.#failure = undefined;
    this.#count.ask();
    this.#wantSight();
    this.#changes.announce();
  }

  /** Reloads the visible rows and counts again, as after a change by somebody else; rows stay visible meanwhile. */
  refresh(): void {
    if (this.#inSight.length === 0 && this.#holds.size === 0) return this.#pages.clear();
    for (const [page, request] of this.#requests) {
      // Cancelling requests for visible pages would leave them empty during continuous writes.
      if (this.#isNeeded(page)) request.outdated = true;
      else this.#giveUp(page, request);
    }
    for (const page of this.#pages.keys()) {
      if (this.#isNeeded(page)) this.#stale.add(page);
      else this.#pages.delete(page);
    }
    this.retry();
  }

  /** Reloads in another order or with other filters: rows that were just added move to their place. */
  rearrange(): void {
    this.#added = [];
    this.refresh();
  }

  /** Reloads everything and discards what was loaded: the rows are different ones now. */
  startOver(): void {
    for (const [page, request] of this.#requests) this.#giveUp(page, request);
    this.#pages.clear();
    this.rearrange();
  }

  /** Shows new values of rows, by key, without loading them; rows that are not loaded are ignored. */
  patchRows(changes: ReadonlyMap<string, RowValues>): void {
    for (const request of this.#requests.values()) {
      for (const [key, values] of changes)
        request.patches.set(key, { ...request.patches.get(key), ...values });
    }
    let changed = this.#pages.patch(changes);
    if (this.#added.some((row) => changes.has(row.key))) {
      changed = true;
      this.#added = patched(this.#added, changes);
    }
    if (changed) this.#changes.announce();
  }

  /** Shows a row after the last one, until a page contains it or the rows are sorted again. */
  add(row: RowData): void {
    if (this.indexOf(row.key) !== undefined) return;
    this.#added = [...this.#added, row];
    this.#changes.announce();
  }

  wasDeleted(key: string): boolean {
    return this.#deleted.has(key) && this.indexOf(key) === undefined;
  }

  /** Records that rows were deleted elsewhere: they stay until the rows are reloaded, and then count as deleted. */
  noteDeleted(keys: readonly string[]): void {
    for (const key of keys) if (this.indexOf(key) !== undefined) this.#deleted.add(key);
    for (const request of this.#requests.values()) for (const key of keys) request.noted.add(key);
    this.forget(keys);
  }

  /** Records that a row was added elsewhere, such as one whose deletion was undone. */
  noteInserted(key: string): void {
    this.#deleted.delete(key);
  }

  /** Removes rows from those that were just added. */
  forget(keys: readonly string[]): void {
    this.#added = this.#added.filter((row) => !keys.includes(row.key));
  }

  /**
   * Removes deleted rows: later ones move up at once, so that a count that arrives before the rows never cuts off others. A running
   * request whose answer still contains them is repeated.
   */
  remove(keys: readonly string[]): void {
    this.noteDeleted(keys);
    const gone = new Set(keys);
    for (const request of this.#requests.values()) for (const key of gone) request.gone.add(key);
    const removed = this.#pages.remove(gone);
    if (removed > 0) this.#count.less(removed);
    this.#changes.announce();
  }

  /** Shows a row at an index before an answer contains it: the rows from there on move down. */
  insert(row: RowData, index: number): void {
    this.forget([row.key]);
    this.#deleted.delete(row.key);
    for (const request of this.#requests.values()) request.gone.delete(row.key);
    this.#pages.insert(row, index);
    this.#count.more(1);
    this.#changes.announce();
  }

  /** Resolves when all current requests have been answered. */
  async settled(): Promise<void> {
    await Promise.all([this.#count.done, ...[...this.#requests.values()].map((request) => request.done)]);
  }

  /** Aborts running requests. What becomes visible afterwards is requested again. */
  dispose(): void {
    for (const [page, request] of this.#requests) this.#giveUp(page, request);
    this.#count.dispose();
  }

  #pagesOf(start: number, end: number): Pages {
    const held = Math.min(end, this.#count.counted ?? end);
    const first = Math.max(0, Math.floor(start / this.#pageSize));
    return { first, last: Math.max(first, Math.floor((held - 1) / this.#pageSize)) };
  }

  #missing({ first, last }: Pages): readonly number[] {
    const { counted } = this.#count;
    const end = counted === undefined ? last : Math.min(last, this.#pagesOf(0, counted).last);
    const missing: number[] = [];
    for (let page = first; page <= end; page++) if (!this.#pages.has(page)) missing.push(page);
    return missing;
  }

  #isHeld(page: number): boolean {
    for (const { first, last } of this.#holds) if (page >= first && page <= last) return true;
    return false;
  }

  #isNeeded(page: number): boolean {
    return this.#inSight.some(({ first, last }) => page >= first && page <= last) || this.#isHeld(page);
  }

  #wantSight(): void {
    for (const { first, last } of this.#inSight)
      for (let page = first; page <= last; page++) this.#want(page);
  }

  #want(page: number): void {
    if (this.#pages.touch(page) && !this.#stale.has(page)) return;
    this.#count.askOnce();
    if (!this.#requests.has(page) && !this.#failed.has(page)) this.#fetch(page);
  }

  #fetch(page: number): void {
    const abort = new AbortController();
    const start = page * this.#pageSize;
    const done = this.#options.loadRows(start, this.#pageSize, abort.signal).then(
      (rows) => {
        if (abort.signal.aborted) return;
        this.#requests.delete(page);
        const there = rows.filter(({ key }) => !request.gone.has(key));
        // Loaded before some rows were deleted.
        const isOlder = there.length < rows.length;
        const isAgain = request.outdated || isOlder;
        if (isAgain) this.#stale.add(page);
        else this.#stale.delete(page);
        // What is shown is newer, unless so many rows were deleted in sequence that the answer has more.
        if (!isOlder || (this.#pages.lengthOf(page) ?? Infinity) < there.length) {
          this.#pages.set(page, request.patches.size === 0 ? there : patched(there, request.patches));
          for (const { key } of there) if (!request.noted.has(key)) this.#deleted.delete(key);
          this.#added = this.#added.filter((added) => !there.some((row) => row.key === added.key));
          this.#count.learn(start, there.length, rows.length >= this.#pageSize);
          this.#drop();
        }
        if (isAgain && this.#isNeeded(page)) this.#fetch(page);
        this.#changes.announce();
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        this.#requests.delete(page);
        this.#failed.add(page);
        this.#failure = toError(error);
        this.#changes.announce();
      },
    );
    const request = new PageRequest(abort, done);
    this.#requests.set(page, request);
  }

  #giveUp(page: number, request: PageRequest): void {
    request.abort.abort();
    this.#requests.delete(page);
  }

  #drop(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= this.#keptPages) return;
      if (!this.#isNeeded(page)) this.#pages.delete(page);
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
