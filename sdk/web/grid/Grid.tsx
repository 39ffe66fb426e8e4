import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import type { ColumnEntity } from '../../shared/index.ts';
import { layOutColumns } from './column-layout.ts';
import { drawnRowCount } from './grid-context.ts';
import type { GridCommand } from './grid-keyboard.ts';
import { GridActions } from './grid-actions.ts';
import { GridFiles } from './grid-files.ts';
import { foldGroup } from './fold-group.ts';
import { GridFooter } from './GridFooter.tsx';
import { GridHeader } from './GridHeader.tsx';
import { GridHeadRow } from './GridHeadRow.tsx';
import { GridMessages } from './GridMessages.tsx';
import { GridModel } from './grid-model.ts';
import { GridOverlay } from './GridOverlay.tsx';
import { GridPointer } from './grid-pointer.ts';
import { cellId, GridRow } from './GridRow.tsx';
import { type GridFrame, GridScroller, sightOf } from './grid-scroller.ts';
import { rangeOf } from './grid-selection.ts';
import { englishTexts } from './grid-texts.ts';
import type { GridHandle, GridProps } from './grid-types.ts';
import { performCommand } from './perform-command.ts';
import { createRowLines } from './row-lines.ts';
import { createRowScale } from './row-scale.ts';
import { useColumnWidths } from './use-column-widths.ts';
import { useElementSize } from './use-element-size.ts';
import { useRightToLeft } from './use-right-to-left.ts';
import { isWithoutHover } from './without-hover.ts';
import './grid.css';

const HEADER_HEIGHT = 36;
/** Of a row with one line of text. */
const SHORT_ROW = 34;
/** Of a line of text, and what stands above and below all of them in a taller row. */
const LINE_HEIGHT = 18;
const TALL_PADDING = 12;
/** Room for the add-row line and for breath under it. */
const TAIL_HEIGHT = 76;
const noColumns: readonly ColumnEntity[] = [];
/** Placeholders drawn past the known rows while the count is unknown. */
const UNKNOWN_STRETCH = 100;

/**
 * A spreadsheet-like grid over rows that come in pieces. It draws what is in sight, keeps one text area focused, and asks
 * its handlers to do what the user did; what it holds itself is the selection, the open editor and edits on their way.
 *
 * @public
 */
