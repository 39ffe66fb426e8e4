import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Milliseconds between two attempts. */
const pause = 20;
/** Seconds after which no answer is expected any more, even on a busy machine. */
const longest = 240;

/**
 * Asks repeatedly until an answer meets a condition, for changes without an event. It pauses in between, so that a server in the
 * same process gets the processor.
 *
 * @returns the answer that met the condition
 * @throws Error with the last answer if none did within four minutes
 * @public
 */
export async function askUntil<T>(ask: () => Promise<T>, meets: (answer: T) => boolean): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (meets(answer)) return answer;
    if (performance.now() - begun > longest * 1000)
      throw new Error(
        `What was waited for did not come in ${longest} s. The last answer was: ${inspect(answer)}`,
      );
    await setTimeout(pause);
  }
}
