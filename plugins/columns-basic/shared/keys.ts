import { defineColumnType, parseDecimal, parseInteger, parseText } from '@trellis/sdk/shared';

/** The key that the database counts up by itself. */
export const id = defineColumnType<number | string>({
  id: 'ID',
  label: 'ID',
  description: 'The number of the row, given by the database.',
  icon: 'key',
  storage: 'integer',
  accepts: ['integer', 'bigint', 'string'],
  fallback: 'Number',
  operators: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'btw', 'in'],
  order: 900,
  creatable: false,
  editable: false,
  parse: (input, column) => (column.storage === 'string' ? parseText(input) : parseInteger(input)),
  format: (value) => (value === null ? '' : String(value)),
  examples: [{ input: 7001, value: 7001 }],
  invalid: ['seven', 1.5],
  width: 80,
});

/** The key of a row of another table, as a column. Its storage kind is that of the key. */
export const foreignKey = defineColumnType<number | string>({
  id: 'ForeignKey',
  label: 'Foreign key',
  description: 'The key of a row in another table.',
  icon: 'link',
  storage: 'integer',
  accepts: [
    'integer',
    'bigint',
    'decimal',
    'float',
    'string',
    'text',
    'date',
    'datetime',
    'boolean',
    'binary',
  ],
  fallback: 'SingleLineText',
  operators: ['eq', 'neq', 'in', 'null', 'notnull'],
  order: 910,
  creatable: false,
  parse: (input, column) => {
    if (column.storage === 'integer' || column.storage === 'bigint') return parseInteger(input);
    if (column.storage === 'decimal' || column.storage === 'float') return parseDecimal(input, column);
    return parseText(input);
  },
  format: (value) => (value === null ? '' : String(value)),
  examples: [
    { input: 3, value: 3 },
    { input: null, value: null },
  ],
  invalid: ['three'],
  width: 110,
});
