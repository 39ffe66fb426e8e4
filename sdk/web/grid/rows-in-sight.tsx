import type { ReactNode } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import type { GridActions } from './grid-actions.ts';
import { GridHeadRow } from './GridHeadRow.tsx';
import type { GridModel } from './grid-model.ts';
import { GridRow } from './GridRow.tsx';
import type { GridFrame, GridSight } from './grid-scroller.ts';
import type { CellRange } from './grid-selection.ts';
import type { GridSnapshot } from './grid-state.ts';
import type { GridProps } from './grid-types.ts';

interface RowsInSightOf {
  readonly props: GridProps;
  readonly gridId: string;
  readonly frame: GridFrame;
  readonly sight: GridSight;
  readonly model: GridModel;
  readonly state: GridSnapshot;
  readonly actions: GridActions;
  /** The selected cells. */
  readonly range: CellRange | undefined;
  /** The height of a group heading in pixels: that of a row with one line of text, however high rows are. */
  readonly headHeight: number;
  readonly readOnly: boolean;
  readonly t: NonNullable<GridProps['t']>;
}

const noColumns: readonly ColumnEntity[] = [];

/** The visible rows, and the headings between them. */
export function rowsInSight(of: RowsInSightOf): readonly ReactNode[] {
  const { props, gridId, frame, sight, model, state, actions, range, headHeight, readOnly, t } = of;
  const { heads, source, firstNumber = 1, table } = props;
  const { columns: tableColumns = noColumns } = table;
  const { lines, layout, rowHeight, isRightToLeft } = frame;
  const active = state.selection?.active;
  const single = range !== undefined && range.top === range.bottom && range.left === range.right;
  const { filling } = state;
  const canFill =
    state.focused && state.editing === undefined && !readOnly && props.onCommitCells !== undefined;
  const canMove = props.onMoveRows !== undefined && !readOnly;
  const rowLevel = heads && heads.reduce((deepest, { level }) => Math.max(deepest, level), 0) + 2;
  const rows: ReactNode[] = [];
  const drawnKeys = new Set<string>();
  for (let line = sight.firstLine; line < sight.endLine; line++) {
    const on = lines.lineAt(line);
    const top = lines.topOf(line) - sight.offset;
    if (on.kind === 'head') {
      const head = heads?.[on.at];
      if (head !== undefined)
        rows.push(
          <GridHeadRow
            key={`head ${head.key}`}
            head={head}
            line={line}
            top={top}
            height={headHeight}
            layout={layout}
            firstColumn={sight.firstColumn}
            endColumn={sight.endColumn}
            handlers={props}
            isRightToLeft={isRightToLeft}
            actions={actions}
            t={t}
          />,
        );
      continue;
    }
    const index = on.row;
    const row = source.rowAt(index);
    // The state of a cell, such as an open pop-up, belongs to its row. Pages loaded one after the other may contain a row twice.
    const key = row === undefined || drawnKeys.has(`row ${row.key}`) ? `line ${index}` : `row ${row.key}`;
    drawnKeys.add(key);
    const inFill = filling !== undefined && index >= filling.top && index <= filling.bottom;
    const color = row && props.colorOf?.(row);
    const inRange = range !== undefined && index >= range.top && index <= range.bottom;
    rows.push(
      <GridRow
        key={key}
        index={index}
        number={index + firstNumber}
        line={line}
        level={rowLevel}
        row={row}
        top={top}
        height={rowHeight}
        layout={layout}
        firstColumn={sight.firstColumn}
        endColumn={sight.endColumn}
        edits={row === undefined ? undefined : model.state.edits.ofRow(row.key)}
        activeColumn={active?.row === index ? active.column : -1}
        rangeLeft={inRange && !single ? range.left : -1}
        rangeRight={inRange && !single ? range.right : -1}
        rangeTop={inRange && index === range.top}
        rangeBottom={inRange && index === range.bottom}
        fillLeft={inFill ? filling.left : -1}
        fillRight={inFill ? filling.right : -1}
        handleColumn={canFill && index === range?.bottom ? range.right : -1}
        ticked={row !== undefined && state.tickedRows.has(row.key)}
        color={color?.color}
        colorPlace={color?.place}
        ticking={state.tickedRows.size > 0}
        readOnly={readOnly}
        canOpen={props.onOpenRow !== undefined}
        canMove={canMove}
        moving={row !== undefined && state.moving?.keys.includes(row.key) === true}
        gridId={gridId}
        actions={actions}
        tableColumns={tableColumns}
        marks={row === undefined ? undefined : props.marks?.get(row.key)}
        t={t}
      />,
    );
  }
  return rows;
}
