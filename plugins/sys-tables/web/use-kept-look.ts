import type { ViewEntity } from '@trellis/sdk/shared';
import { useUserStorage } from '@trellis/sdk/web';
import { plainLook, type OwnLook, type OwnLookParts } from '@trellis/sdk/web/views';
import { useMemo, useState } from 'react';

interface Kept {
  readonly viewId: string;
  readonly look: OwnLookParts;
}

/** How this person looks at a view that others arrange; it is there again whenever and wherever they open the view. */
export function useKeptLook({ id }: Pick<ViewEntity, 'id'>): OwnLook {
  const ofPlugin = useUserStorage();
  // One object for as long as the table is shown: whoever draws the view is drawn again when the look is another.
  const [storage] = useState(ofPlugin);
  const key = `own-look.${id}`;
  const read = (): Kept => ({
    viewId: id,
    look: { ...plainLook, ...storage.get<Partial<OwnLookParts>>(key) },
  });
  const [kept, setKept] = useState(read);
  if (kept.viewId !== id) setKept(read);
  const { look } = kept;
  return useMemo(
    () => ({
      ...look,
      change(parts) {
        const next = { ...look, ...parts };
        setKept({ viewId: id, look: next });
        const isPlain = next.filters.length === 0 && next.sorts.length === 0 && next.groups === undefined;
        storage.set(key, isPlain ? undefined : next);
      },
    }),
    [id, key, look, storage],
  );
}
