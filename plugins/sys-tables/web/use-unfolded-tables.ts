import { useUserStorage } from '@trellis/sdk/web';
import { useState } from 'react';

/** Which tables of a project show in the side bar what is under them; kept for the person. */
export function useUnfoldedTables(projectId: string) {
  const storage = useUserStorage();
  const key = `unfolded-tables.${projectId}`;
  const [unfolded, setUnfolded] = useState<readonly string[]>(() => storage.get(key) ?? []);
  return {
    isUnfolded: (tableId: string) => unfolded.includes(tableId),
    /** @param tableIds the tables that there are: those that are gone are forgotten. */
    fold(tableId: string, tableIds: readonly string[]): void {
      const others = unfolded.filter((id) => id !== tableId && tableIds.includes(id));
      const next = unfolded.includes(tableId) ? others : [...others, tableId];
      setUnfolded(next);
      storage.set(key, next.length > 0 ? next : undefined);
    },
  };
}
