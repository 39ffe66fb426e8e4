import { textOperators } from '#plugins/columns-basic/shared';
import { defineColumnType, parseText } from '@trellis/sdk/shared';

/** A column of an existing database with an unknown type: shown as text, read-only. */
export const specificDBType = defineColumnType<string>({
  id: 'SpecificDBType',
  label: 'Database type',
  description: 'A type of the database that is shown as text.',
  icon: 'database',
  storage: 'text',
  accepts: [
    'text',
    'string',
    'json',
    'binary',
    'decimal',
    'float',
    'integer',
    'bigint',
    'date',
    'time',
    'datetime',
  ],
  fallback: 'LongText',
  creatable: false,
  editable: false,
  operators: textOperators,
  order: 920,
  parse: parseText,
  format: (value) =>
    value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
  examples: [
    { input: '{1,2}', value: '{1,2}' },
    { input: null, value: null },
  ],
  invalid: [{ a: 1 }],
  width: 180,
});
