import type { Clock } from '@trellis/core';

/** A call that may change something, while it is under way. */
export interface OwnCall {
  /** The id that the server gave the request. */
  answered(requestId: string | undefined): void;
  end(): void;
}

/** Ids that are kept; an event follows its call within seconds. */
const capacity = 500;

/** The calls of this page that may change something, so that it can tell the events that they cause from those of others. */
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
   * When the call with this id began; undefined for one of somebody else. An event may arrive before its call is answered.
   *
   * @param longest milliseconds after which a call that is still not answered counts as somebody else's; left out: none
   */
  async startOf(requestId: string, longest?: number): Promise<number | undefined> {
    if (!this.#startOf.has(requestId)) await this.#answers(longest);
    return this.#startOf.get(requestId);
  }

  /** Resolves when all calls are answered that are under way now, or after so many milliseconds. */
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
