import type { OutboxEvent } from '@trellis/sdk/server';

/** More than the number of log entries that are handled at the same time. */
const mostOpen = 200;

/** Detects that all events of an entry were handled, as long as this server handles all of them. */
export class SeenEntries {
  readonly #open = new Map<number, Set<number>>();

  /** Records an event; true for the last one of its entry. */
  isWhole({ seq, position, size }: Pick<OutboxEvent, 'seq' | 'position' | 'size'>): boolean {
    // A single event waits for no others.
    if (size <= 1) return false;
    const seen = this.#open.get(seq) ?? new Set();
    seen.add(position);
    this.#open.set(seq, seen);
    const isWhole = seen.size >= size;
    const [oldest] = this.#open.keys();
    if (isWhole) this.#open.delete(seq);
    // Some entries never complete here: their events wait behind others of their rows.
    else if (this.#open.size > mostOpen && oldest !== undefined) this.#open.delete(oldest);
    return isWhole;
  }
}
