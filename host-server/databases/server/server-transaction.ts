import type { LastResults, Session, SessionStatement } from '../../sql/session.ts';
import type { TrackedSession } from './tracked-session.ts';

interface TransactionDriver {
  readonly begin: readonly string[];
  readonly pipelines: boolean;
}

/** The transaction of one unit. Its beginning is sent without waiting for the answer, and its end where the driver pipelines. */
export class ServerTransaction {
  /** Runs the statements of the unit. */
  readonly session: Session;
  readonly #session: TrackedSession;
  readonly #begun: Promise<unknown>;
  #isCommitted = false;

  constructor(session: TrackedSession, driver: TransactionDriver) {
    this.#session = session;
    this.#begun = Promise.all(driver.begin.map((sql) => session.execute(sql)));
    // `commit` tells of the failure.
    this.#begun.catch(() => {});
    this.session = {
      pipelines: driver.pipelines,
      execute: (sql, bindings) => session.execute(sql, bindings),
      ...(driver.pipelines && { executeLast: (statements) => this.#executeLast(statements) }),
    };
  }

  async commit(): Promise<void> {
    await this.#begun;
    if (this.#isCommitted) return;
    await this.#session.execute('commit');
    this.#isCommitted = true;
  }

  /** Undoes what was not committed. */
  async rollBack(): Promise<void> {
    await this.#session.settle();
    if (!this.#isCommitted) await this.#session.rollBack();
  }

  /** Sends the commit behind the statements; after a failed one the database rolls back instead. */
  async #executeLast(statements: readonly SessionStatement[]): Promise<LastResults> {
    const answers = statements.map(({ sql, bindings }) => this.#session.execute(sql, bindings));
    const outcomes = await Promise.allSettled([this.#begun, ...answers, this.#session.execute('commit')]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    this.#isCommitted = true;
    return { results: await Promise.all(answers), isCommitted: true };
  }
}
