import { useT } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { RowWindow } from '@trellis/sdk/web/rows';

interface RowCountProps {
  readonly source: RowWindow;
  /** What else is to be known of the rows. */
  readonly children?: ReactNode;
}

/** How many rows the view has, under the grid; dots as long as they are not counted. */
export function RowCount({ source, children }: RowCountProps): ReactNode {
  const t = useT();
  useSyncExternalStore(source.subscribe, () => source.version);
  const count = source.total;
  const number = count?.toLocaleString(pageLanguage()) ?? '…';
  return (
    <div className="gridview-status" aria-live="polite">
      <span>{t('{{number}} rows', { number, count: count ?? 0, one: '{{number}} row' })}</span>
      {children && <span>{children}</span>}
    </div>
  );
}
