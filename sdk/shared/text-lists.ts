import type { CellValue } from './storage-kind.ts';

/**
 * The parts of a list that is written as a text: they stand between commas, without the blanks around them. A part in double quotes
 * may hold commas; a quote in it is written twice. What only begins with a quote is a part as it stands.
 * @public
 */
export function readTextList(text: string): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const [whole = '', quoted, plain = ''] = partOfList.exec(rest) ?? [];
    parts.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (whole.length === rest.length) return parts.filter((part) => part !== '');
    rest = rest.slice(whole.length + 1);
  }
}

/**
 * The values of a comparison that takes a list, one of arity `list`: a list, or a text that `readTextList` reads. Every such comparison reads
 * its values by this, since what follows a renamed option and what says why a value does not fit do so, too.
 * @public
 */
export function filterList(value: CellValue | undefined): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  return readTextList(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** A quoted part up to the next comma or the end, or all that stands before the next comma. */
const partOfList = /^(?:\s*"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/;

/**
 * Writes parts as `readTextList` reads them.
 * @public
 */
export function writeTextList(parts: readonly string[]): string {
  return parts
    .map((part) => (/,|^"|^\s|\s$/.test(part) ? `"${part.replaceAll('"', '""')}"` : part))
    .join(',');
}
