import { memo, type ReactNode } from 'react';
import type { Translate } from '../context.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { GridActions } from './grid-actions.ts';
import type { GridHandlers, GridHead } from './grid-types.ts';

export interface GridHeadRowProps {
  readonly head: GridHead;
  readonly top: number;
  readonly height: number;
  readonly layout: ColumnLayout;
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly handlers: GridHandlers;
  readonly actions: GridActions;
  readonly t: Translate;
}

/** The line above the rows of a group: what they have in common, how many they are, and figures under the columns. */
export const GridHeadRow = memo(function GridHeadRow(props: GridHeadRowProps): ReactNode {
  const { head, top, height, layout, firstColumn, endColumn, handlers, actions, t } = props;
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
          aria-expanded={!head.isCollapsed}
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
