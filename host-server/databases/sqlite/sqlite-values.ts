import type { Binding } from '../../sql/session.ts';

/** A binding in the driver's form; better-sqlite3 binds every number as a double, which a text column would store as `5.0`. */
export function toSqlite(value: Binding): unknown {
  switch (typeof value) {
    case 'boolean':
      return value ? 1n : 0n;
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'object':
      return value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    default:
      return value;
  }
}

/** Converts the cells of a row in place: an integer becomes a number, or text if a number cannot hold it. */
export function fromRow(row: unknown[]): unknown[] {
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index];
    if (typeof value === 'bigint') row[index] = fromInteger(value);
  }
  return row;
}

/** The rows one after another, with cells as from `fromRow`. */
export function* plainRows(found: Iterable<unknown[]>): Generator<unknown[], void, undefined> {
  for (const row of found) yield fromRow(row);
}

export function fromInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
