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
 * This person's own look of a view that others arrange; it is stored for all visits and browsers.
 *
 * @param columns of the table: when they change, the server may have changed the stored look
 */
export function useKeptLook({ id }: Pick<ViewEntity, 'id'>, columns: TableEntity['columns']): OwnLook {
  const ofPlugin = useUserStorage();
  // One object while the table is shown: it notifies the components that draw the view of changes.
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
    // Necessary even if this look is plain, because the looks of other views are stored with it.
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
