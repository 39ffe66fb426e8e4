import { mayRead, type RowHistoryEntry, type RowReads, type ValuesByColumn } from '@trellis/sdk/server';
import type { Predicate, RowKey } from '@trellis/sdk/shared';
import { lastSetChange, rowHistory, type HistoryPage } from '../changes/read-log.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { openedTable, type OpenedTable } from '../schema/opened-table.ts';
import { isDecidedBy } from './decided-by.ts';
import { keyInRow } from './key-in-row.ts';
import { createLinkHistory } from './link-history.ts';
import type { RowReaderDependencies } from './row-reader.ts';

const mostEntries = 500;

/** The history of a row, and the number of the first entry that may be shown. */
interface Known {
  readonly entries: readonly RowHistoryEntry[];
  readonly since: number;
}

type HistoryDependencies = RowReaderDependencies & {
  readonly metadata: Metadata;
  readonly exists: RowReads['exists'];
};

/** Reads the history of a row from the change log, within what the caller may see. */
export function createRowHistory(deps: HistoryDependencies): Pick<RowReads, 'history'> {
  const { metadata, exists } = deps;
  const linkHistory = createLinkHistory(deps);

  /**
   * The history of a visible row, back to where it may have become visible: its earlier values are hidden from this caller. The
   * rule is not applied to former values of the row; they count as visible as long as no column changed that decides about it.
   * Therefore the walk begins with the newest entry, also for a later page.
   */
  async function sinceInReach(
    { table, snapshot }: OpenedTable,
    key: RowKey,
    rule: Predicate,
    { before: until = Number.POSITIVE_INFINITY, limit, reader }: HistoryPage,
  ): Promise<Known> {
    // Other programs change rows without the log.
    if (snapshot.bases.get(table.baseId)?.own !== true)
      return { entries: [], since: Number.POSITIVE_INFINITY };
    // A set change names no rows, so it may have made this one visible.
    const newer = await lastSetChange(metadata, table.id);
    const columnIds = table.columns.filter(({ columnName }) => columnName !== '').map(({ id }) => id);
    // Where rows of other tables decide, a link may have made it visible.
    const isDecidedHere = isDecidedBy(new Set(columnIds), rule);
    const entries: RowHistoryEntry[] = [];
    const known = (first: number): Known => ({
      entries,
      since: isDecidedHere ? first : Number.POSITIVE_INFINITY,
    });
    const show = (entry: RowHistoryEntry) => {
      if (entry.seq < until) entries.push(entry);
    };
    for (let before: number | undefined; ;) {
      // Only a later page has entries to skip.
      const page = { before, limit: Number.isFinite(until) ? mostEntries : limit, reader };
      const found = await rowHistory(metadata, { tableId: table.id, key }, page);
      for (const entry of found) {
        const { op, before: former } = entry.change;
        if (entry.seq <= newer || op === 'delete') return known(Math.max(entry.seq, newer) + 1);
        const changed = new Set(Object.keys(former ?? {}));
        const wasInReach = isDecidedBy(new Set(columnIds.filter((id) => !changed.has(id))), rule);
        const isFirst = op !== 'update' || !wasInReach;
        show(isFirst ? { ...entry, change: { ...entry.change, before: undefined } } : entry);
        if (isFirst || entries.length === limit) return known(entry.seq);
      }
      before = found.at(-1)?.seq;
      if (before === undefined) return known(newer + 1);
    }
  }

  async function knownOf(handle: OpenedTable, key: RowKey, page: HistoryPage): Promise<Known> {
    const { scope, table } = handle;
    const rule = scope.rowPredicate(table.id);
    if (rule === undefined)
      return { entries: await rowHistory(metadata, { tableId: table.id, key }, page), since: 0 };
    // The history of an invisible row is empty, also that of a deleted one: it can no longer be determined whether it was visible.
    if (!(await exists(handle, key))) return { entries: [], since: Number.POSITIVE_INFINITY };
    return sinceInReach(handle, key, rule, page);
  }

  return {
    async history(given, named, { before, limit, withLinks = false, reader }) {
      const handle = openedTable(given);
      const { scope, table } = handle;
      scope.require('dataRead');
      const key = await keyInRow(deps.tables, handle, named);
      const page = { before, limit: Math.max(1, Math.min(limit, mostEntries)), reader };
      const { entries, since } = await knownOf(handle, key, page);
      const isShown = (columnId: string) =>
        columnId !== table.rowOrder?.id && mayRead(scope, { tableId: table.id, id: columnId });
      const own = entries.map((entry) => within(entry, isShown));
      if (!withLinks || since === Number.POSITIVE_INFINITY) return own;
      const links = await linkHistory(handle, key, { ...page, since });
      return links.length === 0 ? own : newestOf([...own, ...links], page.limit);
    },
  };
}

/** The newest of several entries. Entries with the same number stay together, since a later page begins after it. */
function newestOf(entries: readonly RowHistoryEntry[], limit: number): readonly RowHistoryEntry[] {
  const sorted = entries.toSorted((one, other) => other.seq - one.seq);
  const last = sorted[limit - 1]?.seq ?? 0;
  return sorted.filter(({ seq }) => seq >= last);
}

function within({ seq, change }: RowHistoryEntry, isShown: (columnId: string) => boolean): RowHistoryEntry {
  const shown = (values: ValuesByColumn | undefined) =>
    values && Object.fromEntries(Object.entries(values).filter(([id]) => isShown(id)));
  return { seq, change: { ...change, before: shown(change.before), after: shown(change.after) } };
}
