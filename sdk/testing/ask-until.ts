import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Milliseconds between two questions. */
const pause = 20;
/** Seconds after which nothing comes any more, however busy the machine is. */
const longest = 240;

/**
 * Asks again until an answer meets a condition, for what no event tells of. In between nobody asks, so that a server in the same
 * process, which is what is waited for, has the processor.
 *
 * @returns the answer that met it
 * @throws Error with the last answer where none did in four minutes
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
