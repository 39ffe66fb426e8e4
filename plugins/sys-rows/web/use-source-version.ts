import type { RowSource } from '@trellis/sdk/web/rows';
import { useSyncExternalStore } from 'react';

/** Draws again when rows are added, removed or moved. */
export function useSourceVersion(source: RowSource | undefined): void {
  useSyncExternalStore(source?.subscribe ?? subscribeToNothing, () => source?.version);
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
