import {
  mayRead,
  type RowHistoryEntry,
  type RowReads,
  type TableHandle,
  type ValuesByColumn,
} from '@trellis/sdk/server';
import type { Predicate, RowKey } from '@trellis/sdk/shared';
import { lastSetChange, rowHistory, type HistoryPage } from '../changes/read-log.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { openedTable } from '../schema/opened-table.ts';
import { isDecidedBy } from './decided-by.ts';

const mostEntries = 200;

/** Reads what happened to a row from the change log, inside what the caller may see. */
export function createRowHistory(metadata: Metadata, exists: RowReads['exists']): Pick<RowReads, 'history'> {
  /**
   * The history of a row that is in reach, back to where it may have come into reach: the values that it had beyond that are not
   * for this caller. The rule is not applied to former rows; they count as in reach as long as no column changed that decides
   * about it, which is why the walk begins with the newest entry also for a later page.
   */
  async function sinceInReach(
    { table, snapshot }: TableHandle,
    key: RowKey,
    rule: Predicate,
    { before: until = Number.POSITIVE_INFINITY, limit }: HistoryPage,
  ): Promise<readonly RowHistoryEntry[]> {
    // Other programs change rows without the log.
    if (snapshot.bases.get(table.baseId)?.own !== true) return [];
    // A set change names no rows, so it may have brought this one into reach.
    const newer = await lastSetChange(metadata, table.id);
    const columnIds = table.columns.filter(({ columnName }) => columnName !== '').map(({ id }) => id);
    const shown: RowHistoryEntry[] = [];
    const show = (entry: RowHistoryEntry) => {
      if (entry.seq < until) shown.push(entry);
    };
    for (let before: number | undefined; ;) {
      // Only a later page has entries to pass over.
      const page = { before, limit: Number.isFinite(until) ? mostEntries : limit };
      const entries = await rowHistory(metadata, { tableId: table.id, key }, page);
      for (const entry of entries) {
        const { op, before: former } = entry.change;
        if (entry.seq <= newer || op === 'delete') return shown;
        const changed = new Set(Object.keys(former ?? {}));
        const wasInReach = isDecidedBy(new Set(columnIds.filter((id) => !changed.has(id))), rule);
        const isFirst = op !== 'update' || !wasInReach;
        show(isFirst ? { ...entry, change: { ...entry.change, before: undefined } } : entry);
        if (isFirst || shown.length === limit) return shown;
      }
      before = entries.at(-1)?.seq;
      if (before === undefined) return shown;
    }
  }

  return {
    async history(handle, key, { before, limit }) {
      const { scope, table } = openedTable(handle);
      scope.require('dataRead');
      const page = { before, limit: Math.max(1, Math.min(limit, mostEntries)) };
      const rule = scope.rowPredicate(table.id);
      let entries: readonly RowHistoryEntry[];
      if (rule === undefined) entries = await rowHistory(metadata, { tableId: table.id, key }, page);
      // Of a row out of reach nothing is told, also of one that is gone: nobody can say any more whether it was in reach.
      else if (!(await exists(handle, key))) return [];
      else entries = await sinceInReach(handle, key, rule, page);
      const isShown = (columnId: string) =>
        columnId !== table.rowOrder?.id && mayRead(scope, { tableId: table.id, id: columnId });
      return entries.map((entry) => within(entry, isShown));
    },
  };
}

function within({ seq, change }: RowHistoryEntry, isShown: (columnId: string) => boolean): RowHistoryEntry {
  const shown = (values: ValuesByColumn | undefined) =>
    values && Object.fromEntries(Object.entries(values).filter(([id]) => isShown(id)));
  return { seq, change: { ...change, before: shown(change.before), after: shown(change.after) } };
}
