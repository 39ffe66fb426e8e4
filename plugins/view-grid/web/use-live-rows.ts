import { useHost } from '@trellis/sdk/web';
import { useEffect } from 'react';
import type { RowWindow } from './grid/index.ts';
import type { TableData } from './table-data.ts';

/** Changes that come in a burst are read again once, after this many milliseconds. */
const REFRESH_DELAY = 250;

/** Shows what others write: changed cells in place, and everything else by reading the rows in sight again. */
export function useLiveRows(source: RowWindow, data: TableData, tableId: string, viewId: string): void {
  const { live } = useHost();
  useEffect(() => {
    let timer: number | undefined;
    const refreshSoon = (): void => {
      timer ??= window.setTimeout(() => {
        timer = undefined;
        source.refresh();
      }, REFRESH_DELAY);
    };
    const room = live.subscribe({ tableId }, (event) => {
      if (event.kind === 'resync' || event.kind === 'rowsReset') return refreshSoon();
      if (event.kind !== 'rows') return;
      const updates = new Map<string, Readonly<Record<string, unknown>>>();
      for (const { op, key, row } of event.changes) {
        if (op === 'update' && row !== undefined) updates.set(key, data.byColumnId(row));
        else refreshSoon();
      }
      source.patchRows(updates);
    });
    const views = live.onEvent((event) => {
      if (event.kind === 'view' && event.viewId === viewId) refreshSoon();
    });
    return () => {
      window.clearTimeout(timer);
      room.dispose();
      views.dispose();
    };
  }, [live, source, data, tableId, viewId]);
}
