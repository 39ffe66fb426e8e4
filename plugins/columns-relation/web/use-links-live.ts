import { useHost, type OpenedCell } from '@trellis/sdk/web';
import { useEffect } from 'react';
import { linkOf } from './link-calls.ts';

/** Milliseconds within which several changes are combined. */
const pause = 150;

/** Reports that links of a cell may have changed, because rows of either table or of the junction table did. */
export function useLinksLive(
  { table, column }: Pick<OpenedCell, 'table' | 'column'>,
  changed: () => void,
): void {
  const { live } = useHost();
  const link = linkOf(column);
  const tables = [...new Set([table.id, link?.tableId, link?.junctionId])].filter((id) => id !== undefined);
  const ids = tables.join(' ');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        changed();
      }, pause);
    };
    const rooms = ids.split(' ').map((tableId) => live.subscribe({ tableId }, soon));
    return () => {
      clearTimeout(timer);
      for (const room of rooms) room.dispose();
    };
    // eslint-disable-next-line react/exhaustive-deps -- `changed` names a cell, which is the same as long as its tables are
  }, [live, ids]);
}
