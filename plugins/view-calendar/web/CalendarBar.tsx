import { useT } from '@trellis/sdk/web';
import type { UndatedRowsOf } from '@trellis/sdk/web/cards';
import { isRightToLeft, pageLanguage, Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

interface CalendarBarProps {
  /** What is in sight: `March 2026`. */
  readonly title: string;
  readonly kind: string;
  /** Whether entries have times of day: weeks and days are then drawn with hours. */
  readonly hasTimes: boolean;
  readonly undated: Pick<UndatedRowsOf, 'count' | 'isShown' | 'toggle'>;
  onKind(this: void, kind: string): void;
  onMove(this: void, to: 'prev' | 'next' | 'today'): void;
  /** Undefined where rows are only read. */
  readonly onNew: (() => void) | undefined;
}

/** What stands over the days: where one is, and ways to go elsewhere. */
export function CalendarBar(props: CalendarBarProps): ReactNode {
  const { title, kind, hasTimes, undated, onKind, onMove, onNew } = props;
  const t = useT();
  const [back, on] = isRightToLeft() ? ['right', 'left'] : ['left', 'right'];
  return (
    <div className="calendar-bar">
      <button type="button" className="tr-button" onClick={() => onMove('today')}>
        {t('Today')}
      </button>
      <button type="button" className="tr-icon-button" aria-label={t('Back')} onClick={() => onMove('prev')}>
        <i className={`pi pi-chevron-${back}`} aria-hidden="true" />
      </button>
      <button type="button" className="tr-icon-button" aria-label={t('Next')} onClick={() => onMove('next')}>
        <i className={`pi pi-chevron-${on}`} aria-hidden="true" />
      </button>
      <h2 aria-live="polite">{title}</h2>
      <Select
        label={t('Days in sight')}
        value={kind}
        options={[
          { value: 'dayGridMonth', label: t('Month') },
          { value: hasTimes ? 'timeGridWeek' : 'dayGridWeek', label: t('Week') },
          { value: hasTimes ? 'timeGridDay' : 'dayGridDay', label: t('Day') },
          { value: 'listMonth', label: t('Agenda') },
        ]}
        onChange={onKind}
      />
      <button type="button" className="tr-button" aria-pressed={undated.isShown} onClick={undated.toggle}>
        {t('Without a date')}
        {undated.count !== undefined && undated.count > 0 && (
          <span className="tr-count">{undated.count.toLocaleString(pageLanguage())}</span>
        )}
      </button>
      {onNew && (
        <button type="button" className="tr-button calendar-new" aria-label={t('New row')} onClick={onNew}>
          <i className="pi pi-plus" aria-hidden="true" />
          <span>{t('New row')}</span>
        </button>
      )}
    </div>
  );
}
