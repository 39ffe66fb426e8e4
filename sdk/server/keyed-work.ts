import { setMaxListeners } from 'node:events';

/** The work of a `KeyedWork` and how it finds it. @public */
export interface KeyedWorkOptions {
  /** The keys with waiting work. Called every second, and when the server has just started. */
  due(): Promise<Iterable<string>>;
  /** Does all waiting work of a key; never runs twice at once for a key. Ends soon after the signal aborts. */
  run(key: string, signal: AbortSignal): Promise<void>;
  /** Called with the errors of `due` and `run`; the waiting work is looked up again a second later. */
  failed(error: unknown): void;
  /** Milliseconds between look-ups of due keys. Default 1,000. */
  readonly every?: number;
}

/** Milliseconds between two runs of a key: work that arrives meanwhile is done in one run. */
const restBetween = 100;

/**
 * Processes work that waits in a plugin's table: sequentially per key, concurrently for several keys. The next look-up finds work
 * that a stopped server left.
 * @public
 */
export class KeyedWork {
  readonly #options: KeyedWorkOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** Keys that received work during their run. */
  readonly #asked = new Set<string>();
  /** Keys that pause before their next run. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  /** The start of each key's last run, by `performance.now()`. */
  readonly #begun = new Map<string, number>();
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(options: KeyedWorkOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.look(), options.every ?? 1000);
    this.#timer.unref();
    // All work in progress may listen to the signal.
    setMaxListeners(0, this.#ending.signal);
  }

  /** Aborts when the work ends for good. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Looks up due keys. */
  look(): void {
    const quiet = performance.now() - restBetween;
    for (const [key, begun] of this.#begun) if (begun < quiet) this.#begun.delete(key);
    this.#looking ??= this.#options
      .due()
      .then((keys) => this.wake(keys))
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** Announces work for these keys: it runs at once after an idle time, otherwise after a short pause. */
  wake(keys: Iterable<string>): void {
    if (this.#ending.signal.aborted) return;
    for (const key of keys) {
      if (this.#running.has(key)) this.#asked.add(key);
      else if (!this.#resting.has(key)) this.#runSoon(key);
    }
  }

  /** Resolves when no work is running. */
  async settle(): Promise<void> {
    await this.#looking;
    while (this.#running.size > 0 || this.#resting.size > 0) {
      for (const key of this.#resting.keys()) this.#run(key);
      await Promise.all(this.#running.values());
    }
  }

  #runSoon(key: string): void {
    const rest = (this.#begun.get(key) ?? Number.NEGATIVE_INFINITY) + restBetween - performance.now();
    if (rest <= 0) return this.#run(key);
    const timer = setTimeout(() => this.#run(key), rest).unref();
    this.#resting.set(key, timer);
  }

  #run(key: string): void {
    clearTimeout(this.#resting.get(key));
    this.#resting.delete(key);
    this.#begun.set(key, performance.now());
    const run = this.#options
      .run(key, this.#ending.signal)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running.delete(key);
        if (this.#asked.delete(key)) this.wake([key]);
      });
    this.#running.set(key, run);
  }

  async dispose(): Promise<void> {
    clearInterval(this.#timer);
    for (const timer of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
    this.#ending.abort(new Error('The work is over.'));
    await this.settle();
  }

  #failed(error: unknown): void {
    if (!this.#ending.signal.aborted) this.#options.failed(error);
  }
}

/**
 * Milliseconds until the next try of failed work: 5 seconds, 15 seconds and so on up to six hours, plus up to a tenth, so that
 * retries spread out.
 *
 * @param attempts the number of tries so far, from 1
 * @public
 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  return Math.round(Math.min(longestPause, firstPause * 3 ** (attempts - 1)) * (1 + random / 10));
}

const firstPause = 5000;
const longestPause = 6 * 3600_000;
