import type { Background } from '@trellis/sdk/server';

/** Milliseconds without a request after which background work that begins delays nobody. */
const lullMs = 20;
/** The most milliseconds of a running request that count as load: a longer one waits for something else. */
const underWayMs = 100;
/** Milliseconds that the first piece of work after a request waits; less than a lull when there are few requests. */
const firstDebt = 20;
/** Milliseconds over which the load is averaged: few, so that a burst is noticed before it is over. */
const averagedMs = 30;
/** The most milliseconds of one piece of work that count, and for which it delays others: a longer one waits for something else. */
const longestPiece = 250;
/** The most of the time that requests take while more than the minimum share is left for background work. */
const crowded = 0.5;
const leastShare = 0.04;
/** Milliseconds without a lull after which the minimum share begins to grow. Otherwise notifications would be hours late. */
const patienceMs = 30_000;
const growsFor = 300_000;
/** Milliseconds between two pieces after which the second one no longer belongs to the backlog of the first. */
const caughtUpMs = 5000;
const largestLeast = 0.5;

interface Waiting {
  go(): void;
}

/**
 * Shares the time between requests and background work. Requests report their begin and end. Background work pays for the time
 * that it took before its next piece begins, at the rate that requests leave.
 */
export class HostBackground implements Background {
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The pieces that run now, and when the last one began. */
  #running = 0;
  #begunAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds of work that are not paid for yet. */
  #debt = 0;
  /** The share of recent time during which a request was running: from 0 to 1. */
  #load = 0;
  #countedAt = 0;
  #requestAt = Number.NEGATIVE_INFINITY;
  /** The requests that are running, and when the latest one began. */
  #underWay = 0;
  #begunRequestAt = Number.NEGATIVE_INFINITY;
  /** Since when work waits without a lull, and when the last piece ended. */
  #pressedAt: number | undefined;
  #workedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds, never decreasing */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records that a request begins; call the returned function once when it ends. */
  begin(): () => void {
    const begun = this.#now();
    this.#seen(begun);
    this.#underWay += 1;
    this.#begunRequestAt = begun;
    return () => {
      this.#seen(this.#now());
      this.#underWay -= 1;
    };
  }

  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#waiting.length > 0 || !this.#mayGo()) await this.#turn(signal);
    else this.#start();
    const begun = this.#now();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#workedAt = this.#now();
      this.charge(Math.min(this.#now() - begun, longestPiece));
      this.#pump();
    }
  }

  charge(milliseconds: number): void {
    this.#count(this.#now());
    this.#debt += milliseconds;
  }

  /** Resolves when it is the caller's turn, with the piece counted as running. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        go: () => {
          signal.removeEventListener('abort', leave);
          this.#start();
          resolve();
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.go();
      };
      if (signal.aborted) return waiting.go();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      // When the backlog is done, the first piece starts afresh; it is not done while others wait.
      const isFirst = this.#waiting.length === 1 && this.#running === 0;
      if (isFirst && this.#now() - this.#workedAt > caughtUpMs) this.#pressedAt = undefined;
      this.#pressedAt ??= this.#now();
      this.#pump();
    });
  }

  #start(): void {
    this.#running += 1;
    this.#begunAt = this.#now();
  }

  #pump(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0 && this.#mayGo()) this.#waiting.shift()?.go();
    if (this.#waiting.length === 0) return;
    const now = this.#now();
    const lull = this.#lullAt() - now;
    const free = Math.max(
      this.#debt / this.#share(now),
      this.#running > 0 ? this.#begunAt + longestPiece - now : 0,
    );
    this.#timer = setTimeout(() => this.#pump(), Math.max(1, Math.min(lull, free))).unref();
  }

  #mayGo(): boolean {
    const now = this.#now();
    this.#count(now);
    const isAlone = this.#running === 0 || now - this.#begunAt >= longestPiece;
    return this.#isLull(now) || (isAlone && this.#debt <= 0);
  }

  #isLull(now: number): boolean {
    return now >= this.#lullAt();
  }

  /** The time at which background work delays nobody, unless another request comes. */
  #lullAt(): number {
    const quiet = this.#requestAt + lullMs;
    return this.#underWay === 0 ? quiet : Math.max(quiet, this.#begunRequestAt + underWayMs);
  }

  #seen(now: number): void {
    this.#count(now);
    this.#requestAt = now;
  }

  /** Updates load and debt to now. */
  #count(now: number): void {
    const passed = now - this.#countedAt;
    if (this.#isLull(now)) {
      this.#debt = firstDebt;
      this.#pressedAt = this.#waiting.length > 0 ? now : undefined;
    } else this.#debt = Math.max(0, this.#debt - passed * this.#share(now));
    const untilNow = this.#underWay === 0 ? 0 : this.#begunRequestAt + underWayMs - this.#countedAt;
    const asked = Math.min(passed, Math.max(0, untilNow));
    this.#load = 1 - (1 - this.#load) * Math.exp(-asked / averagedMs);
    this.#load *= Math.exp((asked - passed) / averagedMs);
    this.#countedAt = now;
  }

  #share(now: number): number {
    const pressed = now - (this.#pressedAt ?? now) - patienceMs;
    const grown = (largestLeast - leastShare) * Math.min(1, Math.max(0, pressed) / growsFor);
    return Math.max(leastShare + grown, 1 - this.#load / crowded);
  }
}
