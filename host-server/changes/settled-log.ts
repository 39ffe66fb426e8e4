import { DatabaseError } from '../databases/index.ts';
import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { EntryKind, LogEntry } from './log-entry.ts';
import { prunedTo } from './pruned.ts';
import {
  entryBytes,
  placesOf,
  readEntries,
  toPlace,
  type EntryPlace,
  type PlaceRow,
} from './read-entries.ts';

/** An entry without its rows. */
export interface EntryHead extends EntryPlace {
  readonly kind: EntryKind;
  readonly projectId: string;
  readonly tableId: string;
  readonly at: number;
  /** How many rows its call changed in the table, in all of its entries. */
  readonly total: number;
}

/** What follows a place in the log. */
export interface Settled {
  /** Without gaps and without the entries of kind `gap`. */
  readonly heads: readonly EntryHead[];
  /** Every number up to here is decided: it is in the log, or will never be. The place to go on from. */
  readonly to: number;
  /** Numbers after the place that the retention has deleted. */
  readonly lost: number;
  /** True when there are more entries after a number whose transaction is still open. */
  readonly isHeldBack: boolean;
  /** Whether entries may follow that did not fit. */
  readonly isMore: boolean;
}

interface HeadRow extends PlaceRow {
  readonly kind: EntryKind;
  readonly project_id: string | null;
  readonly table_id: string | null;
  readonly at: number | string;
  readonly total: number | string;
}

const mostHeads = 500;
/** Milliseconds after which a missing number is filled by this server, if no transaction holds it. */
const youngFor = 1000;
/** Milliseconds. No write lasts as long, so a number that is missing before an entry of this age was rolled back. */
const oldAfter = 60_000;
/** Milliseconds that we wait for a transaction which holds a missing number. */
const patience = 2000;
const mostClosed = 500;
/** How far below the newest number transactions may still be open. */
const openRange = 200;

/**
 * Reads the log in order for those who keep a place in it, and never passes over a number that may still appear.
 *
 * Numbers are given before the commit, so a missing one belongs to a transaction that is open or was rolled back. Which of the
 * two is asked of the unique key: we insert an entry of kind `gap` under the number. Where the transaction is open, the insert
 * waits for its end; where it was committed, the insert is refused and the entry is there to be read; else the number is ours
 * and nobody can ever commit it. This needs no rights beyond the table and is the same on every database.
 */
export class SettledLog {
  readonly #metadata: Metadata;
  readonly #now: () => number;
  /** When each missing number was first seen. */
  readonly #missing = new Map<number, number>();

  constructor(metadata: Metadata, now: () => number = Date.now) {
    this.#metadata = metadata;
    this.#now = now;
  }

  /** The greatest number in the log; 0 for an empty one. Smaller ones may still be open. */
  async newest(unit?: Unit): Promise<number> {
    const { database } = this.#metadata;
    const ask = async (on: Unit) =>
      on.first<{ seq: number | string | null }>(on.knex('trellis_log_entry').max({ seq: 'seq' }));
    const row = unit === undefined ? await database.read(ask) : await ask(unit);
    return Number(row?.seq ?? 0);
  }

