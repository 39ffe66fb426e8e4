import type { RowsClient } from '@trellis/sdk/web/rows';
import { useSyncExternalStore } from 'react';

/** Draws again when rows come, go or move. */
export function useSourceVersion(rows: RowsClient | undefined): void {
  const source = rows?.source;
  useSyncExternalStore(source?.subscribe ?? subscribeToNothing, () => source?.version);
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
