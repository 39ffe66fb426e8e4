import type { ReactNode } from 'react';
import type { GridModel } from './grid-model.ts';
import type { GridSnapshot } from './grid-state.ts';
import type { Translate } from '../context.ts';
import type { RowSource } from '../rows/index.ts';
import type { GridHandlers } from './grid-types.ts';

export interface GridMessagesProps {
  readonly model: GridModel;
  readonly state: GridSnapshot;
  readonly source: RowSource;
  readonly handlers: GridHandlers;
  readonly readOnly: boolean;
  readonly t: Translate;
}

/** The messages over the lower edge of the grid: the ticked rows, the last notice, and why rows are missing. */
export function GridMessages({ model, state, source, handlers, readOnly, t }: GridMessagesProps): ReactNode {
  const wayOut = source.error && handlers.wayOut?.(source.error);
  const ticked = state.tickedRows.size;
  const { notice } = state;
  const isTold = notice !== undefined && !(notice.step && model.state.edits.isTakenBack(notice.step));
  return (
    <div className="tgrid-messages">
      {source.error !== undefined && (
        <div className="tgrid-message is-danger" role="alert">
          <span>{t('Rows could not be loaded: {{reason}}', { reason: source.error.message })}</span>
          {wayOut && (
            <button type="button" className="tgrid-button" onClick={wayOut.run}>
              {wayOut.label}
            </button>
          )}
          <button type="button" className="tgrid-button" onClick={() => source.retry()}>
            {t('Try again')}
          </button>
        </div>
      )}
      {isTold && (
        <div className="tgrid-message is-warning" role="status">
          <div className="tgrid-message-body">
            <span>{notice.text}</span>
            {notice.details.length > 0 && (
              // A person's texts are shown at once, so that they can be typed again.
              <details open={notice.lost !== undefined}>
                <summary>{t('Details')}</summary>
                <ul>
                  {notice.details.map((detail, at) => (
                    <li key={at}>{detail}</li>
                  ))}
                </ul>
              </details>
            )}
          </div>
          {notice.action && (
            <button type="button" className="tgrid-button" onClick={notice.action.run}>
              {notice.action.label}
            </button>
          )}
          <button type="button" className="tgrid-button" onClick={() => model.state.notify(undefined)}>
            {t('Dismiss')}
          </button>
        </div>
      )}
      {ticked > 0 && (
        <div className="tgrid-message" role="status">
          <span>{t('{{count}} rows selected', { count: ticked, one: '{{count}} row selected' })}</span>
          {handlers.onDeleteRows !== undefined && !readOnly && (
            <button
              type="button"
              className="tgrid-button is-danger"
              onClick={() => handlers.onDeleteRows?.([...state.tickedRows])}
            >
              {t('Delete')}
            </button>
          )}
          <button type="button" className="tgrid-button" onClick={() => model.clearTicks()}>
            {t('Clear selection')}
          </button>
        </div>
      )}
    </div>
  );
}
