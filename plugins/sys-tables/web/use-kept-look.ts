import type { TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { useUserStorage } from '@trellis/sdk/web';
import { isPlainLook, plainLook, type OwnLook, type OwnLookParts } from '@trellis/sdk/web/views';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ownLookKey } from '../shared/own-look-key.ts';

interface Kept {
  readonly viewId: string;
  readonly look: OwnLookParts;
}

/**
 * How this person looks at a view that others arrange; it is there again whenever and wherever they open the view.
 *
 * @param columns of the table: where they change, the server may have changed what the look names
 */
export function useKeptLook({ id }: Pick<ViewEntity, 'id'>, columns: TableEntity['columns']): OwnLook {
  const ofPlugin = useUserStorage();
  // One object for as long as the table is shown: whoever draws the view is drawn again when the look is another.
  const [storage] = useState(ofPlugin);
  const key = ownLookKey(id);
  const read = (): Kept => ({
    viewId: id,
    look: { ...plainLook, ...storage.get<Partial<OwnLookParts>>(key) },
  });
  const [kept, setKept] = useState(read);
  if (kept.viewId !== id) setKept(read);
  const { look } = kept;
  const readFor = useRef(columns);
  useEffect(() => {
    const isChanged = readFor.current !== columns;
    readFor.current = columns;
    // Also where this look is plain: those of other views are kept beside it.
    if (!isChanged) return;
    void storage.refresh().then(() => setKept((now) => (now.viewId === id ? read() : now)));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- read again when the columns are others, and for nothing else
  }, [columns]);
  return useMemo(
    () => ({
      ...look,
      change(parts) {
        const next = { ...look, ...parts };
        setKept({ viewId: id, look: next });
        storage.set(key, isPlainLook(next) ? undefined : next);
      },
    }),
    [id, key, look, storage],
  );
}
