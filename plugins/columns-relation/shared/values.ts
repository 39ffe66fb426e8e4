import type { CellValue } from '@trellis/sdk/shared';

/** A linked row as a cell holds it: the columns of its key, then the column that names it. */
export type LinkedRow = { readonly [title: string]: CellValue };

/** Linked rows that a cell holds at the most, unless its reader asks for others; with so many there may be more. */
export const mostInCell = 25;

export function isLinkedRow(value: unknown): value is LinkedRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The linked rows of a cell: none, one, or a list. */
export function linkedRowsOf(value: unknown): readonly LinkedRow[] {
  if (Array.isArray(value)) return value.filter(isLinkedRow);
  return isLinkedRow(value) ? [value] : [];
}

/** What names a linked row to people: the value that stands last. */
export function nameOf(row: LinkedRow): string {
  const last = Object.values(row).at(-1) ?? null;
  return textOf(last);
}

/** The text of a value that was looked up; several are joined by commas. */
export function textOf(value: CellValue): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (isLinkedRow(value)) return nameOf(value);
  return (value as readonly CellValue[]).map(textOf).join(', ');
}
