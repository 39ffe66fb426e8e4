export { autoNumber } from './auto-number.ts';
export { currenciesOf } from './currencies-of-texts.ts';
export { currency } from './currency.ts';
export { duration, type DurationOptions } from './duration.ts';
export { readMoney, writeMoney, type CurrencyOptions } from './money.ts';
export { percent, readPercent, type PercentOptions } from './percent.ts';
