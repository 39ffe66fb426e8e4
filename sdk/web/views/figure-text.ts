import type { Aggregation, CellValue, ColumnEntity } from '../../shared/index.ts';
import { holdsSeveral, showCell, kindOfValues } from '../columns.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { pageLanguage } from '../ui/index.ts';

/** Averages of whole numbers may have endless decimals. */
const mostDecimals = 4;

interface OfColumn {
  readonly entity: ColumnEntity;
  readonly type: WebColumnType | undefined;
}

/** Whether an aggregation supports the values of a column. @public */
export function suitsFigure(
  { accepts, ofLists }: Aggregation,
  { entity }: Pick<OfColumn, 'entity'>,
): boolean {
  if (holdsSeveral(entity)) return ofLists === true && accepts === 'any';
  const kind = kindOfValues(entity);
  return accepts === 'any' || (kind !== undefined && accepts.includes(kind));
}

/** The text of an aggregation: dots until it is loaded, a dash if there is none. @public */
export function figureText(
  value: CellValue | undefined,
  aggregation: Aggregation | undefined,
  { entity, type }: OfColumn,
): string {
  if (value === undefined) return '…';
  if (value === null || aggregation === undefined) return '–';
  if (aggregation.format === 'column') {
    const isLong = typeof value === 'number' && !Number.isInteger(value);
    return showCell(isLong ? Number(value.toFixed(mostDecimals)) : value, entity, type);
  }
  if (aggregation.format === 'number') return Number(value).toLocaleString(pageLanguage());
  const share = { style: 'percent', maximumFractionDigits: 1 } as const;
  return (Number(value) / 100).toLocaleString(pageLanguage(), share);
}
