import { useT } from '@trellis/sdk/web';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { GridRowSource } from './grid/index.ts';

interface RowCountProps {
  readonly source: GridRowSource;
  /** What else is to be known of the rows. */
  readonly children?: ReactNode;
}

/** How many rows the view has, under the grid; dots as long as they are not counted. */
export function RowCount({ source, children }: RowCountProps): ReactNode {
  const t = useT();
  useSyncExternalStore(source.subscribe, () => source.version);
  const { count } = source;
  const number = count?.toLocaleString(document.documentElement.lang || undefined) ?? '…';
  return (
    <div className="gridview-status" aria-live="polite">
      <span>{count === 1 ? t('1 row') : t('{{number}} rows', { number })}</span>
      {children && <span>{children}</span>}
    </div>
  );
}
