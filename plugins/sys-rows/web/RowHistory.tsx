import type { CellValue, ColumnEntity } from '@trellis/sdk/shared';
import { showCell, useRegistry, useServerData, useT, type RowPaneProps } from '@trellis/sdk/web';
import { ErrorNotice, pageLanguage, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { RowEvent } from '../shared/index.ts';
import { rowPath, rowTag } from './use-row.ts';

interface RowHistoryProps {
  /** Where the data API keeps the row. */
  readonly path: string;
  readonly columns: readonly ColumnEntity[];
  /** What makes the page read it again. */
  readonly tag: string;
}

const pageSize = 50;

/** What happened to a row, the newest first. */
export default function RowHistory(row: RowPaneProps) {
  const columns = row.table.columns ?? [];
  return <History path={rowPath(row)} columns={columns} tag={rowTag(row)} />;
}

function History(props: RowHistoryProps) {
  const t = useT();
  const { data, error, isLoading, refetch } = useServerData<{ readonly list: readonly RowEvent[] }>(
    { path: `${props.path}/history`, query: { limit: pageSize } },
    { tags: [props.tag] },
  );
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (isLoading || data === undefined) return <Skeleton height={48} count={3} />;
  if (data.list.length === 0)
    return <p className="tr-note">{t('Nothing is known of what happened to this row.')}</p>;
  return (
    <ol className="rows-history">
      <Events {...props} events={data.list} />
      {data.list.length >= pageSize && <Earlier {...props} before={data.list.at(-1)?.id ?? 0} />}
    </ol>
  );
}

/** What happened before an event, once it is asked for. */
function Earlier(props: RowHistoryProps & { readonly before: number }) {
  const t = useT();
  const [isAsked, setAsked] = useState(false);
  const { data, error, refetch } = useServerData<{ readonly list: readonly RowEvent[] }>(
    isAsked ? { path: `${props.path}/history`, query: { limit: pageSize, before: props.before } } : undefined,
  );
  if (!isAsked)
    return (
      <li>
        <button type="button" className="tr-link" onClick={() => setAsked(true)}>
          {t('Show earlier changes')}
        </button>
      </li>
    );
  if (error !== undefined)
    return (
      <li>
        <ErrorNotice message={error.message} onRetry={refetch} />
      </li>
    );
  if (data === undefined) return <Skeleton height={48} count={1} />;
  return (
    <>
      <Events {...props} events={data.list} />
      {data.list.length >= pageSize && <Earlier {...props} before={data.list.at(-1)?.id ?? 0} />}
    </>
  );
}

function Events({ events, columns }: RowHistoryProps & { readonly events: readonly RowEvent[] }) {
  const t = useT();
  const moment = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  const wordsOf = { insert: t('Row added'), update: t('Changed'), delete: t('Row deleted') };
  return events.map((event, index) => (
    <li key={`${event.id} ${index}`}>
      <p className="rows-event">
        <strong>{wordsOf[event.op]}</strong>
        {event.isUndo && <span>{t('taken back')}</span>}
        {event.isPurged && <span>{t('its values were deleted for good')}</span>}
        <span>{event.user}</span>
        <time dateTime={event.at}>{moment.format(new Date(event.at))}</time>
      </p>
      <ChangedCells event={event} columns={columns} />
    </li>
  ));
}

/** What became of the cells that people see; links stand there by the names of the rows, in the place of their keys. */
function ChangedCells({ event, columns }: Pick<RowHistoryProps, 'columns'> & { readonly event: RowEvent }) {
  const t = useT();
  const types = useRegistry('columnTypes');
  const changed = event.cells.flatMap(({ fk_column_id: id, before, after }) => {
    const column = columns.find((each) => each.id === id);
    if (column === undefined || column.system) return [];
    const type = types.find((each) => each.id === column.uidt);
    const textOf = (value: CellValue): string => showCell(value, column, type);
    const [from, to] = [textOf(before), textOf(after)];
    if (from === to) return [];
    // What is covered in its cell is not shown beside it.
    return [type?.isCovered === true ? { column, from: '', to: '' } : { column, from, to }];
  });
  if (changed.length === 0 && event.op === 'update')
    return <p className="tr-note">{t('In columns that are not shown here.')}</p>;
  return (
    <dl>
      {changed.map(({ column, from, to }) => (
        <div key={column.id}>
          <dt>{column.title}</dt>
          <dd>
            {from !== '' && <del>{from}</del>} {to !== '' && <ins>{to}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
