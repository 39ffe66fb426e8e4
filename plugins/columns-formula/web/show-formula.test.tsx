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
  ['de', { number_format: 'duration' }, 5400, '1:30'],
  ['en', { number_format: 'duration', duration: 1 }, '-5405', '-1:30:05'],
  ['en', { result: 'datetime', time_format: 'h:mm A' }, '2026-03-04 14:30:00', '2026-03-04 2:30 PM'],
  ['en', { result: 'datetime', moment_part: 'time' }, '2026-03-04 14:30:05', '14:30:05'],
  ['en', { result: 'text', text_format: 'time', time_format: 'h:mm A' }, '14:30:00', '2:30 PM'],
  ['en', { result: 'text', text_format: 'time', time_format: 'h:mm A' }, 'noon', 'noon'],
] as const)('in %s, with %p, %s is shown as %s', (language, options, value, shown) => {
  document.documentElement.lang = language;
  const column = { options: { ...defaultFormulaOptions, result: 'number', ...options } };
  const text = showFormula(value, column as unknown as ColumnContext<FormulaOptions>);
  expect(text.replace(/\s/g, ' ')).toBe(shown);
});
