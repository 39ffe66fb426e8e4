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
 */
export async function withinLimit<T>(
  work: Promise<T>,
  response: ServerResponse,
  limit: { readonly seconds: number; readonly late: () => Error; readonly unheard: (answer: T) => void },
): Promise<T> {
  const { seconds, late, unheard } = limit;
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
    return await Promise.race([work, given]);
  } catch (error) {
    // What a handler that was given up still throws belongs to nobody's answer.
    work.then(unheard).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(alone);
    response.off('close', leave);
  }
}
