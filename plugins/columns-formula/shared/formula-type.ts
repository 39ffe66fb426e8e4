import { defineColumnType } from '@trellis/sdk/shared';
import {
  addressOf,
  defaultFormulaOptions,
  formulaSchema,
  writeMoment,
  writeNumber,
  writeText,
  type FormulaOptions,
} from './options.ts';

export type FormulaCell = string | number | boolean;

/** A column that is computed from the others of its row. */
export const formula = defineColumnType<FormulaCell, FormulaOptions>({
  id: 'Formula',
  label: 'Formula',
  description: 'A value that is computed from other columns.',
  icon: 'calculator',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'SingleLineText',
  operators: ['eq', 'neq', 'like', 'nlike', 'gt', 'gte', 'lt', 'lte', 'null', 'notnull'],
  options: { schema: formulaSchema, defaults: defaultFormulaOptions },
  order: 80,
  editable: false,
  // Cells are computed; this parses the values that filters compare them with.
  parse: (input) => {
    const isPlain = typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean';
    return { ok: true, value: isPlain && input !== '' ? input : null };
  },
  format(value, { options }) {
    if (value === null) return '';
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number' || options.result === 'number') return writeNumber(value, options);
    if (options.result === 'date' || options.result === 'datetime') return writeMoment(value, options);
    return addressOf(value) ?? writeText(value, options);
  },
  examples: [],
  width: 180,
});
