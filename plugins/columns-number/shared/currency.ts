import { defaultMoneyLocale, orderOperators } from '#plugins/columns-basic/shared';
import { defineColumnType, parseDecimal, readNumbersTogether } from '@trellis/sdk/shared';
import { currenciesOf } from './currencies-of-texts.ts';
import { defaultCurrencyOptions, readMoney, sheetMoney, writeMoney, type CurrencyOptions } from './money.ts';

/** An amount of money, exact in every digit. */
export const currency = defineColumnType<number | string, CurrencyOptions>({
  id: 'Currency',
  label: 'Currency',
  description: 'An amount of money.',
  icon: 'dollar',
  storage: 'decimal',
  accepts: ['decimal', 'float', 'integer', 'bigint'],
  fallback: 'Decimal',
  holds: 'number',
  operators: orderOperators,
  readTogether: readNumbersTogether,
  order: 42,
  options: {
    schema: {
      type: 'object',
      properties: {
        currency_code: { type: 'string', title: 'Currency', default: 'USD' },
        currency_locale: {
          type: 'string',
          title: 'Written as in',
          default: defaultMoneyLocale,
        },
        currency_format: { enum: ['page', 'locale'], title: 'Written as' },
      },
    },
    defaults: defaultCurrencyOptions,
  },
  checkOptions({ currency_code: code, currency_locale: locale }) {
    if (!/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$/.test(locale)) return { message: 'Invalid locale' };
    return /^[A-Z]{3}$/.test(code) ? undefined : { message: 'Invalid Currency Code' };
  },
  parse: (input, column) =>
    typeof input === 'number' ? parseDecimal(input, column) : readMoney(input, column.options),
  validators: [
    {
      id: 'isCurrency',
      accepts: (amount) => typeof amount === 'number' || parseDecimal(amount).ok,
      message: 'must be an amount such as 1234.50',
    },
  ],
  format: (value, column) => (value === null ? '' : writeMoney(value, column.options)),
  sheetNumber: (_value, column) => ({ format: sheetMoney(column.options) }),
  // Amounts in several currencies would all become amounts in one.
  guess: (samples) => (currenciesOf(samples)?.length === 1 ? 0.95 : 0),
  examples: [
    { input: 12.5, value: 12.5 },
    { input: '$1,234.50', value: 1234.5 },
    { input: '-$0.75', value: -0.75 },
    { input: '1 234,50 €', value: 1234.5 },
    { input: '(3.25)', value: -3.25 },
    { input: '1234.5', value: 1234.5 },
    { input: 0, value: 0 },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['much', '1.2.3', '$', '(3', Number.NaN, { a: 1 }],
  width: 140,
});
