import type { WorkContext } from '../owned-work.ts';
import type { TaskRows } from './task-rows.ts';

/** Milliseconds for which ended tasks are shown. */
const keptForMs = 30 * 24 * 60 * 60 * 1000;

/** Deletes tasks that ended more than 30 days ago, a few hundred in one write. */
export async function pruneTasks(
  rows: TaskRows,
  { signal, logger }: WorkContext,
  now: number = Date.now(),
): Promise<void> {
  let pruned = 0;
  let last: number;
  do {
    signal.throwIfAborted();
    last = await rows.prune(now - keptForMs);
    pruned += last;
  } while (last > 0);
  if (pruned > 0) logger.info('Deleted tasks that ended more than 30 days ago', { tasks: pruned });
}
