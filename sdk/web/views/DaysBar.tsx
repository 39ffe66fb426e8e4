import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { isRightToLeft, pageLanguage, Select } from '../ui/index.ts';

/** The props of the bar over a view with days. @public */
export interface DaysBarProps<Kind extends string = string> {
  /** The visible days: `March 2026`. */
  readonly title: string;
  /** The kind of display, with its number of days. */
  readonly kind: Kind;
  /** The other kinds, with translated labels. */
  readonly kinds: readonly { readonly value: Kind; readonly label: string }[];
  /** Rows without a date, and whether they are shown: see `useUndatedRows`. */
  readonly undated: { readonly count: number | undefined; readonly isShown: boolean; toggle(): void };
  onKind(this: void, kind: Kind): void;
  onMove(this: void, to: 'back' | 'on' | 'today'): void;
  /** Starts a new row; undefined if rows are read-only. */
  readonly onNew: (() => void) | undefined;
}

/** The visible days, navigation, the rows without a date, and a new row. @public */
export function DaysBar<Kind extends string>(props: DaysBarProps<Kind>): ReactNode {
  const { title, kind, kinds, undated, onKind, onMove, onNew } = props;
  const t = useSharedT();
  const [back, on] = isRightToLeft() ? ['right', 'left'] : ['left', 'right'];
  return (
    <div className="tr-days-bar">
      <button type="button" className="tr-button" onClick={() => onMove('today')}>
        {t('Today')}
      </button>
      <button
        type="button"
        className="tr-icon-button"
        title={t('Back')}
        aria-label={t('Back')}
        onClick={() => onMove('back')}
      >
        <i className={`pi pi-chevron-${back}`} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="tr-icon-button"
        title={t('Next')}
        aria-label={t('Next')}
        onClick={() => onMove('on')}
      >
        <i className={`pi pi-chevron-${on}`} aria-hidden="true" />
      </button>
      <h2 aria-live="polite">{title}</h2>
      <Select label={t('Days in sight')} value={kind} options={kinds} onChange={onKind} />
      <button
        type="button"
        className="tr-button"
        title={t('Without a date')}
        aria-pressed={undated.isShown}
        onClick={undated.toggle}
      >
        <i className="pi pi-calendar-times tr-days-icon" aria-hidden="true" />
        <span className="tr-days-words">{t('Without a date')}</span>
        {undated.count !== undefined && undated.count > 0 && (
          <span className="tr-count">{undated.count.toLocaleString(pageLanguage())}</span>
        )}
      </button>
      {onNew && (
        <button
          type="button"
          className="tr-button"
          title={t('New row')}
          aria-label={t('New row')}
          onClick={onNew}
        >
          <i className="pi pi-plus" aria-hidden="true" />
          <span className="tr-days-words">{t('New row')}</span>
        </button>
      )}
    </div>
  );
}
