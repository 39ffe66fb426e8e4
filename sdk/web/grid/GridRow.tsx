import type { ColumnEntity } from '../../shared/index.ts';
import { type CSSProperties, memo, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ColumnLayout } from './column-layout.ts';
import type { GridActions } from './grid-actions.ts';
import { isWithoutHover } from './without-hover.ts';
import { GridCell } from './GridCell.tsx';
import type { CellMark } from './cells-in-sight.ts';
import type { Translate } from '../context.ts';
import type { RowColor } from '../extensions/index.ts';
import type { RowData, RowEdits } from '../rows/index.ts';

export interface GridRowProps {
  readonly index: number;
  /** Its number among all rows, from 1. */
  readonly number: number;
  /** Its index among the lines of the grid, including group headings. */
  readonly line: number;
  /** Its level under group headings, from 1; undefined if there are none. */
  readonly level: number | undefined;
  /** Undefined while the row is loading: placeholders are drawn. */
  readonly row: RowData | undefined;
  readonly top: number;
  readonly height: number;
  readonly layout: ColumnLayout;
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly edits: RowEdits | undefined;
  /** The active cell's column if it is in this row, else -1. */
  readonly activeColumn: number;
  /** The selected columns of this row, -1 if there are none; the outline is drawn where the range begins and ends. */
  readonly rangeLeft: number;
  readonly rangeRight: number;
  readonly rangeTop: boolean;
  readonly rangeBottom: boolean;
  /** The columns that the current fill would cover in this row, -1 if there are none. */
  readonly fillLeft: number;
  readonly fillRight: number;
  /** The column of the cell with the fill handle, -1 if it is in another row. */
  readonly handleColumn: number;
  readonly ticked: boolean;
  /** The colour of the row and where it is shown; undefined for none. */
  readonly color: string | undefined;
  readonly colorPlace: RowColor['place'] | undefined;
  /** Whether any row is ticked: then every row shows its checkbox. */
  readonly ticking: boolean;
  readonly readOnly: boolean;
  readonly canOpen: boolean;
  /** Whether it can be dragged to another position. */
  readonly canMove: boolean;
  /** Whether it is being dragged. */
  readonly moving: boolean;
  readonly gridId: string;
  readonly actions: GridActions;
  /** All columns of the table, including hidden ones. */
  readonly tableColumns: readonly ColumnEntity[];
  /** Frames around cells of this row. */
  readonly marks: readonly CellMark[] | undefined;
  readonly t: Translate;
}

/** One drawn row: a sticky box with the row number and frozen columns, and the visible columns. */
export const GridRow = memo(function GridRow(props: GridRowProps): ReactNode {
  const { line, level, row, top, height, layout, firstColumn, endColumn, ticked } = props;
  const [hovered, setHovered] = useState(false);
  // Only when visible: drawing a checkbox and a button in every row would double the cost of scrolling.
  const withControls = row !== undefined && (hovered || ticked || props.ticking || isWithoutHover());
  const style: CSSProperties & { readonly '--tr-row-color'?: string } = {
    transform: `translateY(${top}px)`,
    height,
    width: layout.totalWidth,
    ...(props.color !== undefined && { '--tr-row-color': props.color }),
  };
  return (
    <div
      role="row"
      aria-rowindex={line + 2}
      aria-level={level}
      aria-selected={ticked}
      aria-busy={row === undefined ? true : undefined}
      className={`tgrid-row${ticked ? ' is-ticked' : ''}${hovered ? ' is-hovered' : ''}${props.moving ? ' is-moving' : ''}`}
      // A move and not an enter event: rows that scroll under a resting pointer do not count. Synchronous, since a press may
      // follow.
      onPointerMove={hovered ? undefined : () => flushSync(() => setHovered(true))}
      onPointerLeave={() => setHovered(false)}
      data-row-color={props.colorPlace}
      style={style}
    >
      <div role="presentation" className="tgrid-frozen" style={{ width: layout.frozenWidth }}>
        {withControls ? <RowControls {...props} row={row} /> : <RowNumber {...props} />}
        {drawCells(props, 0, layout.frozenCount)}
        {drawMarks(props, 0, layout.frozenCount)}
      </div>
      {drawCells(props, firstColumn, endColumn)}
      {drawMarks(props, firstColumn, endColumn)}
    </div>
  );
});

