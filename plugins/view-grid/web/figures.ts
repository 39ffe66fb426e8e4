import type { Aggregation, AggregationOf, CellValue } from '@trellis/sdk/shared';
import { formatCell, kindOfValues } from '@trellis/sdk/web';
import type { GridColumn } from '@trellis/sdk/web/grid';
import { pageLanguage } from '@trellis/sdk/web/ui';
import type { ViewColumn } from '@trellis/sdk/web/views';

/** Averages of whole numbers run on for ever. */
const mostDecimals = 4;

/** Which figure a view has under each column, in the order of its columns. */
export function figuresOf(columns: readonly ViewColumn[]): readonly AggregationOf[] {
  return columns.flatMap(({ column, options }) =>
    typeof options.figure === 'string' ? [{ columnId: column.id, aggregation: options.figure }] : [],
  );
}

export function suits({ accepts }: Aggregation, { entity, type }: GridColumn): boolean {
  const kind = kindOfValues(entity, type);
  return accepts === 'any' || (kind !== undefined && accepts.includes(kind));
}

/** A figure under a column of the grid. */
export interface ShownFigure {
  readonly columnId: string;
  /** Undefined while its plugin is off. */
  readonly aggregation: Aggregation | undefined;
  readonly text: string;
}

/** The figures of columns that the grid has, in words. */
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

/** A figure in words: dots until it is read, a dash where there is none. */
function figureText(
  value: CellValue | undefined,
  aggregation: Aggregation | undefined,
  { entity, type }: GridColumn,
): string {
  if (value === undefined) return '…';
  if (value === null || aggregation === undefined) return '–';
  if (aggregation.format === 'column') {
    const isLong = typeof value === 'number' && !Number.isInteger(value);
    return formatCell(isLong ? Number(value.toFixed(mostDecimals)) : value, entity, type);
  }
  if (aggregation.format === 'number') return Number(value).toLocaleString(pageLanguage());
  const share = { style: 'percent', maximumFractionDigits: 1 } as const;
  return (Number(value) / 100).toLocaleString(pageLanguage(), share);
}
