import { memo, type PointerEvent as ReactPointerEvent, type ReactNode, useState } from 'react';
import { type ColumnLayout, holdColumnWidth } from './column-layout.ts';
import { followPointer } from './follow-pointer.ts';
import type { Translate } from '../context.ts';
import type { GridActions } from './grid-actions.ts';
import type { GridColumn } from './grid-column.ts';
import type { GridScroller } from './grid-scroller.ts';
import type { GridHandlers } from './grid-types.ts';
import { needsValue } from '../columns.ts';
import { TitleField } from './TitleField.tsx';

export interface GridHeaderProps {
  readonly layout: ColumnLayout;
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly height: number;
  readonly handlers: GridHandlers;
  readonly ticks: 'none' | 'some' | 'all';
  /** The column whose title is being edited. */
  readonly renaming: string | undefined;
  /** The columns of the selected range, for a tint; -1 if there is none. */
  readonly selectedLeft: number;
  readonly selectedRight: number;
  readonly scroller: GridScroller;
  readonly actions: GridActions;
  readonly onResize: (column: GridColumn, width: number) => void;
  readonly t: Translate;
}

/** The titles of the columns: they stay at the top, and are clicked to select, dragged to reorder, and resized at their edges. */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps): ReactNode {
  const { layout, firstColumn, endColumn, height, handlers, scroller, actions, t } = props;
  const [drop, setDrop] = useState<{ readonly dragged: number; readonly before: number } | undefined>();

  const startReorder = (event: ReactPointerEvent, at: number): void => {
    if (event.button !== 0 || handlers.onReorderColumn === undefined || event.pointerType === 'touch') return;
    followPointer(event, {
      onDrag: (_by, clientX) => setDrop({ dragged: at, before: scroller.dropIndexAt(clientX) }),
      onEnd: (by, clientX) => {
        setDrop(undefined);
        const dragged = layout.columns[at];
        const before = scroller.dropIndexAt(clientX);
        if (by === undefined || dragged === undefined || before === at || before === at + 1) return;
        handlers.onReorderColumn?.(dragged.entity.id, layout.columns[before]?.entity.id);
      },
    });
  };

  const startResize = (event: ReactPointerEvent, column: GridColumn): void => {
    event.stopPropagation();
    if (event.button !== 0) return;
    const widthAfter = (by: number): number => column.width + scroller.towardsEnd(by);
    followPointer(event, {
      onDrag: (by) => props.onResize(column, widthAfter(by)),
      onEnd: (by) => {
        if (by === undefined) return props.onResize(column, column.width);
        props.onResize(column, widthAfter(by));
        handlers.onResizeColumn?.(column.entity.id, holdColumnWidth(widthAfter(by)));
      },
    });
  };

  const isTyped = ({ entity }: GridColumn): boolean => entity.id === props.renaming;
  const isInSight = (at: number): boolean => at >= firstColumn && at < endColumn;
  const draw = (wanted: (at: number, column: GridColumn) => boolean): ReactNode[] =>
    layout.columns.flatMap((column, at) =>
      wanted(at, column)
        ? [
            <HeaderCell
              key={column.entity.id}
              {...props}
              column={column}
              at={at}
              dragged={drop?.dragged === at}
              onReorderStart={startReorder}
              onResizeStart={startResize}
            />,
          ]
        : [],
    );

  return (
    <div role="rowgroup" className="tgrid-header" style={{ height, width: layout.totalWidth }}>
      <div role="row" aria-rowindex={1} className="tgrid-header-row" style={{ height }}>
        <div role="presentation" className="tgrid-frozen" style={{ width: layout.frozenWidth }}>
          <div
            role="columnheader"
            aria-colindex={1}
            className="tgrid-gutter"
            style={{ width: layout.gutterWidth }}
          >
            <input
              type="checkbox"
              className="tgrid-tick is-all"
              data-grid-control=""
              tabIndex={-1}
              ref={(box) => {
                if (box !== null) box.indeterminate = props.ticks === 'some';
              }}
              checked={props.ticks === 'all'}
              aria-label={t('Select all rows')}
              onChange={() => actions.tickAll()}
            />
          </div>
          {draw((at) => at < layout.frozenCount)}
        </div>
        {/* A title that is being edited is not lost when it is scrolled out of view. */}
        {draw((at, column) => at >= layout.frozenCount && (isInSight(at) || isTyped(column)))}
        {handlers.onInsertColumn !== undefined && (
          <div role="columnheader">
            <button
              type="button"
              className="tgrid-add-column"
              style={{ insetInlineStart: layout.totalWidth, height }}
              aria-label={t('Add a column')}
              title={t('Add a column')}
              onClick={(event) => handlers.onInsertColumn?.(event.currentTarget)}
            >
              +
            </button>
          </div>
        )}
        {drop !== undefined && (
          <div
            className="tgrid-drop"
            style={{ insetInlineStart: (layout.lefts[drop.before] ?? layout.totalWidth) - 1 }}
          />
        )}
      </div>
    </div>
  );
});

