import type { GridRowData, GridRowSource } from './grid-types.ts';

export interface RowWindowOptions {
  /** Fetches rows from `start` on; fewer than `limit` say that there are no more. */
  readonly loadRows: (start: number, limit: number, signal: AbortSignal) => Promise<readonly GridRowData[]>;
  /** Counts the rows, in a call of its own, since it may be slow; left out when nobody can tell. */
  readonly countRows?: (signal: AbortSignal) => Promise<number>;
  readonly pageSize?: number;
  /** How many pages are kept; the ones read longest ago go first. */
  readonly keptPages?: number;
}

interface Request {
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** True while somebody awaits the rows with `load`: then it is not given up when they go out of sight. */
  held: boolean;
}

/**
 * Rows in pages, fetched around what is in sight. Requests for pages that went out of sight are aborted, the least
 * recently read pages are dropped, and the count is asked for beside the rows so that they never wait for it.
 */
export class RowWindow implements GridRowSource {
  private readonly pageSize: number;
  private readonly keptPages: number;
  /** In the order in which they were last read. */
  private readonly pages = new Map<number, readonly GridRowData[]>();
  private readonly stale = new Set<number>();
  private readonly requests = new Map<number, Request>();
  private readonly listeners = new Set<() => void>();
  private readonly failed = new Set<number>();
  private counting: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  private counted: number | undefined;
  private known = 0;
  private failure: Error | undefined;
  private changeCount = 0;
  private inSight = { first: 0, last: 0 };

  constructor(private readonly options: RowWindowOptions) {
    this.pageSize = options.pageSize ?? 100;
    this.keptPages = options.keptPages ?? 150;
  }

  get count(): number | undefined {
    return this.counted;
  }

  get atLeast(): number {
    return this.known;
  }

  get error(): Error | undefined {
    return this.failure;
  }

  get version(): number {
    return this.changeCount;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  rowAt(index: number): GridRowData | undefined {
    return this.pages.get(Math.floor(index / this.pageSize))?.[index % this.pageSize];
  }

  /** Where a row stands; undefined when it is not held. */
  indexOf(key: string): number | undefined {
    for (const [page, rows] of this.pages) {
      const at = rows.findIndex((row) => row.key === key);
      if (at >= 0) return page * this.pageSize + at;
    }
    return undefined;
  }

  ensure(start: number, end: number): void {
    const first = Math.max(0, Math.floor(start / this.pageSize));
    const last = Math.max(first, Math.floor((this.held(end) - 1) / this.pageSize));
    this.inSight = { first, last };
    for (const [page, request] of this.requests) {
      if (!request.held && (page < first - 1 || page > last + 1)) this.giveUp(page, request);
    }
    for (let page = first; page <= last; page++) this.want(page);
    this.drop();
  }

  async load(start: number, end: number): Promise<void> {
    const first = Math.floor(start / this.pageSize);
    const last = Math.floor((this.held(end) - 1) / this.pageSize);
    const waiting: Promise<void>[] = [];
    for (let page = first; page <= last; page++) {
      this.failed.delete(page);
      this.want(page);
      const request = this.requests.get(page);
      if (request === undefined) continue;
      request.held = true;
      waiting.push(request.done);
    }
    await Promise.all(waiting);
    for (let page = first; page <= last; page++) {
      if (!this.pages.has(page)) throw this.failure ?? new Error('The rows could not be loaded');
    }
  }

  retry(): void {
    this.failed.clear();
    this.failure = undefined;
    this.askCount();
    for (let page = this.inSight.first; page <= this.inSight.last; page++) this.want(page);
    this.announce();
  }

  /** Asks for everything again, as after a new sort or a change by somebody else; rows stay in sight until then. */
  refresh(): void {
    for (const [page, request] of this.requests) this.giveUp(page, request);
    for (const page of this.pages.keys()) {
      if (page >= this.inSight.first && page <= this.inSight.last) this.stale.add(page);
      else this.pages.delete(page);
    }
    this.counting?.abort.abort();
    this.counting = undefined;
    this.failed.clear();
    this.failure = undefined;
    this.askCount();
    for (let page = this.inSight.first; page <= this.inSight.last; page++) this.want(page);
    this.announce();
  }

  /** Shows new values of rows, by key, without asking for them; rows that are not held are left alone. */
  patchRows(changes: ReadonlyMap<string, Readonly<Record<string, unknown>>>): void {
    let changed = false;
    for (const [page, rows] of this.pages) {
      if (!rows.some((row) => changes.has(row.key))) continue;
      changed = true;
      const patch = (row: GridRowData): GridRowData => {
        const values = changes.get(row.key);
        return values === undefined ? row : { ...row, values: { ...row.values, ...values } };
      };
      this.pages.set(page, rows.map(patch));
    }
    if (changed) this.announce();
  }

  /** Resolves when everything that is asked for now has been answered. */
  async settled(): Promise<void> {
    await Promise.all([this.counting?.done, ...[...this.requests.values()].map((request) => request.done)]);
  }

  /** Aborts what is under way. What comes into sight afterwards is asked for again. */
  dispose(): void {
    for (const [page, request] of this.requests) this.giveUp(page, request);
    this.counting?.abort.abort();
    this.counting = undefined;
  }

  private held(end: number): number {
    return this.counted === undefined ? end : Math.min(end, this.counted);
  }

  private want(page: number): void {
    const rows = this.pages.get(page);
    if (rows !== undefined) {
      this.pages.delete(page);
      this.pages.set(page, rows);
      if (!this.stale.has(page)) return;
    }
    if (this.counted === undefined && this.counting === undefined) this.askCount();
    if (!this.requests.has(page) && !this.failed.has(page)) this.fetch(page);
  }

  private fetch(page: number): void {
    const abort = new AbortController();
    const start = page * this.pageSize;
    const done = this.options.loadRows(start, this.pageSize, abort.signal).then(
      (rows) => {
        if (abort.signal.aborted) return;
        this.requests.delete(page);
        this.stale.delete(page);
        this.pages.set(page, rows);
        this.learn(start, rows.length);
        this.drop();
        this.announce();
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        this.requests.delete(page);
        this.failed.add(page);
        this.failure = error instanceof Error ? error : new Error(String(error));
        this.announce();
      },
    );
    this.requests.set(page, { abort, done, held: false });
  }

  private askCount(): void {
    if (this.options.countRows === undefined) return;
    const abort = new AbortController();
    const done = this.options.countRows(abort.signal).then(
      (count) => {
        if (abort.signal.aborted) return;
        this.counted = count;
        this.announce();
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        // The rows can be read without it: the end is found by reaching it.
        if (this.known === 0) this.failure = error instanceof Error ? error : new Error(String(error));
        this.announce();
      },
    );
    this.counting = { abort, done };
  }

  /** A full page says that its rows exist, a short one where the end is. */
  private learn(start: number, length: number): void {
    const end = start + length;
    this.known = Math.max(this.known, end);
    if (length < this.pageSize && (length > 0 || start === 0)) this.counted = this.known = end;
    else if (this.counted !== undefined && this.counted < end)
      this.counted = this.options.countRows ? end : undefined;
  }

  private giveUp(page: number, request: Request): void {
    request.abort.abort();
    this.requests.delete(page);
  }

  private drop(): void {
    for (const page of this.pages.keys()) {
      if (this.pages.size <= this.keptPages) return;
      if (page < this.inSight.first || page > this.inSight.last) this.pages.delete(page);
    }
  }

  private announce(): void {
    this.changeCount += 1;
    for (const listener of this.listeners) listener();
  }
}
