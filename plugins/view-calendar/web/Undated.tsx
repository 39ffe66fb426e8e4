import { Draggable } from '@fullcalendar/react/interaction';
import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { daysOfRow, useLongList, type CardRows, type DateRange } from '@trellis/sdk/web/cards';
import type { RowData } from '@trellis/sdk/web/rows';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { useRowName } from './use-entries.ts';

interface UndatedProps extends Pick<ViewProps, 'table'> {
  readonly of: CardRows;
  readonly range: DateRange;
  readonly mayMove: boolean;
  /** Opens a row; undefined while no plugin shows rows by themselves. */
  readonly onOpen: ((rowKey: string) => void) | undefined;
  onClose(this: void): void;
}

/** Pixels. */
const lineHeight = 40;

/** The rows that stand on no day, to be dragged to one. */
export function Undated({ of, range, mayMove, onOpen, onClose }: UndatedProps): ReactNode {
  const { t } = useHost();
  const { source } = of.rows;
  const version = useSyncExternalStore(source.subscribe, () => source.version);
  const count = Math.max(source.count ?? 0, source.atLeast);
  const list = useLongList({ count, lineHeight });
  const { box, start, end, topOf } = list;
  useEffect(() => source.ensure(start, Math.max(1, end)), [source, start, end]);
  const nameOf = useRowName(of.columns);
  useEffect(() => {
    const element = box.current;
    if (element === null || !mayMove) return undefined;
    const draggable = new Draggable(element, {
      itemSelector: '.calendar-undated-row[data-key]',
      longPressDelay: 250,
      // The calendar shows the row once it has its day.
      eventData: ({ dataset, textContent }) => ({ title: textContent, create: false, id: dataset.key }),
    });
    return () => draggable.destroy();
  }, [box, mayMove]);
  // One that was just put on a day is gone from here before the rows are read again.
  const rows = useMemo(
    () =>
      Array.from({ length: Math.max(0, end - start) }, (_, at) => {
        const row = source.rowAt(start + at);
        return {
          index: start + at,
          row: row && daysOfRow(row.values, range) === undefined ? row : undefined,
        };
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of the source are others whenever its version is
    [source, version, range, start, end],
  );
  const drawn = (row: RowData): ReactNode => (
    <button
      type="button"
      className="calendar-undated-row"
      data-key={row.readOnly === true ? undefined : row.key}
      dir="auto"
      onClick={onOpen && (() => onOpen(row.key))}
    >
      {nameOf(row)}
    </button>
  );
  return (
    <aside className="calendar-undated" aria-label={t('Without a date')}>
      <header>
        <h3>{t('Without a date')}</h3>
        {source.count !== undefined && (
          <span className="tr-note">{source.count.toLocaleString(pageLanguage())}</span>
        )}
        <button type="button" className="tr-icon-button" aria-label={t('Close')} onClick={onClose}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      </header>
      {source.error !== undefined && (
        <div className="calendar-notice" role="alert">
          <span>{messageOfError(source.error, t)}</span>
          <button type="button" className="tr-button" onClick={() => source.retry()}>
            {t('Try again')}
          </button>
        </div>
      )}
      {source.count === 0 && <p className="tr-note">{t('Every row has its day.')}</p>}
      {count > 0 && mayMove && <p className="tr-note">{t('Drag a row to its day, or open it.')}</p>}
      <div ref={box} className="calendar-undated-rows" onScroll={list.onScroll}>
        <ul style={{ height: list.spacerHeight }}>
          {rows.map(
            ({ index, row }) =>
              row !== undefined && (
                <li key={row.key} style={{ top: topOf(index), height: lineHeight }}>
                  {drawn(row)}
                </li>
              ),
          )}
        </ul>
      </div>
    </aside>
  );
}
