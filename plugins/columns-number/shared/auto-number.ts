import { orderOperators } from '#plugins/columns-basic/shared';
import { defineColumnType, parseInteger } from '@trellis/sdk/shared';

/** The number of a row, in the order in which rows are added. */
export const autoNumber = defineColumnType<number | string>({
  id: 'AutoNumber',
  label: 'Auto number',
  description: 'Counts the rows as they are added.',
  icon: 'sort-numeric-down',
  storage: 'integer',
  accepts: ['integer', 'bigint'],
  fallback: 'Number',
  holds: 'number',
  editable: false,
  numbersRows: true,
  operators: orderOperators,
  order: 48,
  parse: parseInteger,
  format: (value) => (value === null ? '' : String(value)),
  examples: [
    { input: 7001, value: 7001 },
    { input: null, value: null },
  ],
  invalid: ['seven', 1.5],
  width: 110,
});
