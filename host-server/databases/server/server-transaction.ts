import type { Session, SessionStatement, StatementResult } from '../../sql/session.ts';
import type { TrackedSession } from './tracked-session.ts';

/** The transaction of one unit. Its `begin` is sent with the unit's first statements, and its commit with the last. */
export class ServerTransaction {
  /** Runs the statements of the unit. */
  readonly session: Session;
  readonly #session: TrackedSession;
  /** The statements that begin the transaction, until they are sent. */
  #beginning: readonly SessionStatement[];
  #isCommitted = false;
  /** The statements that carry the commit, while they are on their way. */
  #ending: Promise<readonly StatementResult[]> | undefined;

  constructor(session: TrackedSession, begin: readonly string[]) {
    this.#session = session;
    this.#beginning = begin.map(control);
    this.session = {
      execute: async (sql, bindings = []) => {
        const [result] = await this.run([{ sql, bindings }]);
        // The session gives a result for each statement; the check is for the compiler.
        return result ?? { columns: [], rows: [], changes: 0 };
      },
      executeAll: (statements) => this.run(statements),
      executeLast: async (statements) => ({ results: await this.runLast(statements), isCommitted: true }),
    };
  }

  async run(statements: readonly SessionStatement[]): Promise<readonly StatementResult[]> {
    const beginning = this.#beginning;
    this.#beginning = [];
    const results = await this.#session.executeAll([...beginning, ...statements]);
    return results.slice(beginning.length);
  }

  /** Sends the commit after the statements; the database skips it if one of them fails. */
  runLast(statements: readonly SessionStatement[]): Promise<readonly StatementResult[]> {
    const run = async () => {
      const results = await this.run([...statements, control('commit')]);
      this.#isCommitted = true;
      return results.slice(0, -1);
    };
    this.#ending = run();
    return this.#ending;
  }

  async commit(): Promise<void> {
    if (this.#isCommitted || !this.#hasBegun) return;
    await this.#session.execute('commit');
    this.#isCommitted = true;
  }

  /** Undoes what is not committed. */
  async rollBack(): Promise<void> {
    await this.#session.settle();
    await this.#ending?.catch(() => {});
    if (!this.#isCommitted && this.#hasBegun) await this.#session.rollBack();
  }

  get #hasBegun(): boolean {
    return this.#beginning.length === 0;
  }
}

function control(sql: string): SessionStatement {
  return { sql, bindings: [] };
}
