import { AsyncResource } from 'node:async_hooks';
import { DatabaseError } from '../../sql/database-error.ts';
import type { Session } from '../../sql/session.ts';
import { FairLine, HOST_SHARE, type FairLineLimits } from './fair-line.ts';

/** Writes of a person are refused after this wait; the host's own writes wait longer. Milliseconds. */
const WAIT_MS = 10_000;
const HOST_WAIT_MS = 30_000;

/** Work that waits for a session. It may run again after its transaction was undone, until it is settled or failed. */
export interface Job<Kind extends string> {
  readonly kind: Kind;
  readonly run: (session: Session) => Promise<void>;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** Jobs that wait for their turn. Shares take turns, and a job that waits too long fails because the database is busy. */
export class JobLine<Kind extends string> {
  readonly #line: FairLine<Job<Kind>>;
  readonly #timers = new WeakMap<Job<Kind>, NodeJS.Timeout>();

  constructor(limits: FairLineLimits) {
    this.#line = new FairLine(limits);
  }

  /** Resolves with the result of the last run of `work`, once its job is settled. */
  add<T>(kind: Kind, share: string, work: (session: Session) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let value: T;
      const caller = new AsyncResource('DatabaseWrite');
      const job: Job<Kind> = {
        kind,
        run: async (session) => {
          value = await caller.runInAsyncScope(work, undefined, session);
        },
        settle: () => resolve(value),
        fail: reject,
      };
      const giveUp = () => {
        if (this.#line.remove(job, share)) reject(new DatabaseError('busy'));
      };
      this.#line.add(job, share);
      this.#timers.set(job, setTimeout(giveUp, share === HOST_SHARE ? HOST_WAIT_MS : WAIT_MS));
    });
  }

  /** The job whose turn is next. */
  peek(): Job<Kind> | undefined {
    return this.#line.peek();
  }

  take(): Job<Kind> | undefined {
    const job = this.#line.take();
    if (job !== undefined) clearTimeout(this.#timers.get(job));
    return job;
  }
}

/** Settles or fails each job by the outcome at its place. */
export function tell(jobs: readonly Job<string>[], outcomes: readonly PromiseSettledResult<void>[]): void {
  for (const [place, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') jobs[place]?.settle();
    else jobs[place]?.fail(outcome.reason);
  }
}
