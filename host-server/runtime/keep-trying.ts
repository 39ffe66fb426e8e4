export interface KeepTryingOptions {
  /** Aborts when the work is no longer wanted. */
  readonly signal: AbortSignal;
  /** Called for each failure. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between the first failure and the next try. Default 1,000. */
  readonly pause?: number;
}

/** The most milliseconds between two tries. */
const longestPause = 60_000;

/** Repeats work after each failure, with growing pauses. Resolves once it is done or no longer wanted. */
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
 * Makes a function that runs work with `keepTrying`. A call while an earlier one waits for its next try replaces it and tries at
 * once, so there is only one loop, however often it is called.
 */
export function keepTryingOnce(work: () => Promise<void>, options: KeepTryingOptions): () => void {
  let former = new AbortController();
  return () => {
    former.abort();
    former = new AbortController();
    void keepTrying(work, { ...options, signal: AbortSignal.any([options.signal, former.signal]) });
  };
}

/** Resolves after so many milliseconds, or when the signal aborts. Does not keep the process alive. */
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