interface HeaderCellProps extends GridHeaderProps {
  readonly column: GridColumn;
  readonly at: number;
  readonly dragged: boolean;
  readonly onReorderStart: (event: ReactPointerEvent, at: number) => void;
  readonly onResizeStart: (event: ReactPointerEvent, column: GridColumn) => void;
}

function HeaderCell(props: HeaderCellProps): ReactNode {
  const { column, at, layout, handlers, actions, t, dragged, selectedLeft, selectedRight } = props;
  const classes = ['tgrid-title', `tgrid-align-${column.type?.align ?? 'start'}`];
  if (at >= selectedLeft && at <= selectedRight) classes.push('is-selected');
  if (dragged) classes.push('is-dragged');
  if (props.renaming === column.entity.id)
    return (
      <div
        role="columnheader"
        aria-colindex={at + 2}
        className="tgrid-title is-renaming"
        style={{ insetInlineStart: layout.lefts[at], width: column.width }}
      >
        <TitleField column={column} actions={actions} t={t} />
      </div>
    );
  return (
    <div
      role="columnheader"
      aria-colindex={at + 2}
      aria-sort={column.sort && (column.sort === 'asc' ? 'ascending' : 'descending')}
      className={classes.join(' ')}
      style={{ insetInlineStart: layout.lefts[at], width: column.width }}
      title={[column.entity.title, column.entity.description ?? []].flat().join('\n')}
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.3 has it for every role
      aria-description={column.entity.description ?? undefined}
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => props.onReorderStart(event, at)}
      onClick={(event) => actions.selectColumn(at, event.shiftKey)}
      onDoubleClick={() => actions.startRename(column.entity.id)}
      onContextMenu={(event) => {
        if (handlers.onContextMenu === undefined) return;
        event.preventDefault();
        handlers.onContextMenu({
          kind: 'column',
          columnId: column.entity.id,
          x: event.clientX,
          y: event.clientY,
        });
      }}
    >
      <i className={`tgrid-icon pi pi-${column.type?.icon ?? 'question-circle'}`} aria-hidden="true" />
      <span className={column.entity.pv ? 'tgrid-title-text is-primary' : 'tgrid-title-text'}>
        {column.entity.title}
      </span>
      {typeof column.entity.description === 'string' && (
        <i className="tgrid-described pi pi-info-circle" aria-hidden="true" />
      )}
      {needsValue(column.entity) && (
        <span className="tgrid-required" title={t('Required')} aria-label={t('Required')}>
          *
        </span>
      )}
      {column.sort !== undefined && (
        <i
          className={`tgrid-sort pi pi-${column.sort === 'asc' ? 'arrow-up' : 'arrow-down'}`}
          role="img"
          aria-label={column.sort === 'asc' ? t('Sorted ascending') : t('Sorted descending')}
        />
      )}
      {handlers.onColumnMenu !== undefined && (
        <button
          type="button"
          className="tgrid-menu"
          tabIndex={-1}
          aria-label={t('Menu of column {{title}}', { title: column.entity.title })}
          aria-haspopup="menu"
          data-column-menu={column.entity.id}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            handlers.onColumnMenu?.(column.entity.id, event.currentTarget);
          }}
        >
          <svg viewBox="0 0 16 16" width="10" height="10" aria-hidden="true">
            <path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
        </button>
      )}
      {handlers.onResizeColumn !== undefined && (
        <div
          className="tgrid-resize"
          role="separator"
          aria-orientation="vertical"
          aria-label={t('Resize column {{title}}', { title: column.entity.title })}
          onPointerDown={(event) => props.onResizeStart(event, column)}
          onClick={(event) => event.stopPropagation()}
        />
      )}
    </div>
  );
}
