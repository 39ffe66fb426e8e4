import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { messageOfError } from '../attempt.ts';
import { useSharedT } from '../host.tsx';
import type { RowData } from '../rows/index.ts';
import { ErrorNotice, pageLanguage, useKeptFocus } from '../ui/index.ts';
import './cards.css';
import { daysOfRow, type DateRange } from './day-spans.ts';
import { useRowName } from './row-name.ts';
import type { CardRows } from './use-card-rows.ts';
import { useLongList } from './use-long-list.ts';

/** The props of a list of rows without a date. @public */
export interface UndatedRowsProps {
  /** The rows from `useUndatedRows`. */
  readonly of: CardRows;
  readonly range: DateRange;
  /** Puts a row on a day with a button, as an alternative to dragging; undefined if the rows are read-only. */
  readonly put: { readonly day: string; onPut(this: void, row: RowData): void } | undefined;
  onClose(this: void): void;
  /** Draws one row, in an element of the class `tr-undated-row`. */
  children(this: void, row: RowData, name: string): ReactNode;
}

/** Pixels. */
const lineHeight = 40;

/** The rows without a date, beside the days to which they can be dragged. @public */
export function UndatedRows({ of, range, put, onClose, children }: UndatedRowsProps): ReactNode {
  const t = useSharedT();
  const { source } = of.rows;
  const version = useSyncExternalStore(source.subscribe, () => source.version);
  const count = Math.max(source.count ?? 0, source.atLeast);
  const { box, start, end, topOf, onScroll, spacerHeight } = useLongList({ count, lineHeight });
  useEffect(() => source.ensure(start, Math.max(1, end)), [source, start, end]);
  const nameOf = useRowName(of.columns);
  // A row that gets a date disappears here.
  const { list, pressed } = useKeptFocus();
  // A row that just got a date disappears before the rows are reloaded.
  const rows = useMemo(
    () =>
      Array.from({ length: Math.max(0, end - start) }, (_, at) => ({
        index: start + at,
        row: source.rowAt(start + at),
      })).flatMap(({ index, row }) =>
        row === undefined || daysOfRow(row.values, range) !== undefined ? [] : [{ index, row }],
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of the source are others whenever its version is
    [source, version, range, start, end],
  );
  const movable = rows.filter(({ row }) => row.readOnly !== true);
  return (
    <section className="tr-undated" aria-label={t('Without a date')}>
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
        <ErrorNotice message={messageOfError(source.error, t)} onRetry={() => source.retry()} />
      )}
      {source.count === 0 && <p className="tr-note">{t('Every row has its day.')}</p>}
      {count > 0 && put && <p className="tr-note">{t('Drag a row to its day, or open it.')}</p>}
      <div ref={box} className="tr-undated-rows" onScroll={onScroll}>
        <ul ref={list} tabIndex={-1} style={{ height: spacerHeight }}>
          {rows.map(({ index, row }) => (
            <li key={row.key} style={{ top: topOf(index), height: lineHeight }}>
              {children(row, nameOf(row))}
              {put && row.readOnly !== true && (
                <PutButton
                  name={nameOf(row)}
                  day={put.day}
                  onPut={() => {
                    pressed(movable.findIndex((each) => each.row === row));
                    put.onPut(row);
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

interface PutButtonProps {
  readonly name: string;
  readonly day: string;
  onPut(this: void): void;
}

function PutButton({ name, day, onPut }: PutButtonProps): ReactNode {
  const t = useSharedT();
  const shown = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeZone: 'UTC' });
  const label = t('Put {{name}} on {{day}}', { name, day: shown.format(new Date(`${day}T00:00:00Z`)) });
  return (
    <button
      type="button"
      className="tr-icon-button"
      data-entry-action
      aria-label={label}
      title={label}
      onClick={onPut}
    >
      <i className="pi pi-calendar-plus" aria-hidden="true" />
    </button>
  );
}
