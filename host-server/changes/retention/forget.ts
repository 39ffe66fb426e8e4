import type { CellValue } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import { models } from '../../metadata/models/models.ts';
import type { Unit } from '../../sql/unit.ts';
import type { LogEntry, LoggedRow } from '../log-entry.ts';
import { placesOf, readTogether } from '../read-entries.ts';
import { forgetLinks } from './forget-links.ts';
import { rewriteEntries } from './rewrite-entries.ts';

/** Entries that are emptied in one transaction. */
const entriesAtOnce = 100;
const keysAtOnce = 500;

/**
 * Takes the values of a table that was dropped out of the log. Its entries stay, empty: readers that keep a place in the log go
 * by their numbers.
 */
export async function forgetTable({ database }: Metadata, tableId: string): Promise<void> {
  const empty = { columns: null, rows: null, details: null, first_key: null, last_key: null };
  for (let place: number | undefined = 0; place !== undefined;) {
    // Goes on where the batch before ended: passing over entries that are empty already would take longer with each batch.
    const after: number = place;
    place = await database.write(async (unit) => {
      const entries = () => unit.knex('trellis_log_entry');
      const full = await unit.all<{ seq: number | string }>(
        entries()
          .where({ table_id: tableId })
          .where('seq', '>', after)
          .whereIn('kind', ['row', 'rowSet'])
          .where((held) => {
            void held.whereNotNull('rows').orWhereNotNull('details');
          })
          .orderBy('seq')
          .limit(entriesAtOnce)
          .select('seq'),
      );
      const seqs = full.map(({ seq }) => Number(seq));
      if (seqs.length > 0) await unit.run(entries().whereIn('seq', seqs).update(empty));
      return seqs.at(-1);
    });
  }
  for (let deleted = -1; deleted !== 0;) {
    deleted = await database.write(async (unit) => {
      const index = () => unit.knex('trellis_log_row').where({ table_id: tableId });
      const rows = await unit.all<{ row_key: string }>(index().limit(keysAtOnce).distinct('row_key'));
      if (rows.length === 0) return 0;
      const keys = rows.map(({ row_key }) => row_key);
      return (await unit.run(index().whereIn('row_key', keys).delete())).changes;
    });
  }
  await forgetLinks(database, (links) => links.where({ table_id: tableId }));
}

/**
 * Takes the values of tables that are gone out of the log, where whoever dropped them was cut off before the end. Whether a table is in
 * the metadata is looked up after it was found in the log: what is written of a table comes after its beginning.
 */
export async function forgetLost(metadata: Metadata, signal: AbortSignal): Promise<void> {
  const { database } = metadata;
  for (const table of ['trellis_log_entry', 'trellis_log_row', 'trellis_log_link']) {
    for (let last: string | undefined = ''; last !== undefined;) {
      signal.throwIfAborted();
      const after: string = last;
      const next = (unit: Unit) => unit.knex(table).where('table_id', '>', after).min('table_id as id');
      const row = await database.read((unit) => unit.first<{ readonly id: string | null }>(next(unit)));
      last = row?.id ?? undefined;
      if (last !== undefined && !(await isKnown(metadata, last))) await forgetTable(metadata, last);
    }
  }
}

async function isKnown({ database }: Metadata, id: string): Promise<boolean> {
  const { TableModel } = await models();
  const found = await database.read(async (unit) => TableModel.query(unit.knex).findById(id).select('id'));
  return found !== undefined;
}

/** Takes the values of a column that was dropped out of the log; the rest of its rows stays. */
export async function forgetColumn(
  { database }: Metadata,
  { tableId, columnId }: { readonly tableId: string; readonly columnId: string },
): Promise<void> {
  for (let place: number | undefined = 0; place !== undefined;) {
    const after: number = place;
    const found = await database.read((unit) =>
      placesOf(
        unit,
        unit
          .knex('trellis_log_entry')
          .where({ table_id: tableId })
          .where('seq', '>', after)
          .whereIn('kind', ['row', 'rowSet'])
          .orderBy('seq')
          .limit(entriesAtOnce),
      ),
    );
    const places = readTogether(found, entriesAtOnce);
    await rewriteEntries(database, places, () => (entry) => withoutColumn(entry, columnId));
    place = places.at(-1)?.seq;
  }
}

/** What an entry holds without the column; undefined when it does not know it. */
function withoutColumn(
  { columns, rows, details }: LogEntry,
  columnId: string,
): Readonly<Record<string, string>> | undefined {
  const cells = withoutCells({ columns, rows }, columnId);
  if (details?.patch === undefined || !(columnId in details.patch)) return cells;
  const kept = Object.entries(details.patch).filter(([id]) => id !== columnId);
  return { ...cells, details: JSON.stringify({ ...details, patch: Object.fromEntries(kept) }) };
}

function withoutCells(
  { columns, rows }: Pick<LogEntry, 'columns' | 'rows'>,
  columnId: string,
): Readonly<Record<string, string>> | undefined {
  const column = columns.indexOf(columnId);
  if (column === -1) return undefined;
  // The column keeps its place, so that the places of the others stay right.
  const emptied = rows.map((row): LoggedRow => {
    const [key, before, after, places, isPurged] = row;
    if (isPurged === true) return row;
    const all = places ?? columns.map((_, place) => place);
    const kept = all.filter((place) => place !== column);
    const cells = (of: readonly CellValue[] | null) => of && of.filter((_, index) => all[index] !== column);
    return [key, cells(before), cells(after), kept];
  });
  const names = columns.map((id, place) => (place === column ? '' : id));
  return { columns: JSON.stringify(names), rows: JSON.stringify(emptied) };
}
