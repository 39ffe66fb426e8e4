import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import type { GridCommand } from './grid-keyboard.ts';
import { GridActions } from './grid-actions.ts';
import { GridFiles } from './grid-files.ts';
import { foldGroup } from './fold-group.ts';
import { GridAppend } from './GridAppend.tsx';
import { GridEmpty } from './GridEmpty.tsx';
import { GridFooter } from './GridFooter.tsx';
import { GridHeader } from './GridHeader.tsx';
import { GridMessages } from './GridMessages.tsx';
import { GridModel } from './grid-model.ts';
import { GridOverlay } from './GridOverlay.tsx';
import { GridPointer } from './grid-pointer.ts';
import { cellId } from './GridRow.tsx';
import { GridScroller, sightOf } from './grid-scroller.ts';
import { rangeOf } from './grid-selection.ts';
import { englishTexts } from './grid-texts.ts';
import type { GridHandle, GridProps } from './grid-types.ts';
import { performCommand } from './perform-command.ts';
import { rowsInSight } from './rows-in-sight.tsx';
import { useColumnWidths } from './use-column-widths.ts';
import { useElementSize } from './use-element-size.ts';
import { HEADER_HEIGHT, SHORT_ROW, useGridFrame } from './use-grid-frame.ts';
import './grid.css';

/** The height of a line of text, and the padding above and below all lines in a taller row. */
const LINE_HEIGHT = 18;
const TALL_PADDING = 12;

/**
 * A spreadsheet-like grid over rows that are loaded in pages. It draws what is visible, keeps one text area focused, and passes the
 * user's actions to its handlers; its own state is the selection, the open editor and unfinished edits.
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
  const { columns, resize } = useColumnWidths(props.columns);
  const frame = useGridFrame(props, columns, size);
  const { layout, lines, rowCount, scale, isRightToLeft } = frame;
  const { heads, firstNumber = 1 } = props;
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
  // When another view or page opens: a typed text is committed first, and the browser asks before it is lost.
  useLayoutEffect(() => () => void model.close(), [model]);
  useEffect(() => askBeforeLeaving(() => model.hasUnsaved, 'page'), [model]);
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
  const dropAt = state.moving?.to;
  const rows = rowsInSight({
    props,
    gridId,
    frame,
    sight,
    model,
    state,
    actions,
    range,
    headHeight: SHORT_ROW,
    readOnly,
    t,
  });

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
            // Rows under group headings have levels.
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
                    transform: `translateY(${lines.topOf(lines.lineOf(dropAt.row) + (dropAt.side === 'after' ? 1 : 0)) - sight.offset}px)`,
                    width: layout.totalWidth,
                  }}
                />
              )}
              {canAppend && lines.count > 0 && (
                <GridAppend
                  id={appendId}
                  isActive={atEnd}
                  top={lines.height - sight.offset}
                  height={SHORT_ROW}
                  width={layout.totalWidth}
                  onAppend={() => actions.append()}
                  t={t}
                />
              )}
            </div>
          </div>
          <GridOverlay
            model={model}
            scroller={scroller}
            state={state}
            layout={layout}
            activeTop={active === undefined ? 0 : lines.topOf(lines.lineOf(active.row))}
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
            marks={activeRow && props.marks?.get(activeRow.key)}
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
        <GridEmpty
          handlers={props}
          isPasting={state.pasting > 0}
          onAppend={canAppend ? () => actions.append() : undefined}
          t={t}
        />
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
