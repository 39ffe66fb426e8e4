import { defineErrors } from '@trellis/core';
import { addressRange, type RateKey, type RateLimiter, type RateRule } from '@trellis/sdk/server';
import type { Database } from '../../databases/database.ts';
import type { Unit } from '../../sql/unit.ts';
import { emailKey } from '../accounts/email.ts';

const rateErrors = defineErrors({
  TOO_MANY_TRIES: { status: 429, message: 'Too many tries. Please try again in {seconds} seconds.' },
});

/** One text for all spellings of an e-mail address or a network address. */
function textOf(key: RateKey): string {
  if (typeof key === 'string') return key;
  return 'email' in key ? emailKey(key.email) : addressRange(key.address);
}

/**
 * Counts tries in fixed windows in the metadata database, so that all servers share them.
 *
 * The window is part of the stored row's key. There is no timer: if the clock jumps back, a caller gets at most one more window.
 */
export function createRateLimiter(deps: {
  readonly database: Database;
  readonly now?: () => number;
}): RateLimiter {
  const now = deps.now ?? (() => Date.now());

  /** Throws if a limit is exceeded, after counting all tries. */
  async function consumeEach(tries: readonly (readonly [rule: RateRule, key: RateKey])[]): Promise<void> {
    const windows = tries.map(([rule, key]) => windowOf(rule, textOf(key), now()));
    const passed = await deps.database.write(
      async (unit) => {
        for (const window of windows) if ((await count(unit, window)) > window.limit) return window;
        return undefined;
      },
      { retry: true },
    );
    if (passed === undefined) return;
    const seconds = Math.max(1, Math.ceil((passed.end - now()) / 1000));
    throw rateErrors.create('TOO_MANY_TRIES', { seconds, retryAfter: seconds });
  }

  return {
    consumeEach,
    consume: (rule, key) => consumeEach([[rule, key]]),
    async reset(name, of) {
      const key = textOf(of);
      await deps.database.write((unit) => unit.run(unit.knex('trellis_rate').where({ name, key }).delete()));
    },
  };
}

/** The window of a rule at a given time, for one key. */
interface Window {
  readonly row: { readonly name: string; readonly key: string; readonly window_start: number };
  readonly limit: number;
  readonly end: number;
}

function windowOf({ name, limit, windowSeconds }: RateRule, key: string, at: number): Window {
  const length = windowSeconds * 1000;
  const start = Math.floor(at / length) * length;
  return { row: { name, key, window_start: start }, limit, end: start + length };
}

/** Counts a try and returns the number of tries in its window. */
async function count(unit: Unit, { row }: Window): Promise<number> {
  const table = () => unit.knex('trellis_rate');
  const { changes } = await unit.run(table().where(row).increment('count', 1));
  // The first try of a window inserts its row and deletes those of earlier windows.
  if (changes === 0) {
    await unit.run(
      table()
        .insert({ ...row, count: 0 })
        .onConflict(['name', 'key', 'window_start'])
        .ignore(),
    );
    await unit.run(table().where(row).increment('count', 1));
    const { name, key, window_start: start } = row;
    await unit.run(table().where({ name, key }).where('window_start', '<', start).delete());
  }
  const found = await unit.first<{ count: number }>(table().where(row).select('count'));
  return Number(found?.count ?? 0);
}
