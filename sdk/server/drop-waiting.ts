import { setTimeout as after } from 'node:timers/promises';
import { KeyedWork } from './keyed-work.ts';
import type { ServerPluginContext } from './context.ts';

/** What is dropped for a key: what waits in a table of a plugin. @public */
export interface WaitingToDrop {
  /** How much waits for the key. */
  countWaiting(key: string): Promise<number>;
  /** Drops what waits for the key since before this moment, in short transactions. Ends soon after the signal aborts. */
  dropWaiting(key: string, signal: AbortSignal): Promise<void>;
}

/** Milliseconds that whoever asks waits for the end. */
const patience = 5000;
/** Nothing is looked for: what a server that stopped has left waits for somebody who drops it again. */
const every = 3600_000;

/**
 * Makes an act that drops what waits for a key and gives how much that is. What takes longer than five seconds goes on behind the answer;
 * what fails is logged.
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
