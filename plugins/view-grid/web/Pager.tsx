import { useT } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import type { GridPages } from './use-grid-pages.tsx';

/** Shows the range of rows and the buttons to other pages. A button without a target keeps the focus. */
export function Pager({ pages }: { readonly pages: GridPages }): ReactNode {
  const t = useT();
  const { current, count, hasNext, start, shown, total, go } = pages;
  const number = (of: number) => of.toLocaleString(pageLanguage());
  const isReading = shown === 0 && total === undefined;
  const words =
    shown === 0 && !isReading
      ? t('No rows')
      : t('{{from}}–{{to}} of {{total}}', {
          from: number(start + 1),
          to: isReading ? '…' : number(start + shown),
          total: total === undefined ? '…' : number(total),
        });
  const way = (label: string, icon: string, to: number, isOpen: boolean): ReactNode => (
    <button
      type="button"
      className="tr-icon-button tr-icon-button--small"
      aria-label={label}
      title={label}
      aria-disabled={!isOpen}
      onClick={() => {
        if (isOpen) go(to);
      }}
    >
      <i className={`pi pi-${icon}`} aria-hidden="true" />
    </button>
  );
  return (
    <nav className="gridview-pager" aria-label={t('Pages')}>
      {way(t('First page'), 'angle-double-left', 0, current > 0)}
      {way(t('Previous page'), 'angle-left', current - 1, current > 0)}
      <span className="gridview-pager-words" aria-live="polite">
        {words}
      </span>
      {way(t('Next page'), 'angle-right', current + 1, hasNext)}
      {way(t('Last page'), 'angle-double-right', (count ?? 1) - 1, count !== undefined && hasNext)}
    </nav>
  );
}
