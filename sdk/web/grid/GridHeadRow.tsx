import { type KeyboardEvent, memo, type ReactNode } from 'react';
import type { Translate } from '../context.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { GridActions } from './grid-actions.ts';
import type { GridHandlers, GridHead } from './grid-types.ts';

export interface GridHeadRowProps {
  readonly head: GridHead;
  /** The index among the lines of the grid. */
  readonly line: number;
  readonly top: number;
  readonly height: number;
  readonly layout: ColumnLayout;
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly handlers: GridHandlers;
  readonly isRightToLeft: boolean;
  readonly actions: GridActions;
  readonly t: Translate;
}

/** The heading of a group: the common value of its rows, their number, and aggregations under the columns. */
export const GridHeadRow = memo(function GridHeadRow(props: GridHeadRowProps): ReactNode {
  const { head, line, top, height, layout, firstColumn, endColumn, handlers, actions, t } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (walkHeads(event, props)) event.preventDefault();
  };
  const figures: ReactNode[] = [];
  for (let at = Math.max(firstColumn, layout.frozenCount, 1); at < endColumn; at++) {
    const column = layout.columns[at];
    const figure = column && head.figures?.get(column.entity.id);
    if (column === undefined || figure === undefined) continue;
    figures.push(
      <div
        key={column.entity.id}
        role="gridcell"
        aria-colindex={at + 2}
        className="tgrid-head-figure"
        title={figure}
        style={{ insetInlineStart: layout.lefts[at], width: column.width }}
      >
        <span>{figure}</span>
      </div>,
    );
  }
  return (
    <div
      role="row"
      aria-rowindex={line + 2}
      aria-level={head.level + 1}
      aria-expanded={!head.isCollapsed}
      className={`tgrid-head is-level-${head.level}`}
      style={{ transform: `translateY(${top}px)`, height, width: layout.totalWidth }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className="tgrid-head-label"
        style={{ paddingInlineStart: 8 + head.level * 18 }}
      >
        <button
          type="button"
          className="tgrid-head-toggle"
          data-grid-control=""
          data-group={head.key}
          aria-expanded={!head.isCollapsed}
          onKeyDown={onKeyDown}
          aria-label={
            head.isCollapsed
              ? t('Show the rows of {{group}}', { group: head.group })
              : t('Hide the rows of {{group}}', { group: head.group })
          }
          onClick={() => handlers.onToggleGroup?.(head.key)}
        >
          <svg viewBox="0 0 16 16" width="10" height="10" aria-hidden="true">
            <path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
        </button>
        <span className="tgrid-head-title">{head.title}</span>
        <span className="tgrid-head-value">{head.value}</span>
        <span className="tgrid-head-count">{head.count}</span>
        {handlers.onAppendToGroup !== undefined && (
          <button
            type="button"
            className="tgrid-head-add"
            data-grid-control=""
            aria-label={t('Add a row to {{group}}', { group: head.group })}
            title={t('Add a row to {{group}}', { group: head.group })}
            onClick={() => actions.appendTo(head.key)}
          >
            +
          </button>
        )}
      </div>
      {figures}
    </div>
  );
});

/** Handles a key on the button of a heading: folds its group, moves to the next visible heading, or back to the cells. */
function walkHeads({ key, currentTarget }: KeyboardEvent<HTMLElement>, props: GridHeadRowProps): boolean {
  const { head, handlers, isRightToLeft, actions } = props;
  const [inwards, outwards] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  switch (key) {
    case inwards:
    case outwards:
      if (head.isCollapsed === (key === inwards)) handlers.onToggleGroup?.(head.key);
      return true;
    case 'ArrowDown':
    case 'ArrowUp': {
      const all =
        currentTarget.closest('[role=rowgroup]')?.querySelectorAll<HTMLElement>('[data-group]') ?? [];
      const toggles = [...all];
      const at = toggles.findIndex((toggle) => toggle === currentTarget);
      toggles[at + (key === 'ArrowDown' ? 1 : -1)]?.focus();
      return true;
    }
    case 'Escape':
      actions.focusGrid();
      return true;
    default:
      return false;
  }
}
