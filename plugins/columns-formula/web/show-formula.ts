import { editNumber, withPercentSign } from '@trellis/sdk/web';
import { isWrittenAsPage } from '#plugins/columns-basic/shared';
import { pageLanguage, pageLocale } from '@trellis/sdk/web/ui';
import type { ColumnContext } from '@trellis/sdk/shared';
import { formula, type FormulaCell } from '../shared/formula-type.ts';
import { writeNumber, type FormulaOptions } from '../shared/options.ts';

/** A formula's result in the page's language. */
export function showFormula(value: FormulaCell | null, column: ColumnContext<FormulaOptions>): string {
  const { options } = column;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && options.result === 'number');
  if (!isNumber) return formula.format(value, column);
  if (options.number_format === 'plain') return editNumber(value);
  return writeNumber(value, inPage(options), pageLanguage(), withPercentSign);
}

/** The effective options: the column's locale for amounts if somebody chose one, otherwise the page's. */
export function inPage(options: FormulaOptions): FormulaOptions {
  return isWrittenAsPage(options) ? { ...options, currency_locale: pageLocale().baseName } : options;
}
