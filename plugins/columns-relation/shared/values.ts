import type { CellValue } from '@trellis/sdk/shared';

/** A linked row in a cell: the columns of its key, then its display column. */
export type LinkedRow = { readonly [title: string]: CellValue };

/** The most linked rows of a cell, unless its reader requests others; with this number there may be more. */
export const mostInCell = 25;

export function isLinkedRow(value: unknown): value is LinkedRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The linked rows of a cell: none, one, or a list. */
export function linkedRowsOf(value: unknown): readonly LinkedRow[] {
  if (Array.isArray(value)) return value.filter(isLinkedRow);
  return isLinkedRow(value) ? [value] : [];
}

/** The displayed name of a linked row: its last value. */
export function nameOf(row: LinkedRow): string {
  const last = Object.values(row).at(-1) ?? null;
  return textOf(last);
}

/** The text of a looked-up value; several are joined by commas. */
export function textOf(value: CellValue): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (isLinkedRow(value)) return nameOf(value);
  return (value as readonly CellValue[]).map(textOf).join(', ');
}
