import type { Aggregation, AggregationOf, CellValue } from '@trellis/sdk/shared';
import type { GridColumn } from '@trellis/sdk/web/grid';
import { figureText, type ViewColumn } from '@trellis/sdk/web/views';

/** A view's summary under each column, in the columns' order. */
export function figuresOf(columns: readonly ViewColumn[]): readonly AggregationOf[] {
  return columns.flatMap(({ column, options }) =>
    typeof options.figure === 'string' ? [{ columnId: column.id, aggregation: options.figure }] : [],
  );
}

/** A summary under a column of the grid. */
export interface ShownFigure {
  readonly columnId: string;
  /** Undefined if its plugin is disabled. */
  readonly aggregation: Aggregation | undefined;
  readonly text: string;
}

/** The summaries of the grid's columns as text. */
export function shownFigures(
  figures: readonly AggregationOf[],
  of: { readonly columns: readonly GridColumn[]; readonly aggregations: readonly Aggregation[] },
  valueOf: (figure: AggregationOf) => CellValue | undefined,
): readonly ShownFigure[] {
  return figures.flatMap((figure): readonly ShownFigure[] => {
    const { columnId } = figure;
    const column = of.columns.find(({ entity }) => entity.id === columnId);
    if (column === undefined) return [];
    const aggregation = of.aggregations.find(({ id }) => id === figure.aggregation);
    return [{ columnId, aggregation, text: figureText(valueOf(figure), aggregation, column) }];
  });
}
