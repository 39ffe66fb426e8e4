import { keysText, useT } from '@trellis/sdk/web';
import type { ReactNode } from 'react';
import type { PlaceOfRow } from './use-row-place.ts';

interface RowPanelHeaderProps {
  readonly title: string;
  /** The row's table, if the row was opened from another table's row. */
  readonly of?: string | undefined;
  /** The row's position among the rows that it was opened from. */
  readonly place: PlaceOfRow | undefined;
  /** The buttons of the panel's other panes. */
  readonly panes?: ReactNode;
  readonly onBack?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** The row's name, with buttons for its neighbours, for the other panes and for closing. */
export function RowPanelHeader({ title, of, place, panes, onBack, onClose }: RowPanelHeaderProps) {
  const t = useT();
  return (
    <header>
      {onBack && (
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Back')}
          title={t('Back')}
          onClick={onBack}
        >
          <i className="pi pi-arrow-left" aria-hidden="true" />
        </button>
      )}
      <h2 title={title}>
        {title}
        {of !== undefined && <small className="rows-of">{of}</small>}
      </h2>
      {place !== undefined && (
        <>
          <span className="rows-place">
            {t('{{n}} of {{total}}', { n: place.index + 1, total: place.total ?? '…' })}
          </span>
          <StepButton by={-1} isOff={!place.isThere(place.index - 1)} onStep={place.onStep} />
          <StepButton by={1} isOff={!place.isThere(place.index + 1)} onStep={place.onStep} />
        </>
      )}
      {panes}
      <button type="button" className="tr-icon-button" aria-label={t('Close')} onClick={onClose}>
        <i className="pi pi-times" aria-hidden="true" />
      </button>
    </header>
  );
}

/** Goes to the row above or below. */
function StepButton(props: {
  readonly by: 1 | -1;
  readonly isOff: boolean;
  readonly onStep: PlaceOfRow['onStep'];
}) {
  const t = useT();
  const { by, isOff, onStep } = props;
  const name = by < 0 ? t('Previous row') : t('Next row');
  return (
    <button
      type="button"
      className="tr-icon-button"
      aria-label={name}
      title={`${name} (${keysText(by < 0 ? 'alt+arrowup' : 'alt+arrowdown', t)})`}
      // Not `disabled`: at the last row the focus would leave the panel.
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) void onStep(by);
      }}
    >
      <i className={by < 0 ? 'pi pi-angle-up' : 'pi pi-angle-down'} aria-hidden="true" />
    </button>
  );
}