export function Grid(props: GridProps & { readonly ref?: Ref<GridHandle> }): ReactNode {
  const {
    ref,
    project,
    table,
    source,
    label,
    rowHeight = SHORT_ROW,
    readOnly = false,
    t = englishTexts,
  } = props;
  const { columns: tableColumns = noColumns } = table;
  const gridId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [model] = useState(() => new GridModel(props.edits));
  const [actions] = useState(() => new GridActions(model));
  const [scroller] = useState(() => new GridScroller());
  const [pointer] = useState(() => new GridPointer(model, scroller));
  const [files] = useState(() => new GridFiles(model, scroller));
  const state = useSyncExternalStore(model.state.subscribe, model.state.getSnapshot);
  const sourceVersion = useSyncExternalStore(source.subscribe, () => source.version);
  useSyncExternalStore(model.state.edits.subscribe, () => model.state.edits.version);
  const position = useSyncExternalStore(scroller.subscribe, scroller.getPosition);

  const size = useElementSize(box);
  const isRightToLeft = useRightToLeft();
  const { columns, resize } = useColumnWidths(props.columns);
  const rowCount = drawnRowCount(source, UNKNOWN_STRETCH);
  const { heads, firstNumber = 1 } = props;
  const gutterWidth = gutterWidthFor(rowCount + firstNumber - 1, props.onOpenRow !== undefined);
  const lines = useMemo(() => createRowLines(rowCount, heads), [rowCount, heads]);
  const frame = useMemo((): GridFrame => {
    const bodyHeight = Math.max(0, size.height - HEADER_HEIGHT);
    return {
      scale: createRowScale(lines.count * rowHeight + TAIL_HEIGHT, bodyHeight),
      lines,
      layout: layOutColumns(columns, gutterWidth, size.width),
      size,
      rowCount,
      rowHeight,
      headerHeight: HEADER_HEIGHT,
      isRightToLeft,
    };
  }, [columns, gutterWidth, size, lines, rowCount, rowHeight, isRightToLeft]);
  const { layout, scale } = frame;
  const sight = sightOf(frame, position);

  useLayoutEffect(() => {
    const pageRows = Math.max(1, Math.floor(scale.viewportHeight / rowHeight) - 1);
    model.update({
      columns: layout.columns,
      project,
      table,
      source,
      rowCount,
      firstNumber,
      goesOn: props.goesOn === true,
      pageRows,
      readOnly,
      handlers: props,
      t,
    });
    scroller.update(box.current ?? undefined, frame, sight);
  });
  useLayoutEffect(() => {
    if (size.height > 0) source.ensure(sight.firstRow, Math.max(sight.endRow, 1));
  }, [source, sourceVersion, size.height, sight.firstRow, sight.endRow]);
  useLayoutEffect(() => {
    if (state.reveal !== undefined) scroller.reveal(state.reveal);
  }, [scroller, state.reveal]);
  useEffect(() => pointer.release, [pointer]);
  // Another view, or another page: what was typed is committed first, and the browser asks before it is lost.
  useLayoutEffect(() => () => void model.close(), [model]);
  useEffect(() => askBeforeLeaving(() => model.hasUnsaved), [model]);
  const perform = (command: GridCommand): boolean =>
    command.kind === 'columnMenu'
      ? openColumnMenu(model, box.current)
      : command.kind === 'foldGroup'
        ? foldGroup(model, box.current, props)
        : performCommand(model, command);
  useImperativeHandle(ref, () => ({
    perform,
    focus: () => model.state.focusInput(),
    clearRowSelection: () => model.clearTicks(),
    scrollToTop: () => scroller.toTop(),
    renameColumn: (columnId) => actions.startRename(columnId),
    goToColumn: (columnId) => {
      const column = layout.columns.findIndex((each) => each.entity.id === columnId);
      const { row } = model.state.getSnapshot().selection?.active ?? { row: 0 };
      if (column >= 0 && rowCount > 0) model.select({ row, column });
      // Without rows there is no cell to scroll to.
      else if (column >= 0) scroller.revealColumn(column);
    },
    selectCell: (index, columnId) => {
      const column = model.state.context.columns.findIndex((each) => each.entity.id === columnId);
      if (column >= 0) model.select({ row: index, column });
    },
  }));

  const active = state.selection?.active;
  const range = state.selection === undefined ? undefined : rangeOf(state.selection);
  const single = range !== undefined && range.top === range.bottom && range.left === range.right;
  const { filling } = state;
  const canFill =
    state.focused && state.editing === undefined && !readOnly && props.onCommitCells !== undefined;
  const canMove = props.onMoveRows !== undefined && !readOnly;
  const dropAt = state.moving?.to;
  const rowLevel = heads && heads.reduce((deepest, { level }) => Math.max(deepest, level), 0) + 2;
  const rows: ReactNode[] = [];
  const drawnKeys = new Set<string>();
  for (let line = sight.firstLine; line < sight.endLine; line++) {
    const on = lines.lineAt(line);
    const top = line * rowHeight - sight.offset;
    if (on.kind === 'head') {
      const head = heads?.[on.at];
      if (head !== undefined)
        rows.push(
          <GridHeadRow
            key={`head ${head.key}`}
            head={head}
            line={line}
            top={top}
            height={rowHeight}
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
    // What a cell keeps by itself, such as an open pop-up, goes with its row. Pages read one after the other may hold a row twice.
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

  const activeInSight =
    active !== undefined &&
    active.row >= sight.firstRow &&
    active.row < sight.endRow &&
    (active.column < layout.frozenCount ||
      (active.column >= sight.firstColumn && active.column < sight.endColumn));
  const activeColumn = active === undefined ? undefined : layout.columns[active.column];
  const activeRow = active === undefined ? undefined : source.rowAt(active.row);
  const activeEdit =
    activeRow && activeColumn ? model.state.edits.of(activeRow.key, activeColumn.entity.id) : undefined;
  const canAppend = props.onAppendRow !== undefined && !readOnly && source.count !== undefined;
  const atEnd = canAppend && active !== undefined && active.row >= rowCount;
  const appendId = `${gridId}-append`;

  const isTall = rowHeight > SHORT_ROW;
  const cellLook: CSSProperties & Readonly<Record<`--tr-cell-${string}`, unknown>> = {
    '--tr-cell-lines': Math.max(1, Math.floor((rowHeight - TALL_PADDING) / LINE_HEIGHT)),
    '--tr-cell-height': `${rowHeight - TALL_PADDING}px`,
    '--tr-cell-wrap': 'wrap',
  };

  return (
    <div
      className={`tgrid${state.focused ? ' is-focused' : ''}${isTall ? ' is-tall' : ''}`}
      style={isTall ? cellLook : undefined}
    >
      <div ref={box} className="tgrid-scroller" onScroll={scroller.onScroll}>
        <div
          className="tgrid-canvas"
          style={{ height: HEADER_HEIGHT + scale.spacerHeight, width: layout.totalWidth + 80 }}
        >
          <div
            id={gridId}
            className="tgrid-rows"
            // Rows under heads have levels.
            role={heads === undefined ? 'grid' : 'treegrid'}
            aria-label={label}
            aria-rowcount={source.count === undefined ? -1 : lines.count + 1}
            aria-colcount={layout.columns.length + 1}
            aria-multiselectable="true"
            aria-readonly={readOnly ? true : undefined}
            aria-busy={source.count === undefined && source.atLeast === 0 ? true : undefined}
          >
            <GridHeader
              layout={layout}
              firstColumn={sight.firstColumn}
              endColumn={sight.endColumn}
              height={HEADER_HEIGHT}
              handlers={props}
              renaming={state.renaming}
              ticks={state.tickedRows.size === 0 ? 'none' : state.tickedRows.size < rowCount ? 'some' : 'all'}
              selectedLeft={range?.left ?? -1}
              selectedRight={range?.right ?? -1}
              scroller={scroller}
              actions={actions}
              onResize={resize}
              t={t}
            />
            <div
              role="rowgroup"
              className="tgrid-body"
              style={{ top: HEADER_HEIGHT, height: scale.spacerHeight }}
              onPointerDown={pointer.onPointerDown}
              onMouseDown={pointer.onMouseDown}
              onClick={pointer.onClick}
              onDoubleClick={pointer.onDoubleClick}
              onContextMenu={pointer.onContextMenu}
              onDragOver={files.onDragOver}
              onDrop={files.onDrop}
            >
              {rows}
              {dropAt !== undefined && (
                <div
                  className="tgrid-drop-row"
                  style={{
                    transform: `translateY(${(lines.lineOf(dropAt.row) + (dropAt.side === 'after' ? 1 : 0)) * rowHeight - sight.offset}px)`,
                    width: layout.totalWidth,
                  }}
                />
              )}
              {canAppend && lines.count > 0 && (
                <div
                  role="row"
                  className={atEnd ? 'tgrid-append is-active' : 'tgrid-append'}
                  style={{
                    transform: `translateY(${lines.count * rowHeight - sight.offset}px)`,
                    height: SHORT_ROW,
                    width: layout.totalWidth,
                  }}
                >
                  <div role="gridcell" id={appendId} className="tgrid-append-cell">
                    <button type="button" className="tgrid-append-button" onClick={() => actions.append()}>
                      <span className="tgrid-append-words">
                        <span aria-hidden="true">+</span> {t('Add a row')}
                      </span>
                    </button>
                  </div>
                </div>
              )}
            </div>
          </div>
          <GridOverlay
            model={model}
            scroller={scroller}
            state={state}
            layout={layout}
            activeTop={active === undefined ? 0 : lines.lineOf(active.row) * rowHeight}
            rowHeight={atEnd ? SHORT_ROW : rowHeight}
            headerHeight={HEADER_HEIGHT}
            gridId={gridId}
            label={label}
            isRightToLeft={isRightToLeft}
            isAtEnd={atEnd}
            firstNumber={firstNumber}
            activeCellId={
              atEnd
                ? appendId
                : active && activeInSight && activeRow !== undefined
                  ? cellId(gridId, active.row, active.column)
                  : undefined
            }
            refusal={activeEdit?.kind === 'failed' ? activeEdit.message : undefined}
            t={t}
            onCommand={perform}
          />
        </div>
      </div>
      {props.footer !== undefined && (
        <GridFooter
          {...props.footer}
          layout={layout}
          firstColumn={sight.firstColumn}
          endColumn={sight.endColumn}
          scroller={scroller}
          handlers={props}
          onAppend={canAppend && lines.count > 0 ? () => actions.append() : undefined}
          t={t}
        />
      )}
      {source.count === 0 && lines.count === 0 && (
        <div className="tgrid-empty">
          <strong>{props.emptyText ?? t('No rows yet')}</strong>
          {props.emptyText === undefined && (
            <span>
              {canAppend && props.onPasteRows !== undefined
                ? t('Add the first one, or click here and paste rows of a spreadsheet.')
                : t('Rows that you add appear here.')}
            </span>
          )}
          {canAppend && (
            <button type="button" className="tgrid-button is-primary" onClick={() => actions.append()}>
              {t('Add a row')}
            </button>
          )}
        </div>
      )}
      <GridMessages model={model} state={state} source={source} t={t} handlers={props} readOnly={readOnly} />
    </div>
  );
}

/** Opens the menu of the active cell's column under its title. */
function openColumnMenu(model: GridModel, box: HTMLElement | null): boolean {
  const { activeColumn, context } = model.state;
  const menus = box?.querySelectorAll<HTMLElement>('[data-column-menu]') ?? [];
  const anchor = [...menus].find((each) => each.dataset.columnMenu === activeColumn?.entity.id);
  if (anchor === undefined || activeColumn === undefined) return false;
  context.handlers.onColumnMenu?.(activeColumn.entity.id, anchor);
  return true;
}

/** Wide enough for the greatest row number, its box and its button; without a mouse the box stands for the number. */
function gutterWidthFor(rowCount: number, canOpen: boolean): number {
  const number = isWithoutHover() ? 34 : Math.max(44, 20 + String(rowCount).length * 7.5);
  return number + (canOpen ? 22 : 0);
}
