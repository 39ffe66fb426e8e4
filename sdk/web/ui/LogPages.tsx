import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';

/** Where a page of a list stands that begins with the newest. @public */
export interface LogPagesProps {
  /** How many entries come before those that are shown. */
  readonly offset: number;
  /** How many are shown. */
  readonly shown: number;
  /** How many there are; nothing is drawn where all of them are shown. */
  readonly total: number;
  /** The most that are shown at once. */
  readonly atOnce: number;
  /** Told the next offset. */
  readonly onTurn: (offset: number) => void;
}

/** The way to newer and older entries of a log, and which of them these are. @public */
export function LogPages({ offset, shown, total, atOnce, onTurn }: LogPagesProps): ReactNode {
  const t = useSharedT();
  const last = offset + shown;
  if (offset === 0 && last >= total) return null;
  return (
    <nav className="tr-log-pages" aria-label={t('Pages')}>
      <button
        type="button"
        className="tr-button"
        disabled={offset === 0}
        onClick={() => onTurn(Math.max(0, offset - atOnce))}
      >
        <i className="pi pi-chevron-left" aria-hidden="true" /> {t('Newer')}
      </button>
      <span aria-live="polite">
        {shown > 0 && t('{{first}} to {{last}} of {{total}}', { first: offset + 1, last, total })}
      </span>
      <button
        type="button"
        className="tr-button"
        disabled={last >= total}
        onClick={() => onTurn(offset + atOnce)}
      >
        {t('Older')} <i className="pi pi-chevron-right" aria-hidden="true" />
      </button>
    </nav>
  );
}
