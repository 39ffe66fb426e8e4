import type { ExportedColumn } from '@trellis/sdk/server';
import { guardFormula, type CellValue, type SheetNumber, type StorageKind } from '@trellis/sdk/shared';
import type { NumberFormats } from './number-formats.ts';
import { dayOf, momentOf, timeOf } from './serials.ts';

/** The formats of all workbooks, by their indexes in `styles.xml`; those of column types follow. */
export const styles = {
  plain: 0,
  header: 1,
  date: 2,
  datetime: 3,
  time: 4,
  duration: 5,
  guarded: 6,
} as const;

/** A cell of a sheet: a text, or a number with the format of its meaning. */
export type Cell =
  | { readonly kind: 'text'; readonly text: string; readonly style: number }
  | { readonly kind: 'number'; readonly number: string; readonly style: number }
  | { readonly kind: 'boolean'; readonly isTrue: boolean };

const numeric: ReadonlySet<StorageKind> = new Set(['integer', 'bigint', 'decimal', 'float']);
const secondsOfDay = 86_400;
const digitsOfDouble = 15;
const clock = /^\d+:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/;

/** The cell of a value; undefined for an empty one. A value that a sheet cannot hold exactly is a text. */
export function cellOf(value: CellValue, column: ExportedColumn, formats: NumberFormats): Cell | undefined {
  if (value === null || value === undefined) return undefined;
  return ofKind(value, column, formats) ?? textCell(column.text(value));
}

function ofKind(value: CellValue, column: ExportedColumn, formats: NumberFormats): Cell | undefined {
  const storage = column.type?.storage;
  if (typeof value === 'boolean') return { kind: 'boolean', isTrue: value };
  if (storage === 'boolean') return { kind: 'boolean', isTrue: value === 1 || value === '1' };
  if (typeof value === 'string' && storage === 'date') return number(dayOf(value), styles.date);
  if (typeof value === 'string' && storage === 'datetime') return number(momentOf(value), styles.datetime);
  if (typeof value === 'string' && storage === 'time') return number(timeOf(value), styles.time);
  if (storage !== undefined && numeric.has(storage))
    return shownAs(countOf(value, column), formats, column.sheetNumber(value));
  // A computed value is a number only if it is one in JSON.
  return typeof value === 'number' ? number(value, styles.plain) : undefined;
}

/** A number, or seconds if the type writes a clock. Digits beyond those of a double would be lost, so such numbers stay texts. */
function countOf(value: CellValue, column: ExportedColumn): Cell | undefined {
  const isClock = clock.test(column.text(value));
  if (isClock) return number(Number(value) / secondsOfDay, styles.duration);
  if (typeof value === 'number') return number(value, styles.plain);
  const text = typeof value === 'string' ? value : '';
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined;
  const digits = text.replace(/^-?0*|\./g, '').replace(/^0+/, '');
  return digits.length <= digitsOfDouble ? { kind: 'number', number: text, style: styles.plain } : undefined;
}

/** A plain number in its column type's format. */
function shownAs(
  cell: Cell | undefined,
  formats: NumberFormats,
  as: SheetNumber | undefined,
): Cell | undefined {
  if (as === undefined || cell?.kind !== 'number' || cell.style !== styles.plain) return cell;
  const { format, shift = 0 } = as;
  // Parsed with its exponent, the number is the nearest one: a division would round twice.
  const number = shift === 0 ? cell.number : String(Number(`${cell.number}e-${shift}`));
  return { ...cell, number, style: formats.styleOf(format) };
}

function number(value: number | undefined, style: number): Cell | undefined {
  return value === undefined || !Number.isFinite(value)
    ? undefined
    : { kind: 'number', number: String(value), style };
}

/** A text cannot run as a formula, like one in a quoted cell, even after somebody has edited it there. */
function textCell(text: string): Cell | undefined {
  if (text === '') return undefined;
  return { kind: 'text', text, style: guardFormula(text) === text ? styles.plain : styles.guarded };
}
