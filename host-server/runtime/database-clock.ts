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

/** How long ago the moment in `created_at` was, as `age`, in milliseconds. */
export function ageOfRow({ knex }: Pick<Unit, 'knex'>, { dates }: Dialect): Knex.Raw {
  return toRaw(knex, sql`${dates.epoch()} - ${text('created_at')} as ${text('age')}`);
}
