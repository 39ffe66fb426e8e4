import type { Clock } from '@trellis/core';

/** A running call that may change something. */
export interface OwnCall {
  /** The id that the server gave the request. */
  answered(requestId: string | undefined): void;
  end(): void;
}

/** Number of ids that are kept; an event follows its call within seconds. */
const capacity = 500;

/** This page's calls that may change something. They let the page tell the events that it caused from those of others. */
export class OwnCalls {
  readonly #clock: Clock;
  readonly #underWay = new Set<Promise<void>>();
  readonly #startOf = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(): OwnCall {
    const start = this.#clock.now();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#underWay.add(ended);
    return {
      answered: (requestId) => {
        if (requestId !== undefined) this.#remember(requestId, start);
      },
      end: () => {
        this.#underWay.delete(ended);
        end();
      },
    };
  }

  /**
   * When the call with this id began; undefined if it is somebody else's. An event may arrive before its call is answered.
   *
   * @param longest milliseconds after which an unanswered call counts as somebody else's; default: no limit
   */
  async startOf(requestId: string, longest?: number): Promise<number | undefined> {
    if (!this.#startOf.has(requestId)) await this.#answers(longest);
    return this.#startOf.get(requestId);
  }

  /** Resolves when all calls that are running now are answered, or after `longest` milliseconds. */
  #answers(longest: number | undefined): Promise<unknown> {
    const answers = Promise.all(this.#underWay);
    if (longest === undefined || this.#underWay.size === 0) return answers;
    return new Promise((resolve) => {
      const stop = this.#clock.after(longest, () => resolve(undefined));
      void answers.then(() => {
        stop();
        resolve(undefined);
      });
    });
  }

  #remember(requestId: string, start: number): void {
    this.#startOf.set(requestId, start);
    for (const oldest of this.#startOf.keys()) {
      if (this.#startOf.size <= capacity) return;
      this.#startOf.delete(oldest);
    }
  }
}
