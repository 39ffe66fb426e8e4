import type { ColumnEntity, ProjectEntity, Row } from '@trellis/sdk/shared';
import {
  RowPanelToken,
  useHost,
  useServerData,
  useShell,
  useT,
  type CellProps,
  type FieldProps,
  keyOfRow,
} from '@trellis/sdk/web';
import type { MouseEvent } from 'react';
import { linkedRowsOf, mostInCell, nameOf, type LinkedRow } from '../shared/index.ts';
import { linkOf, rowRequest, useLinkedTable } from './link-calls.ts';
import type { LinkRequests } from './link-requests.ts';
import { useLinksLive } from './use-links-live.ts';

/** Number of chips in a cell; further ones are only counted. */
const mostChips = 2;

/** Returns how to open the row behind a chip. */
function useOpenLinked(column: ColumnEntity, isWanted: boolean) {
  const host = useHost();
  const link = linkOf(column);
  const other = useLinkedTable(isWanted ? link?.tableId : undefined);
  const openedFrom = column.fk_model_id;
  return (project: ProjectEntity | undefined, linked: LinkedRow, isDeeper: boolean) => {
    const rowKey = other && keyOfRow(other, linked);
    if (project === undefined || other === undefined || rowKey === undefined) return;
    host.find(RowPanelToken)?.open({ project, table: other, rowKey, isDeeper, openedFrom });
  };
}

interface ChipsProps {
  readonly rows: readonly LinkedRow[];
  readonly most: number;
  /** Undefined if a press selects the cell. */
  readonly onOpen: ((row: LinkedRow) => void) | undefined;
}

function Chips({ rows, most, onOpen }: ChipsProps) {
  const t = useT();
  const shown = rows.slice(0, most);
  // The number of further rows is unknown.
  const mayBeMore = rows.length >= mostInCell;
  return (
    <>
      {shown.map((row, index) => {
        const name = nameOf(row) || '—';
        if (onOpen === undefined)
          return (
            <span key={index} className="cr-chip">
              {name}
            </span>
          );
        return (
          <button
            key={index}
            type="button"
            tabIndex={-1}
            className="cr-chip"
            title={t('Open {{row}}', { row: name })}
            onClick={() => onOpen(row)}
          >
            {name}
          </button>
        );
      })}
      {mayBeMore && (
        <span className="cr-more" title={t('{{most}} rows or more are linked.', { most: rows.length })}>
          {`${rows.length}+`}
        </span>
      )}
      {!mayBeMore && rows.length > shown.length && (
        <span className="cr-more">{`+${rows.length - shown.length}`}</span>
      )}
    </>
  );
}

/** A cell's linked rows as chips. In a selected cell the chips open their rows, and a button opens the links. */
export function createLinkCell(requests: LinkRequests) {
  return function LinkCell({ value, row, column, selected }: CellProps) {
    const t = useT();
    const { project, table } = useShell().context;
    // Visitors of a shared view have no project, and cannot open rows of another table.
    const opens = selected && project !== undefined;
    const openLinked = useOpenLinked(column, opens);
    const rowKey = table && row && keyOfRow(table, row);
    // The panel also shows rows of other tables.
    const isOfTable = table?.id === column.fk_model_id;
    function edit(event: MouseEvent) {
      event.stopPropagation();
      if (project && table && rowKey !== undefined)
        requests.open({ project, table, column, rowKey, row: row ?? {} });
    }
    return (
      <span className="cr-cell">
        <span className="cr-chips">
          {/* Titles that are being saved. */}
          {typeof value === 'string' && value !== '' && <span className="cr-chip">{value}</span>}
          <Chips
            rows={linkedRowsOf(value)}
            most={mostChips}
            onOpen={opens ? (linked) => openLinked(project, linked, false) : undefined}
          />
        </span>
        {selected && isOfTable && rowKey !== undefined && (
          <button
            type="button"
            tabIndex={-1}
            className="cr-edit"
            aria-label={t('Change the links of {{title}}', { title: column.title })}
            title={t('Change the links of {{title}}', { title: column.title })}
            onClick={edit}
          >
            <i className="pi pi-plus" aria-hidden="true" />
          </button>
        )}
      </span>
    );
  };
}

/** The linked rows in the row panel: each opens above the current row, with a way back. */
export function createLinkField(requests: LinkRequests) {
  return function LinkField(props: FieldProps) {
    const { project, table, column, rowKey, row, readOnlyReason } = props;
    const t = useT();
    const openLinked = useOpenLinked(column, true);
    const cell = { project, table, column, rowKey, row };
    const host = useHost();
    const tag = `links:${column.id}:${rowKey}`;
    const { data } = useServerData<Row>(rowRequest(cell), { tags: [tag] });
    useLinksLive(cell, () => host.invalidate([tag]));
    const rows = linkedRowsOf(data?.[column.title] ?? props.value);
    return (
      <div className="cr-field">
        <Chips rows={rows} most={mostInCell} onOpen={(linked) => openLinked(project, linked, true)} />
        {rows.length === 0 && <span className="cr-none">{t('Nothing is linked yet.')}</span>}
        {readOnlyReason === undefined && (
          <button type="button" className="tr-link" onClick={() => requests.open(cell)}>
            <i className="pi pi-plus" aria-hidden="true" /> {t('Link rows')}
          </button>
        )}
      </div>
    );
  };
}
