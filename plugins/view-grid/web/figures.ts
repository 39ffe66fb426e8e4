import type { Aggregation, AggregationOf, CellValue } from '@trellis/sdk/shared';
import { formatCell } from '@trellis/sdk/web';
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

export function suits({ accepts }: Aggregation, { entity }: GridColumn): boolean {
  return accepts === 'any' || accepts.includes(entity.storage);
}

/** A figure in words: dots until it is read, a dash where there is none. */
export function figureText(
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
