import { DatabaseError } from './database-error.ts';

/**
 * How a cell becomes JSON. `plain`: text, number or null as the driver returns it; `integer`: digits as a number if that is
 * exact; `boolean`: 0 and 1 as false and true; `json`: the text of the cell is JSON already; `text`: numbers as their digits;
 * `decimal`: digits as a text without trailing zeros; `base64`: bytes as text.
 */
export type JsonCellKind = 'plain' | 'integer' | 'boolean' | 'json' | 'text' | 'decimal' | 'base64';

export interface JsonCell {
  /** The key in the object of the row. */
  readonly key: string;
  readonly as: JsonCellKind;
}

/** A function that writes a row as a JSON object, cells in the order of `cells`. */
export function jsonRowWriter(cells: readonly JsonCell[]): (row: readonly unknown[]) => string {
  const keys = cells.map(({ key }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
  const kinds = cells.map(({ as }) => as);
  return (row) => {
    if (keys.length === 0) return '{}';
    let text = '';
    // An indexed loop instead of an iterator, since it runs for each cell of each page.
    for (let index = 0; index < keys.length; index += 1)
      text += (keys[index] ?? '') + writeCell(row[index], kinds[index]);
    return `${text}}`;
  };
}

/** Rows as the bytes of a JSON array. Throws a `DatabaseError` of kind `tooLarge` for more than `maxBytes`. */
export function writeJsonRows(
  rows: Iterable<readonly unknown[]>,
  cells: readonly JsonCell[],
  maxBytes = Number.POSITIVE_INFINITY,
): Uint8Array<ArrayBuffer> {
  const write = jsonRowWriter(cells);
  let text = '';
  for (const row of rows) {
    text += (text === '' ? '[' : ',') + write(row);
    if (text.length > maxBytes) throw new DatabaseError('tooLarge');
  }
  return new TextEncoder().encode(text === '' ? '[]' : `${text}]`);
}

/** A decimal without trailing zeros: databases give different numbers of them for the same value. */
export function shortestDecimal(digits: string): string {
  return digits.includes('.') ? digits.replace(/0+$/, '').replace(/\.$/, '') : digits;
}

/** A cell as JSON. */
export function writeCell(value: unknown, as: JsonCellKind | undefined): string {
  if (value === null || value === undefined) return 'null';
  switch (as) {
    case 'integer':
      return typeof value === 'string' && /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))
        ? JSON.stringify(Number(value))
        : writePlain(value);
    case 'boolean':
      return value === 1 || value === true || value === '1' ? 'true' : 'false';
    case 'json':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'text':
      return typeof value === 'string' ? JSON.stringify(value) : `"${JSON.stringify(value)}"`;
    case 'decimal':
      if (typeof value === 'string') return JSON.stringify(shortestDecimal(value));
      return typeof value === 'number' ? JSON.stringify(String(value)) : writePlain(value);
    case 'base64':
      return value instanceof Uint8Array
        ? `"${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')}"`
        : JSON.stringify(value);
    default:
      return writePlain(value);
  }
}

/** Bytes in a column of another kind are written as the main thread would, if they are no `Buffer`. */
function writePlain(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return JSON.stringify(value instanceof Uint8Array ? Object.fromEntries(value.entries()) : value);
}
