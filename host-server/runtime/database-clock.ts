import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import { sql, text, toRaw } from '../sql/fragment.ts';
import type { Unit } from '../sql/unit.ts';

/**
 * A moment in a number of milliseconds by the database's clock. Servers use it for times that they agree on, since their own
 * clocks may differ.
 */
export function fromNow({ knex }: Pick<Unit, 'knex'>, { dates }: Dialect, milliseconds = 0): Knex.Raw {
  return toRaw(knex, dates.epoch(milliseconds));
}

/** The age in milliseconds, as `age`, of the moment in a column of times; negative if it is in the future. */
export function ageOfRow(
  { knex }: Pick<Unit, 'knex'>,
  { dates }: Dialect,
  column: 'created_at' | 'begun_at',
): Knex.Raw {
  return toRaw(knex, sql`${dates.epoch()} - ${text(column)} as ${text('age')}`);
}
