/** The rate limits of one receiver. */
export interface TargetLimits {
  /** Messages being sent at the same time. */
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Permits to send messages to a target; each is returned once. */
export interface Permits {
  readonly count: number;
  /** Returns one, when its message has finished or is not sent after all. */
  done(): void;
}

interface Waiter {
  readonly want: number;
  readonly go: (permits: Permits) => void;
}

/** A receiver, with the callers that wait for it. */
interface Target {
  running: number;
  /** Messages that may begin now; grows by `perSecond` each second, up to that number. */
  tokens: number;
  countedAt: number;
  readonly waiting: Waiter[];
  timer: NodeJS.Timeout | undefined;
}

const mostIdle = 500;
/** A single waiter waits for this part of a second's messages and sends them together: single messages cost the most. */
const togetherPart = 5;

/**
 * Limits the rate of messages to each target, one waiter after the other; targets do not wait for each other. It counts only what
 * this server sends.
 */
export class TargetGate {
  readonly #limits: () => TargetLimits;
  readonly #now: () => number;
  readonly #targets = new Map<string, Target>();

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: () => TargetLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Waits for permits for up to `want` messages: at least one, more if nobody else waits. Undefined when the signal aborts. */
  async take(name: string, want: number, signal: AbortSignal): Promise<Permits | undefined> {
    if (signal.aborted) return undefined;
    const target = this.#target(name);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        want,
        go: (permits) => {
          signal.removeEventListener('abort', leave);
          resolve(permits);
        },
      };
      const leave = () => {
        target.waiting.splice(target.waiting.indexOf(waiter), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      target.waiting.push(waiter);
      this.#serve(target);
    });
  }

  #target(name: string): Target {
    const found = this.#targets.get(name);
    if (found !== undefined) return found;
    this.#forgetIdle();
    const { perSecond } = this.#limits();
    const target: Target = {
      running: 0,
      tokens: perSecond,
      countedAt: this.#now(),
      waiting: [],
      timer: undefined,
    };
    this.#targets.set(name, target);
    return target;
  }

  #serve(target: Target): void {
    const { atOnce, perSecond } = this.#limits();
    const now = this.#now();
    target.tokens = Math.min(perSecond, target.tokens + ((now - target.countedAt) * perSecond) / 1000);
    target.countedAt = now;
    let needed = 1;
    for (;;) {
      const free = Math.min(Math.floor(target.tokens), atOnce - target.running);
      const [next, ...others] = target.waiting;
      needed =
        others.length === 0
          ? Math.min(next?.want ?? 1, Math.max(1, Math.floor(perSecond / togetherPart)))
          : 1;
      if (next === undefined || free < 1 || target.tokens < needed) break;
      target.waiting.shift();
      const count = others.length === 0 ? Math.min(free, next.want) : 1;
      target.tokens -= count;
      target.running += count;
      next.go(this.#permits(target, count));
    }
    if (target.waiting.length === 0 || target.running >= atOnce || target.timer !== undefined) return;
    target.timer = setTimeout(
      () => {
        target.timer = undefined;
        this.#serve(target);
      },
      Math.ceil(((needed - target.tokens) * 1000) / perSecond),
    ).unref();
  }

  #permits(target: Target, count: number): Permits {
    let left = count;
    return {
      count,
      done: () => {
        if (left === 0) return;
        left -= 1;
        target.running -= 1;
        this.#serve(target);
      },
    };
  }

  #forgetIdle(): void {
    if (this.#targets.size < mostIdle) return;
    const before = this.#now() - 1000;
    for (const [name, { running, waiting, countedAt }] of this.#targets)
      if (running === 0 && waiting.length === 0 && countedAt < before) this.#targets.delete(name);
  }
}
