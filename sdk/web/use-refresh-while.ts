import { useEffect } from 'react';

/** Milliseconds between two reads. */
const lookEvery = 1000;

/**
 * Reads something again every second while it changes and no event tells pages of that, such as a move of files.
 *
 * @param refetch as `useServerData` gives it
 * @public
 */
export function useRefreshWhile(isChanging: boolean, refetch: () => void): void {
  useEffect(() => {
    if (!isChanging) return undefined;
    const timer = setInterval(refetch, lookEvery);
    return () => clearInterval(timer);
  }, [isChanging, refetch]);
}
