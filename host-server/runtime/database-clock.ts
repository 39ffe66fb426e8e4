import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import { toRaw } from '../sql/fragment.ts';
import type { Unit } from '../sql/unit.ts';

/**
 * A moment by the clock of the database, so many milliseconds from now. What servers agree on by time goes by it: their own clocks
 * may differ.
 */
export function fromNow({ knex }: Pick<Unit, 'knex'>, { dates }: Dialect, milliseconds = 0): Knex.Raw {
  return toRaw(knex, dates.epoch(milliseconds));
}
