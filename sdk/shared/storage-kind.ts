/**
 * How a value is stored in a database, whatever column type shows it.
 *
 * The dialect layer only knows kinds: it maps kinds, and never column types, to native types, so that a column outlives the
 * plugin that made it.
 * @public
 */
export const storageKinds = [
  'boolean',
  'integer',
  'bigint',
  'decimal',
  'float',
  'string',
  'text',
  'date',
  'time',
  'datetime',
  'json',
  'binary',
  'virtual',
] as const;

/** One of `storageKinds`. @public */
export type StorageKind = (typeof storageKinds)[number];

/** Whether a value is the name of a storage kind. @public */
export function isStorageKind(value: unknown): value is StorageKind {
  return (storageKinds as readonly unknown[]).includes(value);
}

/**
 * The value of a cell on the wire. `null` is an empty cell: data, not absence.
 *
 * `bigint` beyond 2^53 and every `decimal` are strings of digits; `date` as `YYYY-MM-DD`, `time` as `HH:mm:ss`, `datetime` as
 * `YYYY-MM-DD HH:mm:ss` or ISO text (as the database keeps it), never as a `Date`.
 * @public
 */
export type CellValue =
  string | number | boolean | null | readonly CellValue[] | { readonly [key: string]: CellValue };

/** A row of the API: column titles to values. It has no prototype, so that a column may be named `__proto__`. @public */
export type Row = { readonly [title: string]: CellValue };

/** The text that names a row: its primary-key values in key order, escaped and joined by `___`. @public */
export type RowKey = string;
