import { describe, expect, it } from '@jest/globals';
import { parseDecimal } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { moneyLocales } from '#plugins/columns-basic/shared';
import { currency } from './currency.ts';
import { defaultCurrencyOptions, readMoney, writeMoney } from './money.ts';

const read = (text: string, currency_locale = 'en-US', currency_code = 'USD') => {
  const result = readMoney(text, { currency_locale, currency_code });
  return result.ok ? result.value : 'refused';
};

/** Values as a column keeps them: texts where a double would round them. */
const values = fc
  .tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: -20, max: 0 }))
  .map(([whole, exponent]) => parseDecimal(`${whole}e${exponent}`))
  .map((kept) => (kept.ok ? (kept.value ?? 0) : 0));

describe('readMoney', () => {
  it.each(moneyLocales)('reads every currency and every value as %s writes it', (currency_locale) => {
    for (const currency_code of Intl.supportedValuesOf('currency')) {
      const options = { currency_locale, currency_code };
      fc.assert(
        fc.property(values, (value) => {
          expect([currency_code, read(writeMoney(value, options), currency_locale, currency_code)]).toEqual([
            currency_code,
            value,
          ]);
        }),
        { numRuns: 8, examples: [[0], [-0.5], [1234.5], [-12345678.25], [1000]] },
      );
    }
  });

  it.each([
    ['en-US', '$1,234.50', 1234.5],
    ['en-US', '1,234', 1234],
    ['en-US', '$.50', 0.5],
    ['en-US', '($3.25)', -3.25],
    ['en-US', '$ (3.25)', -3.25],
    ['en-US', '-$5', -5],
    ['en-US', '$-5', -5],
    ['en-US', '+5 €', 5],
    ['en-US', '$12 USD', 12],
    ['en-US', 'US$ 12', 12],
    ['en-US', 'EUR 7', 7],
    ['en-US', '12 US dollars', 12],
    ['en-US', '1.5E+3', 1500],
    ['en-IN', '₹12,34,567.50', 1234567.5],
    ['en-IN', '1,234,567', 1234567],
    ['de-DE', '12,5 €', 12.5],
    ['de-DE', '1.234 €', 1234],
    ['de-DE', '1.234', 1.234],
    ['de-DE', '1.234.567', 1234567],
    ['de-DE', '1 234,50', 1234.5],
    ['de-CH', 'CHF 1’234.50', 1234.5],
    ['fr-FR', '1\u202F234,50 €', 1234.5],
    ['sv-SE', '\u22121\u00A0234,50', -1234.5],
    ['ja-JP', '￥１２３', 123],
    ['ar-EG', '١٬٢٣٤٫٥٠', 1234.5],
    ['ar-EG', '1,234.50', 1234.5],
    ['hi-IN', '१२', 12],
    ['en-US', '12,5', 12.5],
    ['en-US', '12,50 €', 12.5],
    ['en-US', '-1.234,5', -1234.5],
    ['en-US', '1,2345', 1.2345],
    ['en-US', '1.234.567,89', 1234567.89],
    ['de-DE', '12.5 €', 12.5],
    ['de-DE', '0.125 €', 0.125],
    ['de-DE', '1,234.50', 1234.5],
    ['ar-EG', '12,5', 12.5],
  ])('reads in %s %s', (locale, text, value) => {
    expect(read(text, locale)).toBe(value);
  });

  it.each([
    ['en-US', 'Row 21'],
    ['en-US', 'about 7 kg'],
    ['en-US', '7 kg'],
    ['en-US', 'x'],
    ['en-US', '$'],
    ['en-US', 'top 5'],
    ['en-US', '1.2.3'],
    ['en-US', '12,34,567'],
    ['en-US', '--5'],
    ['en-US', '(-5)'],
    ['en-US', '(5'],
    ['en-US', '5)'],
    ['en-US', '5 5'],
    ['en-US', '2024-05-06'],
    ['de-DE', '1,2,3'],
  ])('refuses in %s %s', (locale, text) => {
    expect(read(text, locale)).toBe('refused');
  });

  it('knows no currency and no language of other forms', () => {
    const of = (currency_locale: string, currency_code: string) =>
      currency.checkOptions?.({ ...defaultCurrencyOptions, currency_locale, currency_code });
    expect(of('de-CH', 'CHF')).toBeUndefined();
    expect(of('de_CH', 'CHF')).toEqual({ message: 'Invalid locale' });
    expect(of('de-CH', 'Franken')).toEqual({ message: 'Invalid Currency Code' });
  });

  it('refuses long texts and reads any other without failing', () => {
    for (const piece of ['1', '1,', '$', ' ', "1'", '(', '١', '-', '𝟘'])
      expect(read(piece.repeat(100_000))).toBe('refused');
    fc.assert(
      fc.property(fc.stringMatching(/^[123., '$()٬٫١₹€xUSD\u202F+-]*$/), (text) => {
        for (const locale of ['en-US', 'en-IN', 'de-DE', 'ar-EG']) read(text, locale);
      }),
    );
  });
});
