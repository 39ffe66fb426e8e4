import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Translate } from '../context.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { GridScroller } from './grid-scroller.ts';
import type { GridHandlers, GridFooterProps } from './grid-types.ts';

interface FooterProps extends GridFooterProps {
  readonly layout: ColumnLayout;
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly scroller: GridScroller;
  readonly handlers: GridHandlers;
  /** Adds a row; undefined if none can be added. */
  readonly onAppend: (() => void) | undefined;
  readonly t: Translate;
}

/** The bar under the grid: information about all rows under the first column, and aggregations under other columns. */
export function GridFooter(props: FooterProps): ReactNode {
  const { layout, firstColumn, endColumn, scroller, onAppend, t, children } = props;
  const footer = useRef<HTMLDivElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  /** The column whose aggregation is the tab stop. */
  const [stop, setStop] = useState<string>();
  useLayoutEffect(() => {
    const place = (): void => {
      if (strip.current !== null)
        strip.current.style.transform = `translateX(${scroller.towardsEnd(-scroller.left)}px)`;
    };
    place();
    return scroller.follow(place);
  });
  const scrolled = [Math.max(firstColumn, layout.frozenCount, 1), endColumn] as const;
  const drawn = [...layout.columns.slice(1, layout.frozenCount), ...layout.columns.slice(...scrolled)];
  const stopId = (drawn.find(({ entity }) => entity.id === stop) ?? drawn[0])?.entity.id;
  const cells = (start: number, end: number): ReactNode[] =>
    layout.columns
      .slice(start, end)
      .map((column, offset) => (
        <FooterCell
          key={column.entity.id}
          {...props}
          at={start + offset}
          isStop={column.entity.id === stopId}
          onStop={setStop}
        />
      ));
  /** The aggregations are one tab stop; the arrow keys move between them. */
  const walk = ({ key, target }: KeyboardEvent): void => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const places = [...(footer.current?.querySelectorAll<HTMLElement>('[data-figure-of]') ?? [])];
    const inOrder = drawn.flatMap(
      ({ entity }) => places.find(({ dataset }) => dataset.figureOf === entity.id) ?? [],
    );
    const at = inOrder.findIndex((place) => place === target);
    if (step !== 0 && at >= 0) inOrder[at + scroller.towardsEnd(step)]?.focus();
  };
  const isFrozen = layout.frozenCount > 0;
  const summary = (
    <div
      className="tgrid-footer-start"
      style={{ width: layout.gutterWidth + (layout.columns[0]?.width ?? 0) }}
    >
      {/* The line under the last row may be a million rows away. */}
      {onAppend && (
        <button
          type="button"
          className="tgrid-footer-add"
          aria-label={t('New row')}
          title={t('New row')}
          onClick={onAppend}
        >
          <i className="pi pi-plus" aria-hidden="true" />
        </button>
      )}
      {children}
    </div>
  );
  return (
    <div ref={footer} className="tgrid-footer" onKeyDown={walk}>
      <div ref={strip} className="tgrid-footer-strip">
        {!isFrozen && summary}
        {cells(...scrolled)}
      </div>
      {isFrozen && (
        <div className="tgrid-footer-frozen" style={{ width: layout.frozenWidth }}>
          {summary}
          {cells(1, layout.frozenCount)}
        </div>
      )}
    </div>
  );
}

interface FooterCellProps extends FooterProps {
  readonly at: number;
  /** Whether it is the tab stop. */
  readonly isStop: boolean;
  readonly onStop: (columnId: string) => void;
}

function FooterCell({ layout, at, figures, handlers, isStop, onStop, t }: FooterCellProps): ReactNode {
  const column = layout.columns[at];
  if (column === undefined) return null;
  const { id, title } = column.entity;
  const figure = figures?.get(id);
  const style = { insetInlineStart: layout.lefts[at], width: column.width };
  const words = figure && (
    <>
      <span className="tgrid-footer-name">{figure.name}</span> <strong>{figure.text}</strong>
    </>
  );
  if (handlers.onFigureMenu === undefined)
    return (
      <div className="tgrid-footer-cell" style={style} title={figure && `${figure.name} ${figure.text}`}>
        {words}
      </div>
    );
  return (
    <button
      type="button"
      className={figure === undefined ? 'tgrid-footer-cell is-empty' : 'tgrid-footer-cell'}
      style={style}
      tabIndex={isStop ? 0 : -1}
      data-figure-of={id}
      onFocus={() => onStop(id)}
      aria-haspopup="menu"
      aria-label={
        figure === undefined
          ? t('Choose a summary for {{title}}', { title })
          : t('{{title}}: {{name}} {{text}}', { title, name: figure.name, text: figure.text })
      }
      title={figure && `${figure.name} ${figure.text}`}
      onClick={(event) => handlers.onFigureMenu?.(id, event.currentTarget)}
    >
      {words ?? <span className="tgrid-footer-name">{t('Summary')}</span>}
    </button>
  );
}
