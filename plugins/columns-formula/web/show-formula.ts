import { editNumber, withPercentSign } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import type { ColumnContext } from '@trellis/sdk/shared';
import { formula, type FormulaCell } from '../shared/formula-type.ts';
import { writeNumber, type FormulaOptions } from '../shared/options.ts';

/** What a formula gives, as people of the page's language write it. Amounts of money are written as the column says. */
export function showFormula(value: FormulaCell | null, column: ColumnContext<FormulaOptions>): string {
  const { options } = column;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && options.result === 'number');
  if (!isNumber) return formula.format(value, column);
  if (options.number_format === 'plain') return editNumber(value);
  return writeNumber(value, options, pageLanguage(), withPercentSign);
}
