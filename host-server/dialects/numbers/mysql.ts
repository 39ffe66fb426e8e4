import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import {
  defaultNumbers,
  middlePlaces,
  numberPattern,
  somePlaces,
  type NumberSql,
  type Rounding,
} from './default.ts';

const exact = (value: SqlFragment): SqlFragment => sql`cast(${value} as decimal(65,30))`;

function rounded(value: SqlFragment, places: SqlFragment, rounding: Rounding): SqlFragment {
  switch (rounding) {
    case 'half':
      return sql`round(${value}, ${places})`;
    case 'down':
      return sql`truncate(${value}, ${places})`;
    case 'up': {
      const cut = sql`truncate(${value}, ${places})`;
      const step = sql`cast(power(10, -(${places})) as decimal(40,15))`;
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
  return sql`(case when ${value} = 0 then 0e0 else round(${value}, 14 - floor(log10(abs(nullif(${value}, 0))))) end)`;
}

export const mysqlNumbers: NumberSql = {
  ...defaultNumbers,
  round: ({ kind }, value, places, rounding) =>
    rounded(exact(kind === 'float' ? fifteenDigits(value) : value), somePlaces(places), rounding),
  absolute: (_type, value) => sql`abs(${value})`,
  whole({ kind }, value) {
    if (kind === 'integer' || kind === 'bigint') return value;
    return sql`(case when abs(${value}) < 1e15 then cast(truncate(${value}, 0) as signed) end)`;
  },
  parse: (value) =>
    // `$` also matches before a final line break.
    sql`(case when ${value} regexp ${text(`'${numberPattern.replaceAll('?', '\\?')}'`)} and ${value} not regexp '[^ 0-9.+-]' then cast(${value} as decimal(65,30)) end)`,
  extreme(which, _type, values) {
    const [first = text('null')] = values;
    return values.length < 2 ? first : sql`${text(which)}(${joined(values, ', ')})`;
  },
  median(_type, values) {
    // A derived table in `from` cannot read cells of the outer row; the branches of a union can.
    const [low, high] = middlePlaces(values.length);
    const each = joined(
      values.map((value) => sql`select ${value} as item`),
      ' union all ',
    );
    const at = (place: number) => sql`(${each} order by item limit 1 offset ${text(`${place - 1}`)})`;
    const found = low === high ? at(low) : sql`(${at(low)} + ${at(high)}) / 2e0`;
    const areThere = joined(
      values.map((value) => sql`${value} is not null`),
      ' and ',
    );
    return sql`(case when ${areThere} then ${found} end)`;
  },
};
