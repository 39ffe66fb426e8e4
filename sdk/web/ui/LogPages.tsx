import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { WorkButton } from './WorkButton.tsx';

/** Where a page of a list stands that begins with the newest. @public */
export interface LogPagesProps {
  /** How many entries come before those that are shown. */
  readonly offset: number;
  /** How many are shown. */
  readonly shown: number;
  /** How many there are; nothing is drawn where all of them are shown. */
  readonly total: number;
  /** Whether there may be more than `total`. */
  readonly isAtLeast?: boolean;
  /** The most that are shown at once. */
  readonly atOnce: number;
  /** Told the next offset. */
  readonly onTurn: (offset: number) => void;
}

/** The way to newer and older entries of a log, and which of them these are. @public */
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
      {/* Whoever comes to an end keeps the keys. */}
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
