import type { RowKey } from '@trellis/sdk/shared';
import type { LogEntry } from './log-entry.ts';
import type { EntryPlace } from './read-entries.ts';

/** Bytes of rows and details, as they are stored. */
const mostBytes = 8 * 1024 * 1024;
/** Milliseconds from the first entry on: what is deleted for good meanwhile is known for so long. */
const longest = 2000;

interface Kept {
  readonly entry: LogEntry;
  readonly bytes: number;
  /** Where each row stands in the entry. */
  readonly positions: ReadonlyMap<RowKey, readonly number[]>;
}

/** Reads entries at places, in any order. */
type Read = (places: readonly EntryPlace[]) => AsyncIterable<LogEntry>;
/** Takes an entry, and where the row stands in it. */
type Take = (entry: LogEntry, positions: readonly number[]) => void;

/** How entries are read for one row. */
interface EntriesOfRow {
  readonly key: RowKey;
  readonly read: Read;
  readonly take: Take;
}

/** Passes on entries that tell of a row. */
export async function takeEntries(
  places: readonly EntryPlace[],
  { key, read, take }: EntriesOfRow,
): Promise<void> {
  for await (const entry of read(places))
    take(
      entry,
      [...entry.rows.keys()].filter((position) => entry.rows[position]?.[0] === key),
    );
}

/**
 * Entries of the log that were read for one row and are asked for again for the next one. Whoever tells of many rows that were changed
 * together goes through the same entries for each of them.
 */
export class RecentEntries {
  readonly #entries = new Map<number, Kept>();
  readonly #reading = new Map<number, Promise<void>>();
  #bytes = 0;

  /** As `takeEntries`, in no order: what was read a moment ago, or is being read at the moment, is not read again. */
  async take(places: readonly EntryPlace[], of: EntriesOfRow): Promise<void> {
    const unread = this.#takeKept(places, of);
    const theirs = unread.filter(({ seq }) => this.#reading.has(seq));
    const mine = unread.filter(({ seq }) => !this.#reading.has(seq));
    const others = new Set(theirs.flatMap(({ seq }) => this.#reading.get(seq) ?? []));
    if (mine.length > 0) await this.#read(mine, of);
    await Promise.allSettled(others);
    const left = this.#takeKept(theirs, of);
    if (left.length > 0) await takeEntries(left, of);
  }

  /** The places whose entries are not kept, or were written anew since. */
  #takeKept(places: readonly EntryPlace[], { key, take }: EntriesOfRow): readonly EntryPlace[] {
    return places.filter(({ seq, bytes }) => {
      const kept = this.#entries.get(seq);
      if (kept?.bytes !== bytes) return true;
      take(kept.entry, kept.positions.get(key) ?? []);
      return false;
    });
  }

  async #read(places: readonly EntryPlace[], { key, read, take }: EntriesOfRow) {
    const bytes = new Map(places.map((place) => [place.seq, place.bytes]));
    const all = async () => {
      for await (const entry of read(places))
        take(entry, this.#keep(entry, bytes.get(entry.seq) ?? 0).get(key) ?? []);
    };
    const reading = all();
    for (const { seq } of places) this.#reading.set(seq, reading);
    try {
      await reading;
    } finally {
      for (const { seq } of places) this.#reading.delete(seq);
    }
  }

  /** Keeps an entry if there is room for it. Gives the position of each row in the entry. */
  #keep(entry: LogEntry, bytes: number): Kept['positions'] {
    const positions = positionsOf(entry);
    if (this.#bytes + bytes > mostBytes) return positions;
    if (this.#entries.size === 0) this.#forgetLater();
    this.#bytes += bytes;
    this.#entries.set(entry.seq, { entry, bytes, positions });
    return positions;
  }

  #forgetLater(): void {
    setTimeout(() => {
      this.#entries.clear();
      this.#bytes = 0;
    }, longest).unref();
  }
}

function positionsOf({ rows }: LogEntry): Map<RowKey, number[]> {
  const positions = new Map<RowKey, number[]>();
  for (const [position, [key]] of rows.entries()) {
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [position]);
    else known.push(position);
  }
  return positions;
}

const byReader = new WeakMap<object, RecentEntries>();

/** The entries that are kept for one reader, which is identified by an object of its own. */
export function recentEntriesOf(reader: object): RecentEntries {
  const known = byReader.get(reader) ?? new RecentEntries();
  byReader.set(reader, known);
  return known;
}
