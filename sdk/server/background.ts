import { createToken } from '../shared/index.ts';

/**
 * Keeps work that no request waits for from delaying requests. Without requests it begins at once. During many requests it runs
 * one piece at a time and gets a small share of the time, which grows if they go on for minutes.
 * @public
 */
export interface Background {
  /**
   * Runs a piece of work, ideally of some milliseconds, when its turn comes, and measures its time. A piece must not wait for the
   * network or for another piece. When the signal aborts, a waiting piece begins at once, and must check the signal itself.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Counts milliseconds of this thread that were used, or will be used, without waiting for a turn; the next piece waits longer. */
  charge(milliseconds: number): void;
}
/** The sharing of time between requests and background work. @public */
export const BackgroundToken = createToken<Background>('background');
