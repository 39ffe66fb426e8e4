import { type ReactNode, useLayoutEffect, useRef } from 'react';
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
  readonly t: Translate;
}

/** Under the grid: what there is to say of all rows, under the first column, and a figure under each other one that has one. */
export function GridFooter(props: FooterProps): ReactNode {
  const { layout, firstColumn, endColumn, scroller, children } = props;
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = (): void => {
      if (strip.current !== null)
        strip.current.style.transform = `translateX(${scroller.towardsEnd(-scroller.left)}px)`;
    };
    place();
    return scroller.follow(place);
  });
  const cells = (start: number, end: number): ReactNode[] =>
    layout.columns
      .slice(start, end)
      .map((column, offset) => <FooterCell key={column.entity.id} {...props} at={start + offset} />);
  const isFrozen = layout.frozenCount > 0;
  const summary = (
    <div
      className="tgrid-footer-start"
      style={{ width: layout.gutterWidth + (layout.columns[0]?.width ?? 0) }}
    >
      {children}
    </div>
  );
  return (
    <div className="tgrid-footer">
      <div ref={strip} className="tgrid-footer-strip">
        {!isFrozen && summary}
        {cells(Math.max(firstColumn, layout.frozenCount, 1), endColumn)}
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

function FooterCell({ layout, at, figures, handlers, t }: FooterProps & { readonly at: number }): ReactNode {
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
      aria-haspopup="menu"
      aria-label={
        figure === undefined
          ? t('Choose a figure for {{title}}', { title })
          : t('{{title}}: {{name}} {{text}}', { title, name: figure.name, text: figure.text })
      }
      title={figure && `${figure.name} ${figure.text}`}
      onClick={(event) => handlers.onFigureMenu?.(id, event.currentTarget)}
    >
      {words ?? <span className="tgrid-footer-name">{t('Figure')}</span>}
    </button>
  );
}
