import { defineErrors } from '@trellis/core';
import type { RateLimiter } from '@trellis/sdk/server';
import type { Database } from '../../databases/database.ts';

const rateErrors = defineErrors({
  TOO_MANY_TRIES: { status: 429, message: 'Too many tries. Please try again in {seconds} seconds.' },
});

/**
 * Counts tries in fixed windows kept in the metadata database, so that all servers share them.
 *
 * Windows come from the database row's key, not from a timer: a clock that jumps back by a window only gives a stranger one
 * window more.
 */
export function createRateLimiter(deps: {
  readonly database: Database;
  readonly now?: () => number;
}): RateLimiter {
  const now = deps.now ?? Date.now;
  return {
    async consume(rule, key) {
      const length = rule.windowSeconds * 1000;
      const windowStart = Math.floor(now() / length) * length;
      const where = { name: rule.name, key, window_start: windowStart };
      const count = await deps.database.write(async (unit) => {
        const table = () => unit.knex('trellis_rate');
        await unit.run(
          table()
            .insert({ ...where, count: 0 })
            .onConflict(['name', 'key', 'window_start'])
            .ignore(),
        );
        await unit.run(table().where(where).increment('count', 1));
        await unit.run(
          table().where({ name: rule.name, key }).where('window_start', '<', windowStart).delete(),
        );
        const row = await unit.first<{ count: number }>(table().where(where).select('count'));
        return Number(row?.count ?? 0);
      });
      if (count > rule.limit) {
        const seconds = Math.max(1, Math.ceil((windowStart + length - now()) / 1000));
        throw rateErrors.create('TOO_MANY_TRIES', { seconds, retryAfter: seconds });
      }
    },
    async reset(name, key) {
      await deps.database.write((unit) => unit.run(unit.knex('trellis_rate').where({ name, key }).delete()));
    },
  };
}
