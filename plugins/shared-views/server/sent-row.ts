import type { RowInput } from '@trellis/sdk/server';
import { linkErrors } from './link-errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a body holds: the row, and what the page of its type sends beside it. */
export interface SentRow {
  readonly data: RowInput;
  readonly aside: Fields;
}

/** The row of a body, which is an object or, beside files, the JSON text of one. */
export function sentRow(body: unknown): SentRow {
  const fields: Fields = isObject(body) ? body : {};
  const data = typeof fields.data === 'string' ? parsed(fields.data) : fields.data;
  if (!isObject(data)) throw linkErrors.create('SHARED_VIEW_NO_ROW');
  return { data, aside: Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'data')) };
}

/** The title of the column that a file is sent for: the name of its field, or `_<title>`, `_<title>[0]`. */
export function titleOfField(field: string, isTitle: (text: string) => boolean): string | undefined {
  const numbered = /^_(.*?)(?:\[\d*\])?$/s.exec(field)?.[1];
  return [field, field.slice(1), numbered].find((text) => text !== undefined && isTitle(text));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Told as what it is: no row.
  }
}
