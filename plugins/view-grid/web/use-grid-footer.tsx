import type { AggregationOf } from '@trellis/sdk/shared';
import { useHost, useRegistry } from '@trellis/sdk/web';
import type { GridColumn, GridFigure } from '@trellis/sdk/web/grid';
import type { RowsClient } from '@trellis/sdk/web/rows';
import { isRightToLeft } from '@trellis/sdk/web/ui';
import type { ViewColumns } from '@trellis/sdk/web/views';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { FigureMenu, type FigureChoice } from './FigureMenu.tsx';
import { shownFigures } from './figures.ts';

interface FooterOf {
  readonly rows: RowsClient;
  readonly columns: readonly GridColumn[];
  readonly figures: readonly AggregationOf[];
  readonly inView: ViewColumns;
  readonly onClosed: () => void;
}

/** The summaries under the columns, and the menu that chooses them. */
export function useGridFooter({ rows, columns, figures, inView, onClosed }: FooterOf) {
  const { t, toast } = useHost();
  const aggregations = useRegistry('aggregations');
  const [choice, setChoice] = useState<FigureChoice>();
  useSyncExternalStore(rows.figures.subscribe, () => rows.figures.version);

  const shown = new Map(
    shownFigures(figures, { columns, aggregations }, (figure) => rows.figures.total(figure)).map(
      ({ columnId, aggregation, text }): readonly [string, GridFigure] => [
        columnId,
        { name: aggregation === undefined ? '' : t(aggregation.label), text },
      ],
    ),
  );

  async function choose(columnId: string, figure: string | undefined): Promise<void> {
    const column = inView.columns?.find((each) => each.column.id === columnId);
    if (column === undefined) return;
    const others = Object.entries(column.options).filter(([name]) => name !== 'figure');
    const chosen = figure === undefined ? [] : [['figure', figure] as const];
    try {
      await inView.setOptions(column, Object.fromEntries([...others, ...chosen]));
    } catch (error) {
      toast({
        severity: 'error',
        summary: t('The view could not be changed'),
        detail: error instanceof Error ? error.message : String(error),
      });
    }
  }

  const close = (): void => {
    setChoice(undefined);
    onClosed();
  };
  const column = choice && columns.find(({ entity }) => entity.id === choice.columnId);
  const menu: ReactNode = choice && column && (
    <FigureMenu
      choice={choice}
      column={column}
      chosen={figures.find(({ columnId }) => columnId === choice.columnId)?.aggregation}
      onChoose={(figure) => void choose(choice.columnId, figure)}
      onClose={close}
    />
  );

  return {
    figures: shown,
    menu,
    open(columnId: string, anchor: HTMLElement): void {
      const { left, right, top } = anchor.getBoundingClientRect();
      setChoice({ columnId, x: isRightToLeft() ? right : left, y: top });
    },
  };
}
