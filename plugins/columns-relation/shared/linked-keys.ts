import { formatRowKey, type CellValue, type ColumnEntity, type FilterColumn } from '@trellis/sdk/shared';
import { linkedRowsOf, mostInCell } from './values.ts';

/** A function for the keys of the rows in a link's cells; undefined if cells do not contain them. */
export function linkedKeysOf({ colOptions }: Pick<ColumnEntity, 'colOptions'>): FilterColumn['linkedKeys'] {
  const { related_key_titles: titles = [] } = (colOptions ?? {}) as {
    readonly related_key_titles?: readonly string[];
  };
  if (titles.length === 0) return undefined;
  return (cell) => {
    // Typed titles that are being sent to the database.
    if (cell !== null && typeof cell !== 'object') return undefined;
    const rows = linkedRowsOf(cell);
    const keys = rows.map((row) => titles.map((title): CellValue => row[title] ?? null));
    // The key may be hidden from the caller.
    if (keys.some((key) => key.includes(null))) return undefined;
    return { keys: keys.map(formatRowKey), isWhole: !Array.isArray(cell) || cell.length < mostInCell };
  };
}
