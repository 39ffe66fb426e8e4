import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import {
  defaultNumbers,
  middlePlaces,
  numberPattern,
  somePlaces,
  type NumberSql,
  type Rounding,
} from './default.ts';

const numeric = (value: SqlFragment): SqlFragment => sql`(${value})::numeric`;

function rounded(value: SqlFragment, places: SqlFragment, rounding: Rounding): SqlFragment {
  switch (rounding) {
    case 'half':
      return sql`round(${value}, ${places})`;
    case 'down':
      return sql`trunc(${value}, ${places})`;
    case 'up':
      return sql`(sign(${value}) * ceil(abs(${value}) * power(10::numeric, ${places})) * power(10::numeric, -(${places})))`;
    case 'ceiling':
      return sql`ceil(${value})`;
    case 'floor':
      return sql`floor(${value})`;
  }
}

/**
 * A result from several values, null when one of them is null. Each value occurs once: SQL that repeats its arguments grows
 * exponentially when calls are nested.
 */
function named(values: readonly SqlFragment[], found: SqlFragment): SqlFragment {
  const each = joined(
    values.map((value) => sql`(${value})`),
    ', ',
  );
  return sql`(select case when count(*) = count(given.item) then ${found} end from (values ${each}) as given(item))`;
}

export const postgresNumbers: NumberSql = {
  logarithm: defaultNumbers.logarithm,
  double: (name, values) =>
    defaultNumbers.double(
      name,
      values.map((value) => sql`(${value})::double precision`),
    ),
  round: (_type, value, places, rounding) =>
    rounded(numeric(value), sql`(${somePlaces(places)})::int`, rounding),
  absolute: (_type, value) => sql`abs(${value})`,
  whole({ kind }, value) {
    if (kind === 'integer' || kind === 'bigint') return value;
    return sql`(case when abs(${value}) < 1e15 then trunc(${numeric(value)})::bigint end)`;
  },
  parse: (value) =>
    sql`(case when (${value})::text ~ ${text(`'${numberPattern.replaceAll('?', '\\?')}'`)} then ((${value})::text)::numeric end)`,
  extreme: (which, _type, values) =>
    named(values, text(which === 'least' ? 'min(given.item)' : 'max(given.item)')),
  median(_type, values) {
    const [low, high] = middlePlaces(values.length);
    const at = (place: number) => `(array_agg(given.item order by given.item))[${place}]`;
    const between = `(${at(low)}::double precision + ${at(high)}::double precision) / 2`;
    return named(values, text(low === high ? at(low) : between));
  },
};
