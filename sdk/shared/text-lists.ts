import type { CellValue } from './storage-kind.ts';

/**
 * The parts of a list that is written as a text: they are separated by commas, and blanks around them are ignored. A part in
 * double quotes may contain commas; a quote in it is written twice. A part that only begins with a quote is taken literally.
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
 * The values of a comparison of arity `list`: a list, or a text that `readTextList` reads. Every such comparison must read its
 * values by this function, because renaming options and explaining unfit values use it too.
 * @public
 */
export function filterList(value: CellValue | undefined): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  return readTextList(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** A quoted part up to the next comma or the end, or everything before the next comma. */
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
