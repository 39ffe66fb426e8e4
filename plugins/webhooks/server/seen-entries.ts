import type { OutboxEvent } from '@trellis/sdk/server';

/** Entries of the log that are handled at the same time, and more. */
const mostOpen = 200;

/** Knows when all events of an entry were handled, as long as this server handles all of them. */
export class SeenEntries {
  readonly #open = new Map<number, Set<number>>();

  /** Takes note of an event; true for the last one of its entry. */
  isWhole({ seq, position, size }: Pick<OutboxEvent, 'seq' | 'position' | 'size'>): boolean {
    // Nothing waits for others there.
    if (size <= 1) return false;
    const seen = this.#open.get(seq) ?? new Set();
    seen.add(position);
    this.#open.set(seq, seen);
    const isWhole = seen.size >= size;
    const [oldest] = this.#open.keys();
    if (isWhole) this.#open.delete(seq);
    // Of some events stay away: they wait behind others of their rows.
    else if (this.#open.size > mostOpen && oldest !== undefined) this.#open.delete(oldest);
    return isWhole;
  }
}
