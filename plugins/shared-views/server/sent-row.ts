import type { RowInput } from '@trellis/sdk/server';
import { linkErrors } from './link-errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The content of a body: the row, and further fields for its view type. */
export interface SentRow {
  readonly data: RowInput;
  readonly aside: Fields;
}

/** The row of a body: an object or, in a body with files, its JSON text. */
export function sentRow(body: unknown): SentRow {
  const fields: Fields = isObject(body) ? body : {};
  const data = typeof fields.data === 'string' ? parsed(fields.data) : fields.data;
  if (!isObject(data)) throw linkErrors.create('SHARED_VIEW_NO_ROW');
  return { data, aside: Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'data')) };
}

/** The title of a file's column: the name of its field, or `_<title>`, `_<title>[0]`. */
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
    return undefined; // Reported as an invalid row.
  }
}
