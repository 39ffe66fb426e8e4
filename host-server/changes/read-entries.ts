import type { Knex } from 'knex';
import { selectBytes, selectPiece } from '../sql/long-texts.ts';
import type { Unit } from '../sql/unit.ts';
import { entryColumns, toEntry, type EntryRow, type LogEntry } from './log-entry.ts';

/** A readable entry with its size. */
export interface EntryPlace {
  readonly seq: number;
  /** The size of its rows and details. */
  readonly bytes: number;
}

/** The columns selected for an entry's place: `{ seq, bytes }`, numbers or their texts. */
export interface PlaceRow {
  readonly seq: number | string;
  readonly bytes: number | string;
}

/** The places of entries, in the order of the query. */
export async function placesOf(unit: Unit, entries: Knex.QueryBuilder): Promise<EntryPlace[]> {
  const rows = await unit.all<PlaceRow>(entries.select('seq', entryBytes(unit.knex)));
  return rows.map(toPlace);
}

/** Runs reads, either each on its own connection or all in one transaction. */
export type RunRead = <T>(work: (unit: Unit) => Promise<T>) => Promise<T>;

/** The most bytes of entries that are read together. A larger entry is read alone, in pieces. */
const mostBytes = 8 * 1024 * 1024;
const mostEntries = 100;
/** Characters of a piece: fewer bytes than any server's limit for one value. */
const pieceLength = 2 * 1024 * 1024;

/** The size of an entry in a select list, as `bytes`. */
export function entryBytes(knex: Knex): Knex.Raw {
  return selectBytes(knex, ['rows', 'details'], 'bytes');
}

export function toPlace({ seq, bytes }: PlaceRow): EntryPlace {
  return { seq: Number(seq), bytes: Number(bytes) };
}

/** The first entries that may be in memory together: at least one, if there is one. */
export function readTogether<Place extends EntryPlace>(places: readonly Place[], most: number): Place[] {
  const together: Place[] = [];
  let bytes = 0;
  for (const place of places.slice(0, most)) {
    bytes += place.bytes;
    if (together.length > 0 && bytes > mostBytes) break;
    together.push(place);
  }
  return together;
}

/**
 * Reads entries in the order of their places, a bounded number of bytes at a time. Deleted entries are left out.
 *
 * @param large whether an entry of more than 8 MB is read whole, or only its head, without rows and details.
 */
export async function* readEntries(
  read: RunRead,
  places: readonly EntryPlace[],
  large: 'whole' | 'head' = 'whole',
): AsyncGenerator<LogEntry, void, undefined> {
  for (let rest = places; rest.length > 0;) {
    const together = readTogether(rest, mostEntries);
    rest = rest.slice(together.length);
    const isLarge = together.some(({ bytes }) => bytes > mostBytes);
    const rows = await read((unit) =>
      isLarge ? readLarge(unit, together, large) : unit.all<EntryRow>(entriesAt(unit, together).select('*')),
    );
    const entries = new Map(rows.map((row) => [Number(row.seq), row]));
    for (const { seq } of together) {
      const row = entries.get(seq);
      if (row !== undefined) yield toEntry(row);
    }
  }
}

/**
 * Locks entries until the transaction ends. A transaction that writes an entry back must lock it in its first read: some databases
 * would otherwise read an older state.
 */
export async function lockEntries(unit: Unit, places: readonly EntryPlace[]): Promise<void> {
  if (places.length > 0) await unit.all(entriesAt(unit, places).orderBy('seq').forUpdate().select('seq'));
}

function entriesAt(unit: Unit, places: readonly EntryPlace[]): Knex.QueryBuilder {
  const seqs = places.map(({ seq }) => seq);
  return unit.knex('trellis_log_entry').whereIn('seq', seqs);
}

/** Reads an entry whose texts exceed the size of an answer. */
async function readLarge(
  unit: Unit,
  places: readonly EntryPlace[],
  large: 'whole' | 'head',
): Promise<readonly EntryRow[]> {
  const columns = entryColumns.filter((column) => column !== 'rows' && column !== 'details');
  const row = await unit.first<Omit<EntryRow, 'rows' | 'details'>>(
    entriesAt(unit, places).select('seq', ...columns),
  );
  if (row === undefined) return [];
  if (large === 'head') return [{ ...row, rows: null, details: null }];
  const text = (column: 'rows' | 'details') => readText(unit, Number(row.seq), column);
  return [{ ...row, rows: await text('rows'), details: await text('details') }];
}

async function readText(unit: Unit, seq: number, column: 'rows' | 'details'): Promise<string | null> {
  let whole = '';
  for (let piece = 0; ; piece += 1) {
    const part = { from: piece * pieceLength, length: pieceLength, as: 'text' };
    const row = await unit.first<{ text: string | null }>(
      unit
        .knex('trellis_log_entry')
        .where({ seq })
        .select(selectPiece(unit.knex, column, part)),
    );
    if (row === undefined || row.text === null || row.text === '') return whole === '' ? null : whole;
    whole += row.text;
  }
}
