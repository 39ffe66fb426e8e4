import { DatabaseError } from '../../sql/database-error.ts';

const steps = 10;

/**
 * The answer of a server, if it arrives within `ms` milliseconds; a network may drop it silently. The time is counted in steps.
 * While this process is blocked, at most one step passes: an answer that arrived meanwhile is read before the next step.
 *
 * @throws DatabaseError of kind `unreachable`
 */
export async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let left = steps;
    timer = setInterval(() => {
      left -= 1;
      if (left === 0) reject(new DatabaseError('unreachable'));
    }, ms / steps);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearInterval(timer);
  }
}
