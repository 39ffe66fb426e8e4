import { useEffect } from 'react';

/** Milliseconds between two loads. */
const lookEvery = 1000;

/**
 * Reloads something every second while it changes without events, such as a move of files.
 *
 * @param refetch as returned by `useServerData`
 * @public
 */
export function useRefreshWhile(isChanging: boolean, refetch: () => void): void {
  useEffect(() => {
    if (!isChanging) return undefined;
    const timer = setInterval(refetch, lookEvery);
    return () => clearInterval(timer);
  }, [isChanging, refetch]);
}