  /**
   * The place from which a new reader begins: what is committed from now on follows it, under whichever number. Where a smaller
   * number is still open, what was committed behind it follows as well.
   */
  async end(): Promise<number> {
    const pruned = await prunedTo(this.#metadata);
    const newest = await this.newest();
    let place = Math.max(pruned, newest - openRange);
    // Not until nothing follows: where many write, something always does.
    for (let from = -1; from !== place && place < newest;) {
      from = place;
      ({ to: place } = await this.after(place));
    }
    return place;
  }

  /** What follows a number, at most 500 entries. */
  async after(seq: number): Promise<Settled> {
    const { database } = this.#metadata;
    const rows = await database.read((unit) =>
      unit.all<HeadRow>(
        unit
          .knex('trellis_log_entry')
          .where('seq', '>', seq)
          .orderBy('seq')
          .limit(mostHeads)
          .select('seq', 'kind', 'project_id', 'table_id', 'at', 'total', entryBytes(unit.knex)),
      ),
    );
    const found = rows.map(toHead);
    let from = seq;
    let lost = 0;
    if (found.length > 0 && found[0]?.seq !== seq + 1) {
      from = Math.max(seq, await prunedTo(this.#metadata));
      lost = from - seq;
    }
    const open = await this.#firstOpen(found, from);
    const heads = found.filter((head) => head.seq < open);
    const to = Math.max(from, heads.at(-1)?.seq ?? from);
    // Most numbers that were seen missing are there at the next look.
    for (const missing of this.#missing.keys()) if (missing <= to) this.#missing.delete(missing);
    return {
      heads: heads.filter(({ kind }) => kind !== 'gap'),
      to,
      lost,
      isHeldBack: open !== Number.POSITIVE_INFINITY,
      isMore: rows.length === mostHeads,
    };
  }

  /** The entries of a table's rows after one number and up to another; undefined when some were deleted. */
  async placesOf(
    tableId: string,
    { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number },
  ): Promise<readonly EntryPlace[] | undefined> {
    const places = await this.#metadata.database.read((unit) =>
      placesOf(
        unit,
        unit
          .knex('trellis_log_entry')
          .where({ table_id: tableId })
          .where('seq', '>', after)
          .where('seq', '<=', until)
          .whereIn('kind', ['row', 'rowSet'])
          .orderBy('seq')
          .limit(limit),
      ),
    );
    return (await prunedTo(this.#metadata)) > after ? undefined : places;
  }

  /** Which of these numbers are in the log, in order. */
  async placesAt(seqs: readonly number[]): Promise<readonly EntryPlace[]> {
    if (seqs.length === 0) return [];
    return this.#metadata.database.read((unit) =>
      placesOf(
        unit,
        unit
          .knex('trellis_log_entry')
          .whereIn('seq', [...seqs])
          .orderBy('seq'),
      ),
    );
  }

  /**
   * The entries at these places, in order, of which a bounded number of bytes is in memory at a time.
   *
   * @param large whether an entry of more than 8 MB comes whole, or as its head: without rows and details.
   */
  load(
    places: readonly EntryPlace[],
    large: 'whole' | 'head' = 'whole',
  ): AsyncGenerator<LogEntry, void, undefined> {
    return readEntries((work) => this.#metadata.database.read(work), places, large);
  }

  /** The smallest number after `from` that is still open, infinity when there is none. */
  async #firstOpen(found: readonly EntryHead[], from: number): Promise<number> {
    let last = from;
    for (const head of found) {
      if (head.seq <= from) continue;
      const missing = numbersBetween(last, head.seq);
      if (missing.length > 0 && !(await this.#close(missing, head))) return missing[0] ?? head.seq;
      last = head.seq;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Whether the missing numbers are decided and none of them was committed meanwhile. */
  async #close(missing: readonly number[], next: EntryHead): Promise<boolean> {
    const now = this.#now();
    for (const seq of missing) if (!this.#missing.has(seq)) this.#missing.set(seq, now);
    const isYoung = (seq: number) => now - (this.#missing.get(seq) ?? now) < youngFor;
    if (now - next.at < oldAfter && missing.some(isYoung)) return false;
    const gaps = missing.slice(0, mostClosed).map((seq) => gapRow(seq, next.at));
    try {
      await this.#metadata.database.write((unit) => unit.run(unit.knex('trellis_log_entry').insert(gaps)), {
        timeoutMs: patience,
      });
    } catch (error) {
      // Its transaction was committed, or is open still: the next look tells.
      if (error instanceof DatabaseError && error.kind !== 'unknown') return false;
      throw error;
    } finally {
      for (const seq of missing) this.#missing.delete(seq);
    }
    return gaps.length === missing.length;
  }
}

function toHead({ kind, project_id, table_id, at, total, ...place }: HeadRow): EntryHead {
  return {
    ...toPlace(place),
    kind,
    projectId: project_id ?? '',
    tableId: table_id ?? '',
    at: Number(at),
    total: Number(total),
  };
}

function numbersBetween(after: number, before: number): readonly number[] {
  return Array.from(
    { length: Math.min(before - after - 1, mostClosed + 1) },
    (_, index) => after + 1 + index,
  );
}

function gapRow(seq: number, at: number) {
  return { seq, operation_id: '', kind: 'gap', op: 'update', origin: 'job', at, part: 0, total: 0 };
}
