import { useState } from 'react';
import { useUserStorage } from './contribution.tsx';

/** Ids that a person marked, such as those of unfolded tables. @public */
export interface KeptIds {
  has(this: void, id: string): boolean;
  /** Marks an id, or removes its mark. @param known the existing ids: marks of others are removed. */
  toggle(this: void, id: string, known: readonly string[]): void;
}

/** Marked ids, stored for the person under a key of the plugin. @public */
export function useKeptIds(key: string): KeptIds {
  const storage = useUserStorage();
  const [kept, setKept] = useState<readonly string[]>(() => storage.get(key) ?? []);
  return {
    has: (id) => kept.includes(id),
    toggle(id, known) {
      const others = kept.filter((other) => other !== id && known.includes(other));
      const next = kept.includes(id) ? others : [...others, id];
      setKept(next);
      storage.set(key, next.length > 0 ? next : undefined);
    },
  };
}
