import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two questions. */
const pause = 20;

/**
 * Asks again until an answer meets a condition, for what no event tells of. In between nobody asks, so that a server in the same
 * process, which is what is waited for, has the processor.
 *
 * @returns the answer that met it
 * @public
 */
export async function askUntil<T>(ask: () => Promise<T>, meets: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (meets(answer)) return answer;
    await setTimeout(pause);
  }
}