/** The frames are above the cells and ignore the pointer, except for the corner that names their person. */
function drawMarks({ marks, layout }: GridRowProps, start: number, end: number): ReactNode[] {
  return (marks ?? []).flatMap(({ columnId, color, label }) => {
    const at = layout.columns.findIndex((column) => column.entity.id === columnId);
    const [left, column] = [layout.lefts[at], layout.columns[at]];
    if (at < start || at >= end || left === undefined || column === undefined) return [];
    const style = { insetInlineStart: left, width: column.width, '--tgrid-mark': color } as CSSProperties;
    return [
      <span key={`mark ${columnId} ${label}`} role="presentation" className="tgrid-mark" style={style}>
        <span className="tgrid-mark-name" title={label}>
          {label}
        </span>
      </span>,
    ];
  });
}

function drawCells(props: GridRowProps, start: number, end: number): ReactNode[] {
  const { index, row, layout, edits, activeColumn, rangeLeft, rangeRight, gridId, actions } = props;
  const cells: ReactNode[] = [];
  for (let at = start; at < end; at++) {
    const column = layout.columns[at];
    const left = layout.lefts[at];
    if (column === undefined || left === undefined) continue;
    if (row === undefined) {
      cells.push(
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a row that is not read yet has nothing to say
        <div
          key={column.entity.id}
          role="gridcell"
          aria-colindex={at + 2}
          className="tgrid-cell"
          style={{ insetInlineStart: left, width: column.width }}
        >
          <span className="tgrid-skeleton" style={{ width: `${35 + ((index * 7 + at * 13) % 45)}%` }} />
        </div>,
      );
      continue;
    }
    const edit = edits?.get(column.entity.id);
    const selected = at >= rangeLeft && at <= rangeRight;
    cells.push(
      <GridCell
        key={column.entity.id}
        id={cellId(gridId, index, at)}
        column={column}
        columnIndex={at}
        row={row}
        index={index}
        value={edit?.kind === 'pending' ? edit.value : row.values[column.entity.id]}
        edit={edit}
        left={left}
        active={at === activeColumn}
        selected={selected}
        edges={selected ? edgesOf(props, at) : ''}
        filling={at >= props.fillLeft && at <= props.fillRight}
        hasHandle={at === props.handleColumn}
        editable={!props.readOnly && column.whyReadOnly === undefined && row.readOnly !== true}
        actions={actions}
        tableColumns={props.tableColumns}
        t={props.t}
      />,
    );
  }
  return cells;
}

/** The id of a cell's DOM element. */
export function cellId(gridId: string, row: number, column: number): string {
  return `${gridId}-r${row}c${column}`;
}

function edgesOf({ rangeLeft, rangeRight, rangeTop, rangeBottom }: GridRowProps, at: number): string {
  return `${rangeTop ? 't' : ''}${rangeBottom ? 'b' : ''}${at === rangeLeft ? 'l' : ''}${at === rangeRight ? 'r' : ''}`;
}

function RowNumber({ number, layout }: GridRowProps): ReactNode {
  return (
    <div role="rowheader" aria-colindex={1} className="tgrid-gutter" style={{ width: layout.gutterWidth }}>
      {number}
    </div>
  );
}

function RowControls(props: GridRowProps & { readonly row: RowData }): ReactNode {
  const { index, number: n, row, layout, ticked, canOpen, canMove, actions, t } = props;
  return (
    <div role="rowheader" aria-colindex={1} className="tgrid-gutter" style={{ width: layout.gutterWidth }}>
      {/* With the keyboard, rows are moved with the arrow keys. */}
      {canMove && (
        <span
          className="tgrid-grip"
          data-grid-control=""
          aria-hidden="true"
          title={t('Drag to move the row')}
        />
      )}
      <input
        type="checkbox"
        className="tgrid-tick"
        data-grid-control=""
        tabIndex={-1}
        checked={ticked}
        aria-label={t('Select row {{n}}', { n })}
        onChange={(event) => {
          const native = event.nativeEvent;
          actions.tickRow(index, native instanceof MouseEvent && native.shiftKey);
        }}
      />
      {canOpen && (
        <button
          type="button"
          className="tgrid-open"
          data-grid-control=""
          tabIndex={-1}
          aria-label={t('Open row {{n}}', { n })}
          title={t('Open row {{n}}', { n })}
          onClick={() => actions.openRow(row.key)}
        >
          <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
            <path
              d="M9.5 2H14v4.5M14 2 9 7M6.5 14H2V9.5M2 14l5-5"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
            />
          </svg>
        </button>
      )}
    </div>
  );
}
