import { defineErrors } from '@trellis/core';
import { addressRange, type RateKey, type RateLimiter } from '@trellis/sdk/server';
import type { Database } from '../../databases/database.ts';
import { emailKey } from '../accounts/email.ts';

const rateErrors = defineErrors({
  TOO_MANY_TRIES: { status: 429, message: 'Too many tries. Please try again in {seconds} seconds.' },
});

/** One text for all spellings of an e-mail address or of a network address. */
function textOf(key: RateKey): string {
  if (typeof key === 'string') return key;
  return 'email' in key ? emailKey(key.email) : addressRange(key.address);
}

/**
 * Counts tries in fixed windows kept in the metadata database, so that all servers share them.
 *
 * A window is part of the key of the stored row. There is no timer: when the clock jumps back, a caller gets at most one more
 * window.
 */
export function createRateLimiter(deps: {
  readonly database: Database;
  readonly now?: () => number;
}): RateLimiter {
  const now = deps.now ?? Date.now;
  return {
    async consume(rule, of) {
      const key = textOf(of);
      const length = rule.windowSeconds * 1000;
      const windowStart = Math.floor(now() / length) * length;
      const where = { name: rule.name, key, window_start: windowStart };
      const count = await deps.database.write(
        async (unit) => {
          const table = () => unit.knex('trellis_rate');
          const { changes } = await unit.run(table().where(where).increment('count', 1));
          // The first try of a window makes its row and clears away the windows before it.
          if (changes === 0) {
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
          }
          const row = await unit.first<{ count: number }>(table().where(where).select('count'));
          return Number(row?.count ?? 0);
        },
        { retry: true },
      );
      if (count > rule.limit) {
        const seconds = Math.max(1, Math.ceil((windowStart + length - now()) / 1000));
        throw rateErrors.create('TOO_MANY_TRIES', { seconds, retryAfter: seconds });
      }
    },
    async reset(name, of) {
      const key = textOf(of);
      await deps.database.write((unit) => unit.run(unit.knex('trellis_rate').where({ name, key }).delete()));
    },
  };
}
