import type { RowHistoryEntry, RowReads, ValuesByColumn } from '@trellis/sdk/server';
import { rowHistory } from '../changes/read-log.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { openedTable } from '../schema/opened-table.ts';

const mostEntries = 200;

/** Reads what happened to a row from the change log, inside what the caller may see. */
export function createRowHistory(metadata: Metadata, exists: RowReads['exists']): Pick<RowReads, 'history'> {
  return {
    async history(handle, key, { before, limit }) {
      const { scope, table } = openedTable(handle);
      scope.require('dataRead');
      // Of a row out of reach nothing is told, also of one that is gone: nobody can say any more whether it was in reach.
      const isNarrowed = scope.rowPredicate(table.id) !== undefined;
      if (isNarrowed && !(await exists(handle, key))) return [];
      const page = { before, limit: Math.max(1, Math.min(limit, mostEntries)) };
      const entries = await rowHistory(metadata, { tableId: table.id, key }, page);
      const readable = scope.readableColumns(table.id);
      return readable === 'all' ? entries : entries.map((entry) => within(entry, readable));
    },
  };
}

function within({ seq, change }: RowHistoryEntry, readable: ReadonlySet<string>): RowHistoryEntry {
  const shown = (values: ValuesByColumn | undefined) =>
    values && Object.fromEntries(Object.entries(values).filter(([id]) => readable.has(id)));
  return { seq, change: { ...change, before: shown(change.before), after: shown(change.after) } };
}
