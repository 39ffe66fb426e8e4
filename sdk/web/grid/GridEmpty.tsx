import type { ReactNode } from 'react';
import type { GridProps } from './grid-types.ts';

interface GridEmptyProps {
  readonly handlers: Pick<GridProps, 'emptyText' | 'emptyAction' | 'onPasteRows'>;
  /** Whether pasted rows are being added. */
  readonly isPasting: boolean;
  /** Undefined if the person may not add rows. */
  readonly onAppend: (() => void) | undefined;
  readonly t: NonNullable<GridProps['t']>;
}

/** The content of a grid without rows: the reason, and what can be done. */
export function GridEmpty({ handlers, isPasting, onAppend, t }: GridEmptyProps): ReactNode {
  const { emptyText, emptyAction, onPasteRows } = handlers;
  return (
    <div className="tgrid-empty" aria-live="polite">
      <strong>{isPasting ? t('Pasting…') : (emptyText ?? t('No rows yet'))}</strong>
      {emptyText === undefined && !isPasting && (
        <span>
          {onAppend !== undefined && onPasteRows !== undefined
            ? t('Add the first one, or click here and paste rows of a spreadsheet.')
            : t('Rows that you add appear here.')}
        </span>
      )}
      <div className="tgrid-empty-actions" hidden={isPasting}>
        {emptyAction && (
          <button type="button" className="tgrid-button is-primary" onClick={emptyAction.run}>
            {emptyAction.label}
          </button>
        )}
        {onAppend && (
          <button
            type="button"
            className={emptyAction ? 'tgrid-button' : 'tgrid-button is-primary'}
            onClick={onAppend}
          >
            {t('Add a row')}
          </button>
        )}
      </div>
    </div>
  );
}
