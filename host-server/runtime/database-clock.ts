import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import { sql, text, toRaw } from '../sql/fragment.ts';
import type { Unit } from '../sql/unit.ts';

/**
 * A moment by the clock of the database, so many milliseconds from now. What servers agree on by time goes by it: their own clocks
 * may differ.
 */
export function fromNow({ knex }: Pick<Unit, 'knex'>, { dates }: Dialect, milliseconds = 0): Knex.Raw {
  return toRaw(knex, dates.epoch(milliseconds));
}

/** How long ago the moment in a column of times was, as `age`, in milliseconds; less than 0 for one that lies ahead. */
export function ageOfRow(
  { knex }: Pick<Unit, 'knex'>,
  { dates }: Dialect,
  column: 'created_at' | 'begun_at',
): Knex.Raw {
  return toRaw(knex, sql`${dates.epoch()} - ${text(column)} as ${text('age')}`);
}
