import { setImmediate } from 'node:timers/promises';
import type { ErrorReader } from '../../dialects/errors/default.ts';
import { DatabaseError, type DatabaseErrorKind } from '../../sql/database-error.ts';
import type { Session } from '../../sql/session.ts';
import { HOST_SHARE } from '../units/fair-line.ts';
import { JobLine, tell, type Job } from '../units/job-line.ts';
import { SideBySide, type SharedTransaction } from '../units/side-by-side.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** Groups that are on their way at once. While one is, the writes that arrive gather. */
const GROUPS = 1;
const UNITS_PER_COMMIT = 64;
const WAITING = { most: 2000, perShare: 1000 };

/** Failures of a commit that concern a value or a lock of one unit, and were answered: nothing was committed. */
const OF_ONE_UNIT: ReadonlySet<DatabaseErrorKind> = new Set([
  'unique',
  'foreignKey',
  'notNull',
  'check',
  'outOfRange',
  'badValue',
  'charset',
  'busy',
  'deadlock',
]);

/** The write has to run in a transaction of its own; nothing of it was written. */
export class RunApart extends Error {
  constructor() {
    super('This write cannot share a transaction');
  }
}

export interface GroupedWritesParts {
  /** Runs `work` with a transaction that waits for no lock for long, on a connection of its own. */
  readonly transact: (work: (transaction: ServerTransaction) => Promise<void>) => Promise<void>;
  readonly errors: ErrorReader;
}

/** Writes of one step on a server: those that wait at the same moment share a transaction, side by side. */
export class GroupedWrites {
  readonly #parts: GroupedWritesParts;
  readonly #line = new JobLine<'unit'>(WAITING);
  #running = 0;

  constructor(parts: GroupedWritesParts) {
    this.#parts = parts;
  }

  /** Rejects with `RunApart` when the group of the write was undone, because of this write or of another one. */
  write<T>(work: (session: Session) => Promise<T>, share = HOST_SHARE): Promise<T> {
    const done = this.#line.add('unit', share, work);
    if (this.#running < GROUPS) void this.#drain();
    return done;
  }

  async #drain(): Promise<void> {
    this.#running += 1;
    for (;;) {
      // Requests that have arrived are read first, so that their writes are in the same group.
      await setImmediate();
      const jobs = this.#take();
      if (jobs.length === 0) break;
      await this.#run(jobs);
    }
    this.#running -= 1;
  }

  #take(): readonly Job<'unit'>[] {
    const jobs: Job<'unit'>[] = [];
    while (jobs.length < UNITS_PER_COMMIT) {
      const job = this.#line.take();
      if (job === undefined) break;
      jobs.push(job);
    }
    return jobs;
  }

  async #run(jobs: readonly Job<'unit'>[]): Promise<void> {
    try {
      await this.#parts.transact(async (transaction) => {
        const works = jobs.map(({ run }) => run);
        const outcomes = await new SideBySide(this.#shared(transaction), works).outcomes();
        if (outcomes === undefined) throw new RunApart();
        tell(jobs, outcomes);
      });
    } catch (error) {
      for (const job of jobs) job.fail(error);
    }
  }

  #shared(transaction: ServerTransaction): SharedTransaction {
    return {
      // `begin` travels with the first statements.
      begin: async () => {},
      run: (statements, { commits }) =>
        commits ? transaction.runLast(statements) : transaction.run(statements),
      rollBack: () => transaction.rollBack(),
      isOfOneUnit: (error) => {
        const known = this.#parts.errors.toDatabaseError(error);
        return known instanceof DatabaseError && OF_ONE_UNIT.has(known.kind);
      },
    };
  }
}
