import type { RowKey } from '@trellis/sdk/shared';
import type { Metadata } from '../metadata/metadata.ts';
import type { FindWrittenRows } from '../schema/schema-changes.ts';
import { SettledLog } from './settled-log.ts';
import { entryBytes, readEntries, toPlace, type PlaceRow } from './read-entries.ts';

/** The most entries whose rows are named one by one; beyond that, scanning the whole table is better. */
const mostEntries = 5000;
const mostBytes = 8 * 1024 * 1024;

/** Finds the rows of one of our tables that were inserted or changed since a given point, from the change log. */
export function createFindWrittenRows(metadata: Metadata): FindWrittenRows {
  const settled = new SettledLog(metadata);
  return (tableId) => ({
    // A write that is running now may be committed under a lower number than the newest one.
    mark: () => settled.end(),
    async since(unit, mark) {
      const places = await unit.all<PlaceRow & { readonly kind: string }>(
        unit
          .knex('trellis_log_entry')
          .where({ table_id: tableId })
          .where('seq', '>', mark)
          .whereIn('kind', ['row', 'rowSet'])
          .whereNot({ op: 'delete' })
          .orderBy('seq')
          .limit(mostEntries + 1)
          .select('seq', 'kind', entryBytes(unit.knex)),
      );
      const bytes = places.reduce((sum, place) => sum + Number(place.bytes), 0);
      const isNamed = places.every(({ kind }) => kind === 'row');
      if (!isNamed || places.length > mostEntries || bytes > mostBytes) return undefined;
      const keys = new Set<RowKey>();
      for await (const entry of readEntries((work) => work(unit), places.map(toPlace)))
        for (const [key] of entry.rows) keys.add(key);
      return [...keys];
    },
  });
}
