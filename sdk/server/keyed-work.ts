import { setMaxListeners } from 'node:events';

/** What `KeyedWork` does, and where it learns of it. @public */
export interface KeyedWorkOptions {
  /** The keys for which something waits. Asked every second, and when the server has just started. */
  due(): Promise<Iterable<string>>;
  /** Does what waits for a key, in one go; called for one key once at a time. Ends soon after the signal aborts. */
  run(key: string, signal: AbortSignal): Promise<void>;
  /** Told of what `due` and `run` throw; what waits is looked at again a second later. */
  failed(error: unknown): void;
  /** Milliseconds between looks for what is due. Default 1,000. */
  readonly every?: number;
}

/** Milliseconds from one run of a key to the next: what comes meanwhile is done by one. */
const restBetween = 100;

/**
 * Works off what waits in a table of a plugin: for one key one thing after the other, for several keys at the same time. Work that was left
 * by a server that stopped is found by the next look.
 * @public
 */
export class KeyedWork {
  readonly #options: KeyedWorkOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** Keys that got something to do while they were at work. */
  readonly #asked = new Set<string>();
  /** Keys that rest before their next run. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  /** When the last run of a key began, by `performance.now()`. */
  readonly #begun = new Map<string, number>();
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(options: KeyedWorkOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.look(), options.every ?? 1000);
    this.#timer.unref();
    // Whatever is under way for a key may wait for it.
    setMaxListeners(0, this.#ending.signal);
  }

  /** Aborts when the work ends for good. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Looks for what is due. */
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

  /** Has something to do for these keys: at once after a quiet while, otherwise after a short rest. */
  wake(keys: Iterable<string>): void {
    if (this.#ending.signal.aborted) return;
    for (const key of keys) {
      if (this.#running.has(key)) this.#asked.add(key);
      else if (!this.#resting.has(key)) this.#runSoon(key);
    }
  }

  /** Resolves when nothing is under way. */
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
 * Milliseconds until the next try of what failed: 5 seconds, 15 seconds and so on up to six hours, and up to a tenth more, so that not all
 * of them come at once.
 *
 * @param attempts how often it was tried, from 1
 * @public
 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  return Math.round(Math.min(longestPause, firstPause * 3 ** (attempts - 1)) * (1 + random / 10));
}

const firstPause = 5000;
const longestPause = 6 * 3600_000;
