import { useHost } from '@trellis/sdk/web';
import { useEffect, useRef } from 'react';

/** Calls back after changes of tables' rows, possibly in quick succession. */
export function useRowEvents(tableIds: readonly string[], onChange: () => void): void {
  const { live } = useHost();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const ids = tableIds.join(' ');
  useEffect(() => {
    if (ids === '') return undefined;
    const rooms = ids.split(' ').map((tableId) => live.subscribe({ tableId }, () => latest.current()));
    return () => {
      for (const room of rooms) room.dispose();
    };
  }, [live, ids]);
}
