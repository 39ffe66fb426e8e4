import { useT } from '@trellis/sdk/web';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { GridRowSource } from './grid/index.ts';

/** How many rows the view has, under the grid; dots as long as they are not counted. */
export function RowCount({ source }: { readonly source: GridRowSource }): ReactNode {
  const t = useT();
  useSyncExternalStore(source.subscribe, () => source.version);
  const { count } = source;
  const number = count?.toLocaleString(document.documentElement.lang || undefined) ?? '…';
  return (
    <div className="gridview-status" aria-live="polite">
      {count === 1 ? t('1 row') : t('{{number}} rows', { number })}
    </div>
  );
}
