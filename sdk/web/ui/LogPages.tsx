import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { WorkButton } from './WorkButton.tsx';

/** The props of the paging of a list that begins with the newest. @public */
export interface LogPagesProps {
  /** How many entries are before the shown ones. */
  readonly offset: number;
  /** How many are shown. */
  readonly shown: number;
  /** The number of all; nothing is drawn if all of them are shown. */
  readonly total: number;
  /** Whether there may be more than `total`. */
  readonly isAtLeast?: boolean;
  /** The most entries of a page. */
  readonly atOnce: number;
  /** Called with the next offset. */
  readonly onTurn: (offset: number) => void;
}

/** Buttons for newer and older entries of a log, with the range of the shown ones. @public */
export function LogPages({
  offset,
  shown,
  total,
  isAtLeast = false,
  atOnce,
  onTurn,
}: LogPagesProps): ReactNode {
  const t = useSharedT();
  const last = offset + shown;
  const place = { first: offset + 1, last, total };
  if (offset === 0 && last >= total) return null;
  return (
    <nav className="tr-log-pages" aria-label={t('Pages')}>
      {/* At an end of the list the button keeps the focus. */}
      <WorkButton isBusy={offset === 0} onClick={() => onTurn(Math.max(0, offset - atOnce))}>
        <i className="pi pi-chevron-left" aria-hidden="true" /> {t('Newer')}
      </WorkButton>
      <span aria-live="polite">
        {shown > 0 &&
          (isAtLeast
            ? t('{{first}} to {{last}} of at least {{total}}', place)
            : t('{{first}} to {{last}} of {{total}}', place))}
      </span>
      <WorkButton isBusy={last >= total} onClick={() => onTurn(offset + atOnce)}>
        {t('Older')} <i className="pi pi-chevron-right" aria-hidden="true" />
      </WorkButton>
    </nav>
  );
}
