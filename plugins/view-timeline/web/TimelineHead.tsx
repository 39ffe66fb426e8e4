import { useT } from '@trellis/sdk/web';
import type { UndatedRowsOf } from '@trellis/sdk/web/cards';
import { isRightToLeft, pageLanguage, Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { zooms, type Zoom } from '../shared/index.ts';

interface TimelineHeadProps {
  /** What is in sight: `2 – 15 March 2026`. */
  readonly title: string;
  readonly zoom: Zoom;
  onZoom(this: void, zoom: Zoom): void;
  onMove(this: void, to: 'back' | 'on' | 'today'): void;
  readonly undated: Pick<UndatedRowsOf, 'count' | 'isShown' | 'toggle'>;
  /** Undefined where rows are only read. */
  readonly onNew: (() => void) | undefined;
}

/** What stands over the chart: where one is, and ways to go elsewhere. */
export function TimelineHead({ title, zoom, undated, onZoom, onMove, onNew }: TimelineHeadProps): ReactNode {
  const t = useT();
  const [back, on] = isRightToLeft() ? ['right', 'left'] : ['left', 'right'];
  const names: Readonly<Record<Zoom, string>> = {
    day: t('Days'),
    week: t('Weeks'),
    month: t('Months'),
    quarter: t('Quarters'),
  };
  return (
    <div className="timeline-toolbar">
      <button type="button" className="tr-button" onClick={() => onMove('today')}>
        {t('Today')}
      </button>
      <button type="button" className="tr-icon-button" aria-label={t('Back')} onClick={() => onMove('back')}>
        <i className={`pi pi-chevron-${back}`} aria-hidden="true" />
      </button>
      <button type="button" className="tr-icon-button" aria-label={t('Next')} onClick={() => onMove('on')}>
        <i className={`pi pi-chevron-${on}`} aria-hidden="true" />
      </button>
      <h2 aria-live="polite">{title}</h2>
      <Select
        label={t('Days in sight')}
        value={zoom}
        options={zooms.map((value) => ({ value, label: names[value] }))}
        onChange={(value) => onZoom(value as Zoom)}
      />
      <button type="button" className="tr-button" aria-pressed={undated.isShown} onClick={undated.toggle}>
        {t('Without a date')}
        {undated.count !== undefined && undated.count > 0 && (
          <span className="tr-count">{undated.count.toLocaleString(pageLanguage())}</span>
        )}
      </button>
      {onNew && (
        <button type="button" className="tr-button timeline-new" aria-label={t('New row')} onClick={onNew}>
          <i className="pi pi-plus" aria-hidden="true" />
          <span>{t('New row')}</span>
        </button>
      )}
    </div>
  );
}
