import type { Background } from '@trellis/sdk/server';

/** Milliseconds without a request after which nobody is kept waiting by what begins now. */
const lullMs = 20;
/** Milliseconds of a request under way that count: one that takes longer waits for something else. On a busy machine each takes long. */
const underWayMs = 100;
/** What the first piece behind a request waits for: less than a lull where few requests come. */
const firstDebt = 20;
/** Milliseconds over which the load is averaged: short, so that a burst is noticed before it is over. */
const averagedMs = 30;
/** Milliseconds of one piece that count, and for which it keeps others back: one that takes longer waits for something else. */
const longestPiece = 250;
/** Of the time, how much requests take at the most while more than the least share is left. */
const crowded = 0.5;
const leastShare = 0.04;
/** After so many milliseconds without a lull the least share begins to grow, or what has to be told would come hours late. */
const patienceMs = 30_000;
const growsFor = 300_000;
/** Milliseconds between two pieces after which the second one is no part of what the first one left. */
const caughtUpMs = 5000;
const largestLeast = 0.5;

interface Waiting {
  go(): void;
}

/**
 * Shares the time between requests and what works in the background. Requests tell when they begin and end; work in the background pays for
 * the time that it took, at the rate that they leave, before its next piece begins.
 */
export class HostBackground implements Background {
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Pieces that run now, and when the last one began. */
  #running = 0;
  #begunAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that were taken and are not paid for. */
  #debt = 0;
  /** Of the time lately, for how much of it a request was under way: from 0 to 1. */
  #load = 0;
  #countedAt = 0;
  #requestAt = Number.NEGATIVE_INFINITY;
  /** Requests under way, and when the last of all began. */
  #underWay = 0;
  #begunRequestAt = Number.NEGATIVE_INFINITY;
  /** Since when there is work without a lull, and when the last piece ended. */
  #pressedAt: number | undefined;
  #workedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds, which only grow */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a request begins; the answer, called once, that it has ended. */
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

  /** Ends with the piece counted as running. */
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
      // What was caught up with begins anew; where others wait, nothing was.
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

  /** When nobody is kept waiting any more, unless another request comes. */
  #lullAt(): number {
    const quiet = this.#requestAt + lullMs;
    return this.#underWay === 0 ? quiet : Math.max(quiet, this.#begunRequestAt + underWayMs);
  }

  #seen(now: number): void {
    this.#count(now);
    this.#requestAt = now;
  }

  /** Brings load and debt up to now. */
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
