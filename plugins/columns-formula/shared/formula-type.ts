import { defineColumnType } from '@trellis/sdk/shared';
import {
  addressOf,
  defaultFormulaOptions,
  formulaSchema,
  writeMoment,
  writeNumber,
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
  parse: () => ({ ok: false, message: 'is computed by its formula' }),
  format(value, { options }) {
    if (value === null) return '';
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number' || options.result === 'number') return writeNumber(value, options);
    if (options.result === 'date' || options.result === 'datetime')
      return writeMoment(value, options.date_format);
    return addressOf(value) ?? value;
  },
  examples: [],
  width: 180,
});
