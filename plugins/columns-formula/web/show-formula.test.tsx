import { afterEach, expect, test } from '@jest/globals';
import type { ColumnContext } from '@trellis/sdk/shared';
import { defaultFormulaOptions, type FormulaOptions } from '../shared/options.ts';
import { showFormula } from './show-formula.ts';

afterEach(() => {
  document.documentElement.lang = '';
});

test.each([
  ['de', { number_format: 'plain' }, 1234.5, '1234,5'],
  ['de', { number_format: 'decimal' }, 1234.5, '1.234,50'],
  ['en', { number_format: 'decimal' }, '1234.5', '1,234.50'],
  ['de', { number_format: 'percent' }, 12.5, '12,50 %'],
  ['de', { number_format: 'currency' }, 12.5, '12,50 $'],
  ['de', { number_format: 'currency', currency_format: 'locale' }, 12.5, '$12.50'],
  ['en', { number_format: 'currency', currency_locale: 'de-DE' }, 12.5, '12,50 $'],
  ['de', { result: 'text' }, '1234.5', '1234.5'],
] as const)('in %s, with %p, %s is shown as %s', (language, options, value, shown) => {
  document.documentElement.lang = language;
  const column = { options: { ...defaultFormulaOptions, result: 'number', ...options } };
  const text = showFormula(value, column as unknown as ColumnContext<FormulaOptions>);
  expect(text.replace(/\s/g, ' ')).toBe(shown);
});
