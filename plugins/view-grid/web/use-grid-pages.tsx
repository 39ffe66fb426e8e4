import { PagedRows, type RowsClient } from '@trellis/sdk/web/rows';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { GridGroups } from './use-grid-groups.tsx';

interface PagesOf {
  readonly rows: RowsClient;
  readonly grouped: GridGroups;
  /** Whether the rows are grouped, or will be when their groups are read. */
  readonly isGrouped: boolean;
  /** Rows per page; 0: all rows with scrolling. */
  readonly pageSize: number;
  /** What determines the rows and their order; undefined while unknown. */
  readonly arrangement: string | undefined;
}

interface WantedPage {
  readonly page: number;
  readonly size: number;
  /** The arrangement when the page was chosen. */
  readonly arrangement: string | undefined;
}

/** The pages of a grid, and the current one. */
export interface GridPages {
  /** Starts at 0. */
  readonly current: number;
  /** The number of pages; undefined while the rows are not counted. */
  readonly count: number | undefined;
  readonly hasNext: boolean;
  /** Whether this page is known to be the last. */
  readonly isLast: boolean;
  /** The page's first row, counted from 0. */
  readonly start: number;
  /** The number of rows on the page. */
  readonly shown: number;
  /** The number of rows on all pages; undefined while they are not counted. */
  readonly total: number | undefined;
  go(this: void, page: number): void;
}

const toNothing = () => () => undefined;

/** The rows that the grid draws: one page's if the view has pages. Grouped rows have no pages. */
export function useGridPages({ rows, grouped, isGrouped, pageSize, arrangement }: PagesOf): {
  readonly shown: GridGroups;
  readonly pages: GridPages | undefined;
} {
  const { source } = rows;
  const [wanted, setWanted] = useState<WantedPage>({ page: 0, size: pageSize, arrangement });
  const next = wantedNext(wanted, pageSize, arrangement);
  if (next !== wanted) setWanted(next);
  const isPaged = pageSize > 0 && !isGrouped && grouped.heads === undefined;
  // Without pages, only the grid itself is redrawn when rows change.
  useSyncExternalStore(isPaged ? source.subscribe : toNothing, () => (isPaged ? source.version : undefined));
  const rowCount = source.count;
  const count = rowCount === undefined ? undefined : Math.max(1, Math.ceil(rowCount / pageSize));
  // The last page's rows may be gone by now.
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
      // Uncounted rows may continue after a full page: this is known when the next page is read.
      hasNext: count === undefined ? source.atLeast >= start + pageSize : current < count - 1,
      isLast: count !== undefined && current >= count - 1,
      start,
      shown: paged.count ?? paged.atLeast,
      total: rowCount,
      go,
    },
  };
}

/** The page to show after the page size or the rows changed; the same object if nothing changed. */
function wantedNext(wanted: WantedPage, size: number, arrangement: string | undefined): WantedPage {
  const known = arrangement ?? wanted.arrangement;
  if (wanted.size === size && wanted.arrangement === known) return wanted;
  const isArrangedAnew = wanted.arrangement !== undefined && wanted.arrangement !== known;
  // Other rows are shown from the first one. For the same rows, the first visible row stays visible.
  const page = isArrangedAnew || size === 0 ? 0 : Math.floor((wanted.page * wanted.size) / size);
  return { page, size, arrangement: known };
}
