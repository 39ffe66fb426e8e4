import type { Kind } from './typed.ts';
import { isMoment, momentAt, momentOf, timeOf, type Value } from './values.ts';

/** Converts a cell of the API to a formula's value. */
export function valueOfCell(kind: Kind | undefined, cell: unknown): Value {
  if (cell === null || cell === undefined) return null;
  if (kind === 'number') return Number(cell);
  if (kind === 'boolean') return cell === true || cell === 1 || cell === '1' || cell === 'true';
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell as string | number | boolean);
  if (kind !== 'date' && kind !== 'datetime') return text;
  const moment = momentOf(text);
  return moment?.kind === 'datetime' && kind === 'date' ? momentAt('date', timeOf(moment)) : (moment ?? null);
}

/** Converts a value to the API's cell of a computed column. */
export function cellOfValue(value: Value): string | number | boolean | null {
  return isMoment(value) ? value.text : value;
}
