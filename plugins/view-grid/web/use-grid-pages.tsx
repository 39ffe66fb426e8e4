import { PagedRows, type RowsClient } from '@trellis/sdk/web/rows';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { GridGroups } from './use-grid-groups.tsx';

interface PagesOf {
  readonly rows: RowsClient;
  readonly grouped: GridGroups;
  /** Whether the rows stand under heads, or will once their groups are read. */
  readonly isGrouped: boolean;
  /** Rows of one page; 0 for all of them, scrolled. */
  readonly pageSize: number;
  /** What decides which rows there are and in which order; undefined while that is not known. */
  readonly arrangement: string | undefined;
}

interface WantedPage {
  readonly page: number;
  readonly size: number;
  /** What the rows were arranged by when the page was chosen. */
  readonly arrangement: string | undefined;
}

/** The pages of a grid, and which one is shown. */
export interface GridPages {
  /** From 0. */
  readonly current: number;
  /** How many there are; undefined while the rows are not counted. */
  readonly count: number | undefined;
  readonly hasNext: boolean;
  /** Whether the rows are known to end with this page. */
  readonly isLast: boolean;
  /** The first row of the page, counted from 0. */
  readonly start: number;
  /** How many rows there are on it. */
  readonly shown: number;
  /** How many rows there are on all pages; undefined while they are not counted. */
  readonly total: number | undefined;
  go(this: void, page: number): void;
}

const toNothing = () => () => undefined;

/** The rows that the grid draws: those of a page where the view has pages. Under heads of groups there are none. */
export function useGridPages({ rows, grouped, isGrouped, pageSize, arrangement }: PagesOf): {
  readonly shown: GridGroups;
  readonly pages: GridPages | undefined;
} {
  const { source } = rows;
  const [wanted, setWanted] = useState<WantedPage>({ page: 0, size: pageSize, arrangement });
  const next = wantedNext(wanted, pageSize, arrangement);
  if (next !== wanted) setWanted(next);
  const isPaged = pageSize > 0 && !isGrouped && grouped.heads === undefined;
  // Without pages only the grid itself is drawn again with its rows.
  useSyncExternalStore(isPaged ? source.subscribe : toNothing, () => (isPaged ? source.version : undefined));
  const rowCount = source.count;
  const count = rowCount === undefined ? undefined : Math.max(1, Math.ceil(rowCount / pageSize));
  // Rows of the last page may be gone by now.
  const current = count === undefined ? next.page : Math.min(next.page, count - 1);
  const start = current * pageSize;
  const paged = useMemo(
    () => (isPaged ? new PagedRows(source, { start, size: pageSize }) : undefined),
    [isPaged, source, start, pageSize],
  );
  if (paged === undefined) return { shown: grouped, pages: undefined };
  const go = (page: number): void => setWanted({ ...next, page: Math.max(0, page) });
  return {
    shown: {
      ...grouped,
      source: paged,
      shownAt: (place) => paged.shownAt(place),
      reveal: (place) => go(Math.floor(place / pageSize)),
    },
    pages: {
      current,
      count,
      // Uncounted rows may go on after a full page: whether they do is known once the next one is read.
      hasNext: count === undefined ? source.atLeast >= start + pageSize : current < count - 1,
      isLast: count !== undefined && current >= count - 1,
      start,
      shown: paged.count ?? paged.atLeast,
      total: rowCount,
      go,
    },
  };
}

/** The page that stays in sight where the pages have another size or other rows; the same object where nothing changed. */
function wantedNext(wanted: WantedPage, size: number, arrangement: string | undefined): WantedPage {
  const known = arrangement ?? wanted.arrangement;
  if (wanted.size === size && wanted.arrangement === known) return wanted;
  const isArrangedAnew = wanted.arrangement !== undefined && wanted.arrangement !== known;
  // Other rows are looked at from the first one on. Of the same rows the first one that was seen stays in sight.
  const page = isArrangedAnew || size === 0 ? 0 : Math.floor((wanted.page * wanted.size) / size);
  return { page, size, arrangement: known };
}
