import { startTimer } from './platform.ts';

/** The time for core, which tests can set by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `run` once after that many milliseconds, unless the returned function is called before. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: startTimer,
};

/** Thrown by a time limit. It is no expected error: something hangs that should not. */
export class TimeLimitError extends Error {
  constructor(
    readonly what: string,
    readonly milliseconds: number,
  ) {
    super(`${what} took longer than ${milliseconds} ms and was given up.`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Waits for `work`, but no longer than the limit. The work itself is not stopped, which is impossible in JavaScript.
 *
 * @param work gets a function that restarts the limit: long work that calls it after each step is given up only when a step takes
 * too long.
 * @throws TimeLimitError naming `what` when the limit passes first.
 */
export function withTimeLimit<T>(
  clock: Clock,
  milliseconds: number,
  what: string,
  work: (again: () => void) => T | Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let since = clock.now();
    let stop: () => void;
    const wait = (rest: number) => {
      stop = clock.after(rest, () => {
        const left = since + milliseconds - clock.now();
        if (left > 0) wait(left);
        else reject(new TimeLimitError(what, milliseconds));
      });
    };
    wait(milliseconds);
    const again = () => void (since = clock.now());
    const finish =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        stop();
        settle(value);
      };
    // The constructor of a promise turns a synchronous throw into a rejection, so that the timer is stopped too.
    new Promise<T>((started) => started(work(again))).then(finish(resolve), finish(reject));
  });
}
