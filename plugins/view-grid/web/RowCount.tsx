import { useT } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { RowWindow } from '@trellis/sdk/web/rows';

/** The number of the view's rows, below the grid; dots until they are counted. */
export function RowCount({ source }: { readonly source: RowWindow }): ReactNode {
  const t = useT();
  useSyncExternalStore(source.subscribe, () => source.version);
  const count = source.total;
  const number = count?.toLocaleString(pageLanguage()) ?? '…';
  return (
    <span aria-live="polite">
      {t('{{number}} rows', { number, count: count ?? 0, one: '{{number}} row' })}
    </span>
  );
}
