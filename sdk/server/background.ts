import { createToken } from '../shared/index.ts';

/**
 * Lets work of which no request waits keep out of the way of requests. While nobody asks for anything it begins at once; while requests
 * follow each other closely it takes one piece at a time and a small share of the time, which grows when they go on for minutes.
 * @public
 */
export interface Background {
  /**
   * Runs a piece of work, of some milliseconds at best, when its turn comes, and counts how long it takes. A piece must not wait for the
   * network or for another piece. When the signal aborts, a piece that waits begins at once: it has to heed the signal itself.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Counts milliseconds of this thread that were used, or are about to be, without waiting for a turn; the next piece waits longer. */
  charge(milliseconds: number): void;
}
/** When work in the background may go on. @public */
export const BackgroundToken = createToken<Background>('background');
