import type { ColumnRow } from './column-model.ts';

/** In pixels, where nobody has chosen another one. */
export const defaultColumnWidth = 180;

/** Column names that hold when a row was made and changed; such columns count as system columns. */
const stampNames = new Set(['created_at', 'updated_at']);

/** Whether the server or the database fills a column, so that views hide it at first. */
export function isSystemColumn(row: ColumnRow): boolean {
  const isFilled = row.auto_increment || row.default_value !== null || row.meta?.ag !== undefined;
  return (
    row.system ||
    row.uidt === 'ForeignKey' ||
    stampNames.has(row.column_name) ||
    (row.primary_key && isFilled)
  );
}

/** Whether a view shows a column at first. Foreign keys are shown as long as no link column stands for them. */
export function isShownAtFirst(row: ColumnRow): boolean {
  return !isSystemColumn(row) || row.uidt === 'ForeignKey';
}

/** The same for a database that was there before: people know its rows by their keys. */
export function isShownOfExternal(row: ColumnRow): boolean {
  return isShownAtFirst(row) || row.primary_key;
}
