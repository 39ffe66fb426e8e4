import { ChangeCount } from './change-count.ts';
import { PageRequest } from './page-request.ts';
import { RowCount } from './row-count.ts';
import type { RowValues } from './row-codec.ts';
import { patched, RowPages } from './row-pages.ts';
import type { RowData, RowSource } from './row-source.ts';

/** How a window gets its rows. @public */
export interface RowWindowOptions {
  /** Fetches rows from `start` on; fewer than `limit` say that there are no more. */
  readonly loadRows: (start: number, limit: number, signal: AbortSignal) => Promise<readonly RowData[]>;
  /** Counts the rows, in a call of its own, since it may be slow; left out when nobody can tell. */
  readonly countRows?: (signal: AbortSignal) => Promise<number>;
  readonly pageSize?: number;
  /** How many pages are kept; the ones read longest ago go first. */
  readonly keptPages?: number;
}

/** Rows by their places, `end` exclusive. */
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
 * Rows in pages, fetched around what is in sight. Requests for pages that went out of sight are aborted, the least
 * recently read pages are dropped, and the count is asked for beside the rows so that they never wait for it. A row that was
 * just added and that the pages do not hold stands after the last one until the rows are arranged anew.
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
  /** What somebody waits for with `load`. */
  readonly #holds = new Set<Pages>();
  readonly #count: RowCount;
  #added: readonly RowData[] = [];
  /** The keys of rows that were held when they were deleted, and that did not come back. */
  readonly #deleted = new Set<string>();
  #failure: Error | undefined;
  /** Empty while nobody looks: then nothing is read. */
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

  /** How many rows the place has, without those that only stand here because they were just added. */
  get total(): number | undefined {
    return this.#count.counted;
  }

  get atLeast(): number {
    return this.#count.known;
  }

  get error(): Error | undefined {
    return this.#failure;
  }

  /** Why nobody knows how many rows there are, though rows can be read; undefined where it is known. It stays while it is asked for again. */
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

  /** Where a row stands; undefined when it is not held. */
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

  /** As `ensure`, where several stretches of rows are in sight at once. */
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
        // Those that a sight elsewhere gave up before are asked for again in the next round.
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

  /** Reads again what is in sight and counts again, as after a change by somebody else; rows stay in sight until then. */
  refresh(): void {
    if (this.#inSight.length === 0 && this.#holds.size === 0) return this.#pages.clear();
    for (const [page, request] of this.#requests) {
      // Giving up what is in sight would leave it empty for as long as others go on writing.
      if (this.#isNeeded(page)) request.outdated = true;
      else this.#giveUp(page, request);
    }
    for (const page of this.#pages.keys()) {
      if (this.#isNeeded(page)) this.#stale.add(page);
      else this.#pages.delete(page);
    }
    this.retry();
  }

  /** Reads again in another order or by other filters: rows that were just added go to their place. */
  rearrange(): void {
    this.#added = [];
    this.refresh();
  }

  /** Reads everything again, and shows nothing of what was read before: the rows mean other ones now. */
  startOver(): void {
    for (const [page, request] of this.#requests) this.#giveUp(page, request);
    this.#pages.clear();
    this.rearrange();
  }

  /** Shows new values of rows, by key, without asking for them; rows that are not held are left alone. */
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

  /** Shows a row after the last one, until a page holds it or the rows are arranged anew. */
  add(row: RowData): void {
    if (this.indexOf(row.key) !== undefined) return;
    this.#added = [...this.#added, row];
    this.#changes.announce();
  }

  wasDeleted(key: string): boolean {
    return this.#deleted.has(key) && this.indexOf(key) === undefined;
  }

  /** Notes that rows were deleted elsewhere: they are there until the rows are read again, and known to be gone then. */
  noteDeleted(keys: readonly string[]): void {
    for (const key of keys) if (this.indexOf(key) !== undefined) this.#deleted.add(key);
    for (const request of this.#requests.values()) for (const key of keys) request.noted.add(key);
    this.forget(keys);
  }

  /** Notes that a row was added elsewhere, such as one whose deletion was taken back. */
  noteInserted(key: string): void {
    this.#deleted.delete(key);
  }

  /** Takes rows out of those that were just added. */
  forget(keys: readonly string[]): void {
    this.#added = this.#added.filter((row) => !keys.includes(row.key));
  }

  /**
   * Takes out rows that were deleted: those below move up at once, so that a count that is answered before the rows never cuts off
   * others than these. An answer that is on its way and still has them is asked for again.
   */
  remove(keys: readonly string[]): void {
    this.noteDeleted(keys);
    const gone = new Set(keys);
    for (const request of this.#requests.values()) for (const key of gone) request.gone.add(key);
    const removed = this.#pages.remove(gone);
    if (removed > 0) this.#count.less(removed);
    this.#changes.announce();
  }

  /** Shows a row at a place before an answer has it there: those from that place on move down. */
  insert(row: RowData, index: number): void {
    this.forget([row.key]);
    this.#deleted.delete(row.key);
    for (const request of this.#requests.values()) request.gone.delete(row.key);
    this.#pages.insert(row, index);
    this.#count.more(1);
    this.#changes.announce();
  }

  /** Resolves when everything that is asked for now has been answered. */
  async settled(): Promise<void> {
    await Promise.all([this.#count.done, ...[...this.#requests.values()].map((request) => request.done)]);
  }

  /** Aborts what is under way. What comes into sight afterwards is asked for again. */
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
        // Read before some rows were deleted.
        const isOlder = there.length < rows.length;
        const isAgain = request.outdated || isOlder;
        if (isAgain) this.#stale.add(page);
        else this.#stale.delete(page);
        // What is shown is newer, unless so many were deleted, one after the other, that the answer has more.
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
