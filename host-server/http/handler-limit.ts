import type { ServerResponse } from 'node:http';

/** Seconds that a handler of a plugin has for its answer, where its route does not say otherwise. */
export const usualSeconds = 60;
/** Seconds that no route may go beyond: longer work is a task. */
export const mostSeconds = 600;
/** Milliseconds that a handler may go on once its client has gone. */
const aloneFor = 5000;

/**
 * Waits for a handler until it has had its time, or has gone on for a while with nobody there to hear it. It cannot be ended from
 * outside, but what the call holds can be given to others.
 *
 * @param late the error of a handler that took too long.
 * @param unheard takes what a handler gives after it was given up.
 * @param givenUp is told of a handler that runs on by itself.
 */
export async function withinLimit<T>(
  work: Promise<T>,
  response: ServerResponse,
  limit: {
    readonly seconds: number;
    readonly late: () => Error;
    readonly unheard: (answer: T) => void;
    readonly givenUp: (work: Promise<unknown>) => void;
  },
): Promise<T> {
  const { seconds, late, unheard, givenUp } = limit;
  let isRunning = true;
  const settled = work.finally(() => (isRunning = false));
  let alone: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let leave = (): void => {};
  const given = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), seconds * 1000);
    leave = () => {
      alone = setTimeout(() => reject(new Error('The client went away.')), aloneFor);
    };
    response.once('close', leave);
  });
  try {
    return await Promise.race([settled, given]);
  } catch (error) {
    // An error of a handler that was given up belongs to no answer.
    work.then(unheard).catch(() => undefined);
    if (isRunning) givenUp(work);
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(alone);
    response.off('close', leave);
  }
}
