import type { CellValue, RowKey } from './storage-kind.ts';

const joint = '___';

/**
 * The text that names a row. A single key value is its own text, as clients of the v1 API send it. Several are joined by `___`,
 * and underscores that could be taken for a joint are escaped.
 * @public
 */
export function formatRowKey(values: readonly CellValue[]): RowKey {
  const parts = values.map(textOf);
  return parts.length === 1 ? (parts[0] ?? '') : parts.map(escape).join(joint);
}

/** The key values in a row's name as texts, or undefined when their number differs. @public */
export function parseRowKey(key: RowKey, count: number): readonly string[] | undefined {
  if (count === 1) return [key];
  const parts = key.split(joint);
  return parts.length === count ? parts.map(unescape) : undefined;
}

function textOf(value: CellValue): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

/** An underscore next to another one or at an end could form a joint; a percent sign before one of the two codes could form an escape. */
function escape(part: string): string {
  return part.replace(/%(?=25|5F)/g, '%25').replace(/__+|^_|_$/g, (run) => '%5F'.repeat(run.length));
}

function unescape(part: string): string {
  return part.replace(/%(25|5F)/g, (_, code) => (code === '25' ? '%' : '_'));
}
