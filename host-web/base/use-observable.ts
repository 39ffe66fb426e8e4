import { useSyncExternalStore } from 'react';
import type { Event } from '@trellis/core';

/** A snapshot that is read again when the event fires. Between events it must be the same object. */
export function useObservable<T, E>(onDidChange: Event<E>, snapshot: () => T): T {
  return useSyncExternalStore((listener) => {
    const subscription = onDidChange(listener);
    return () => void subscription.dispose();
  }, snapshot);
}
