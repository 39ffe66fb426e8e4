import type { Bus } from '@trellis/sdk/server';
import { DatabaseError } from '../databases/index.ts';
import { PageAnchors } from './page-anchors.ts';

interface KnownCount {
  readonly version: number;
  readonly at: number;
  readonly count: number;
}

interface KnownSize {
  readonly at: number;
  readonly rows: number;
}

/** Milliseconds for which a count is believed: other programs may write to the table as well. */
const countLife = 5000;
/** Milliseconds for which a size is believed: what goes by it does not need it exact. */
const sizeLife = 60_000;
const mostCounts = 500;

/** What is remembered of the tables' rows between calls: counts, and which key stands at which offset. */
export class TableMemory {
  readonly anchors = new PageAnchors();
  readonly #versions = new Map<string, number>();
  readonly #counts = new Map<string, KnownCount>();
  /** Counts that are under way. */
  readonly #counting = new Map<string, { readonly version: number; readonly answer: Promise<number> }>();
  readonly #sizes = new Map<string, KnownSize>();

  /** @param bus tells of rows that other servers wrote; the writes of this one touch their tables themselves. */
  constructor(bus: Bus) {
    bus.subscribe('rows.changed', {
      message: ({ tableId }, origin) => {
        if (origin === 'elsewhere') this.touch(tableId);
      },
      gap: () => this.#touchAll(),
    });
  }

  /** Grows with every write to the table through this server. */
  version(tableId: string): number {
    return this.#versions.get(tableId) ?? 0;
  }

  /** Forgets what is known of a table after a write to it. */
  touch(tableId: string): void {
    this.#versions.set(tableId, this.version(tableId) + 1);
  }

  #touchAll(): void {
    for (const tableId of this.#versions.keys()) this.touch(tableId);
    this.#counts.clear();
    this.anchors.clear();
  }

  /** About how many rows the table has, where that is known. */
  size(tableId: string): number | undefined {
    const known = this.#sizes.get(tableId);
    return known !== undefined && performance.now() - known.at < sizeLife ? known.rows : undefined;
  }

  learnSize(tableId: string, rows: number): void {
    if (this.#sizes.size >= mostCounts) this.#sizes.clear();
    this.#sizes.set(tableId, { at: performance.now(), rows });
  }

  /**
   * The count of a query by its shape: remembered, else asked for. Who asks while the same is being counted gets that answer, so that
   * many who open a large table at once do not fill the line of long reads.
   */
  async count(tableId: string, shape: string, ask: () => Promise<number>): Promise<number> {
    const version = this.version(tableId);
    // Two external databases may each have a table of this name.
    const key = `${tableId} ${shape}`;
    const known = this.#counts.get(key);
    if (known !== undefined && known.version === version && Date.now() - known.at < countLife)
      return known.count;
    const counting = this.#counting.get(key);
    if (counting?.version !== version) return this.#countAnew(key, version, ask);
    try {
      return await counting.answer;
    } catch (error) {
      // Whoever asked first has gone away.
      if (error instanceof DatabaseError && error.kind === 'cancelled')
        return this.count(tableId, shape, ask);
      throw error;
    }
  }

  async #countAnew(key: string, version: number, ask: () => Promise<number>): Promise<number> {
    const answer = ask();
    this.#counting.set(key, { version, answer });
    try {
      const count = await answer;
      if (this.#counts.size >= mostCounts) this.#counts.clear();
      this.#counts.set(key, { version, at: Date.now(), count });
      return count;
    } finally {
      if (this.#counting.get(key)?.answer === answer) this.#counting.delete(key);
    }
  }
}
