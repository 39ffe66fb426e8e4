import { setTimeout as after } from 'node:timers/promises';
import { KeyedWork } from './keyed-work.ts';
import type { ServerPluginContext } from './context.ts';

/** The work of dropping what waits for a key in a table of a plugin. @public */
export interface WaitingToDrop {
  /** The number of rows that wait for the key. */
  countWaiting(key: string): Promise<number>;
  /** Drops rows that have waited for the key since before this moment, in short transactions. Ends soon after the signal aborts. */
  dropWaiting(key: string, signal: AbortSignal): Promise<void>;
}

/** Milliseconds that the caller waits for the end. */
const patience = 5000;
/** Practically never checks by itself: rows left by a stopped server wait until somebody drops them again. */
const every = 3600_000;

/**
 * Makes a function that drops what waits for a key and returns the number. If it takes longer than five seconds, it continues
 * after the answer; errors are logged.
 * @public
 */
export function createDrop(
  ctx: Pick<ServerPluginContext, 'own' | 'logger'>,
  waiting: WaitingToDrop,
): (key: string) => Promise<number> {
  const dropping = ctx.own(
    new KeyedWork({
      due: () => Promise.resolve([]),
      run: (key, signal) => waiting.dropWaiting(key, signal),
      failed: (error) => ctx.logger.error('What waits could not be dropped', { error }),
      every,
    }),
  );
  return async (key) => {
    const count = await waiting.countWaiting(key);
    dropping.wake([key]);
    await Promise.race([dropping.settle(), after(patience, undefined, { ref: false })]);
    return count;
  };
}
