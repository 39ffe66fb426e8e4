import { DatabaseError } from '../../sql/database-error.ts';

const steps = 10;

/**
 * The answer of a server, which is waited for so many milliseconds: a network may fall silent without a word. They are counted in steps, of
 * which a time that this process stood still is one: an answer that came in it is heard before the next.
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
