export interface KeepTryingOptions {
  /** Aborts when nobody wants it any more. */
  readonly signal: AbortSignal;
  /** Told of each failure. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between the first failure and the next try. Default 1,000. */
  readonly pause?: number;
}

/** Milliseconds between two tries, at most. */
const longestPause = 60_000;

/**
 * Does work that nobody asks for a second time, again after each failure, with growing pauses. Resolves once it is done or not wanted
 * any more.
 */
export async function keepTrying(
  work: () => Promise<void>,
  { signal, onError, pause = 1000 }: KeepTryingOptions,
): Promise<void> {
  for (let next = pause; !signal.aborted; next = Math.min(2 * next, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await passes(next, signal);
  }
}

/**
 * Makes a function that has work done which is kept trying. Whoever calls it while a try before failed takes that one's place, at once:
 * however often it is called, one loop tries.
 */
export function keepTryingOnce(work: () => Promise<void>, options: KeepTryingOptions): () => void {
  let former = new AbortController();
  return () => {
    former.abort();
    former = new AbortController();
    void keepTrying(work, { ...options, signal: AbortSignal.any([options.signal, former.signal]) });
  };
}

/** Resolves after so many milliseconds, or when the signal aborts. Keeps no process alive. */
function passes(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    timer.unref();
    signal.addEventListener('abort', end);
  });
}
