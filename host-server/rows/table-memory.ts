import type { Bus } from '@trellis/sdk/server';
import { PageAnchors } from './page-anchors.ts';

interface KnownCount {
  readonly version: number;
  readonly at: number;
  readonly count: number;
}

/** Milliseconds for which a count is believed: other programs may write to the table as well. */
const countLife = 5000;
const mostCounts = 500;

/** What is remembered of the tables' rows between calls: counts, and which key stands at which offset. */
export class TableMemory {
  readonly anchors = new PageAnchors();
  readonly #versions = new Map<string, number>();
  readonly #counts = new Map<string, KnownCount>();
  readonly #sizes = new Map<string, number>();

  /** @param bus tells of rows that other servers wrote. */
  constructor(bus: Bus) {
    bus.subscribe('rows.changed', {
      message: ({ tableId }) => this.touch(tableId),
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

  /** About how many rows the table has: as many as when they were counted last. */
  size(tableId: string): number | undefined {
    return this.#sizes.get(tableId);
  }

  learnSize(tableId: string, rows: number): void {
    if (this.#sizes.size >= mostCounts) this.#sizes.clear();
    this.#sizes.set(tableId, rows);
  }

  /** The count of a query by its shape: remembered, else asked for. */
  async count(tableId: string, shape: string, ask: () => Promise<number>): Promise<number> {
    const version = this.version(tableId);
    // Two external databases may each have a table of this name.
    const key = `${tableId} ${shape}`;
    const known = this.#counts.get(key);
    if (known !== undefined && known.version === version && Date.now() - known.at < countLife)
      return known.count;
    const count = await ask();
    if (this.#counts.size >= mostCounts) this.#counts.clear();
    this.#counts.set(key, { version, at: Date.now(), count });
    return count;
  }
}
