import type { ReactNode, RefObject } from 'react';
import type { ViewProps } from '../extensions/index.ts';
import { useSharedT } from '../host.tsx';
import { useClearFilters } from '../views/index.ts';
import './cards.css';
import type { CardRows } from './use-card-rows.ts';

/** The props of the notice in a view of cards without rows. @public */
export interface NoRowsProps extends Pick<ViewProps, 'project' | 'view'> {
  readonly of: Pick<CardRows, 'isFiltered' | 'found'>;
  /** Gets the focus when the filters are cleared, since the button disappears. */
  readonly home: RefObject<HTMLElement | null>;
}

/** Says that a view has no rows, or that none matches its filters, and clears those for people who may. @public */
export function NoRows({ project, view, of, home }: NoRowsProps): ReactNode {
  const t = useSharedT();
  const clearFilters = useClearFilters({ project, view });
  // The reason is unknown until the filters are loaded.
  if (of.isFiltered === undefined) return null;
  const isSought = of.found.length > 0;
  return (
    <div className="tr-no-rows" role="status">
      {isSought
        ? t('No row contains what you search for')
        : of.isFiltered
          ? t('No rows match the filters')
          : t('There are no rows yet.')}
      {clearFilters && of.isFiltered && !isSought && (
        <button
          type="button"
          className="tr-button"
          onClick={() => {
            clearFilters();
            home.current?.focus();
          }}
        >
          {t('Clear filters')}
        </button>
      )}
    </div>
  );
}
