import { joined, sql, text } from '../../sql/fragment.ts';
import { sqliteFunctions } from '../functions/sqlite.ts';
import { defaultNumbers, fromMiddle, type NumberSql } from './default.ts';

/** Decimals are stored as text and computed by functions in JavaScript. */
export const sqliteNumbers: NumberSql = {
  ...defaultNumbers,
  round({ kind }, value, places, rounding) {
    // Functions in JavaScript get whole numbers as doubles.
    const digits = kind === 'integer' || kind === 'bigint' ? sql`cast(${value} as text)` : value;
    return sql`trellis_decimal_round(${digits}, ${places}, ${text(`'${rounding}'`)})`;
  },
  absolute: ({ kind }, value) => (kind === 'decimal' ? sql`ltrim(${value}, '-')` : sql`abs(${value})`),
  whole({ kind }, value) {
    if (kind === 'integer' || kind === 'bigint') return value;
    const real = sql`cast(${value} as real)`;
    return sql`(case when abs(${real}) < 1e15 then cast(${real} as integer) end)`;
  },
  parse: (value) => sql`trellis_number(${value})`,
  extreme(which, type, values) {
    const [first = text('null')] = values;
    // With one argument, `min` is the aggregate over all rows.
    if (values.length < 2) return first;
    const name = text(which === 'least' ? 'min' : 'max');
    const keys = values.map((value) => sqliteFunctions.groupKey(type, value));
    const found = sql`${name}(${joined(keys, ', ')})`;
    return type.kind === 'decimal' ? sql`trellis_decimal_of_key(${found})` : found;
  },
  median(type, values) {
    const keys = values.map((value) => sqliteFunctions.groupKey(type, value));
    const value = (key: string) => text(type.kind === 'decimal' ? `trellis_decimal_of_key(${key})` : key);
    const found =
      values.length % 2 === 1 ? value('max(ranked.item)') : sql`avg(cast(${value('ranked.item')} as real))`;
    return fromMiddle(keys, found);
  },
};
