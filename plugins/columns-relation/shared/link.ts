import { defineColumnType, type CellValue } from '@trellis/sdk/shared';
import { textOf } from './values.ts';

/** Kept as it comes: cells of these types are read and never written, so there is nothing to check. */
export const asItComes = (input: unknown) => ({ ok: true, value: (input ?? null) as CellValue }) as const;

/** A link to rows of another table; its cells hold their keys and names. Written through links, never as a cell. */
export const linkToAnotherRecord = defineColumnType<CellValue>({
  id: 'LinkToAnotherRecord',
  label: 'Link to another table',
  description: 'Rows of another table, or of this one, that belong to the row.',
  icon: 'share-alt',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'SingleLineText',
  operators: ['eq', 'neq', 'like', 'nlike', 'empty', 'notempty', 'null', 'notnull'],
  order: 200,
  editable: false,
  parse: asItComes,
  format: textOf,
  examples: [],
  width: 220,
});
