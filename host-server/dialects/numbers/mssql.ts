import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import { binary } from '../texts/mssql.ts';
import { doubles, fromMiddle, somePlaces, type NumberSql, type Rounding } from './default.ts';

/** The type for arithmetic with decimals: 23 digits before the point and 15 after it. Results that do not fit are null. */
export const widestDecimal = 'decimal(38,15)';

const exact = (value: SqlFragment): SqlFragment => sql`try_cast(${value} as ${text(widestDecimal)})`;

function rounded(value: SqlFragment, places: SqlFragment, rounding: Rounding): SqlFragment {
  const count = sql`cast(${places} as int)`;
  switch (rounding) {
    case 'half':
      return sql`round(${value}, ${count})`;
    case 'down':
      return sql`round(${value}, ${count}, 1)`;
    case 'up': {
      const cut = sql`round(${value}, ${count}, 1)`;
      const step = sql`power(cast(10 as ${text(widestDecimal)}), -${count})`;
      return sql`(${cut} + case when ${cut} = ${value} then 0 else sign(${value}) * ${step} end)`;
    }
    case 'ceiling':
      return sql`ceiling(${value})`;
    case 'floor':
      return sql`floor(${value})`;
  }
}

/** The first 15 digits of a double, as a double. */
export function fifteenDigits(value: SqlFragment): SqlFragment {
  return sql`(select case when given.number = 0 then cast(0 as float) else round(given.number, cast(14 - floor(log10(abs(nullif(given.number, 0)))) as int)) end from (select cast(${value} as float) as number) as given)`;
}

export const mssqlNumbers: NumberSql = {
  logarithm: doubles('log').logarithm,
  double: (name, values) =>
    doubles('log').double(
      name,
      values.map((value) => sql`cast(${value} as float)`),
    ),
  round: ({ kind }, value, places, rounding) =>
    rounded(exact(kind === 'float' ? fifteenDigits(value) : value), somePlaces(places), rounding),
  absolute: (_type, value) => sql`abs(${value})`,
  whole({ kind }, value) {
    if (kind === 'integer' || kind === 'bigint') return value;
    return sql`(case when abs(${value}) < 1e15 then cast(round(${value}, 0, 1) as bigint) end)`;
  },
  parse(value) {
    // Without regular expressions: the sign is cut off, and the rest may only contain digits and a point.
    const trimmed = sql`select ltrim(rtrim(${binary(value)})) as words`;
    const unsigned = sql`select given.words, case when given.words like N'[+-]%' then substring(given.words, 2, 100) else given.words end as digits from (${trimmed}) as given`;
    const point = sql`charindex(N'.', signed.digits + N'.')`;
    const length = sql`len(signed.digits)`;
    const isNumber = sql`signed.digits like N'[0-9]%[0-9]' or signed.digits like N'[0-9]'`;
    const isPlain = sql`signed.digits not like N'%[^0-9.]%' and signed.digits not like N'%.%.%'`;
    return sql`(select case when (${isNumber}) and ${isPlain} and ${point} <= 16 and ${length} - ${point} <= 15 then ${exact(text('signed.words'))} end from (${unsigned}) as signed)`;
  },
  extreme(which, { kind }, values) {
    const each = values.map((value) => sql`select ${value} as item`);
    const item = kind === 'string' || kind === 'text' ? binary(text('given.item')) : text('given.item');
    const name = text(which === 'least' ? 'min' : 'max');
    return sql`(select case when count(*) = count(given.item) then ${name}(${item}) end from (${joined(each, ' union all ')}) as given)`;
  },
  median: (_type, values) =>
    fromMiddle(
      values,
      text(values.length % 2 === 1 ? 'max(ranked.item)' : 'avg(cast(ranked.item as float))'),
    ),
};
