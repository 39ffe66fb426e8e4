import type { CellValue, ColumnContext, RegistryView } from '@trellis/sdk/shared';
import type { WebColumnType } from '@trellis/sdk/web';
import { isLinkedRow, textOf } from '../shared/index.ts';

/** Averages may have endless decimals. */
const mostDecimals = 4;

/** The format for copying and exporting. */
export const inFiles = (type: WebColumnType): WebColumnType['format'] => type.format;
/** The format for people, in the page's language. */
export const inSight = (type: WebColumnType): WebColumnType['format'] => type.local?.show ?? type.format;

/** Formats values of another column as that column does: amounts with their currency, dates in their format. */
export function writtenAs(
  types: Pick<RegistryView<WebColumnType>, 'get'>,
  writerOf: typeof inFiles,
): (value: CellValue, column: Pick<ColumnContext, 'result'>) => string {
  return function write(value, column): string {
    if (Array.isArray(value))
      return (value as readonly CellValue[]).map((one) => write(one, column)).join(', ');
    const { result } = column;
    const type = result && types.get(result.uidt);
    if (type === undefined || value === null || isLinkedRow(value)) return textOf(value);
    const options: Readonly<Record<string, unknown>> = { ...type.options?.defaults, ...result?.meta };
    const isLong = typeof value === 'number' && !Number.isInteger(value);
    return writerOf(type)(isLong ? Number(value.toFixed(mostDecimals)) : value, {
      id: '',
      title: '',
      required: false,
      storage: result?.storage ?? type.storage,
      options,
    });
  };
}
