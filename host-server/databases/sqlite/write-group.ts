import type { Binding, LastResults, Session, SessionStatement, StatementResult } from '../../sql/session.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/**
 * One transaction that several units share, a savepoint each: a failing unit rolls back to its savepoint alone, and the
 * commit makes all others durable with one wait for the disk.
 *
 * `begin`, savepoints and releases are held back and travel in the message of the next statement of a unit.
 */
export class WriteGroup {
  readonly session: Session;
  readonly #connection: SqliteConnection;
  readonly #mayEnd: () => boolean;
  #held: string[] = [];
  #begun: Promise<unknown> | undefined;
  #isCommitted = false;
  /** The last statements of the unit that runs, which may carry the commit. */
  #ending: Promise<unknown> = Promise.resolve();

  /** @param mayEnd whether the unit that runs is the only one of the group, so that its last statements may carry the commit */
  constructor(connection: SqliteConnection, mayEnd: () => boolean) {
    this.#connection = connection;
    this.#mayEnd = mayEnd;
    this.session = {
      pipelines: true,
      execute: (sql, bindings) => this.#execute(sql, bindings),
      executeLast: (statements) => this.#executeLast(statements),
    };
  }

  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Runs a unit in a savepoint. Answers its error, if it fails alone; rejects when the whole transaction is lost. */
  async run(work: (session: Session) => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
    this.#held.push('savepoint unit');
    try {
      await work(this.session);
    } catch (error) {
      // Work that is cut off by a limit may have its commit on the way.
      await this.#ending;
      if (!this.#isCommitted && !this.#dropSavepoint()) {
        await Promise.all([this.#execute('rollback to unit'), this.#execute('release unit')]);
      }
      return { error };
    }
    if (!this.#isCommitted && !this.#dropSavepoint()) this.#held.push('release unit');
    return undefined;
  }

  async commit(): Promise<void> {
    if (this.#isCommitted || this.#begun === undefined) return;
    await this.#execute('commit');
    this.#isCommitted = true;
  }

  /** Undoes everything. A connection that cannot roll back is given up, which undoes it, too. */
  async rollBack(): Promise<void> {
    this.#held = [];
    if (this.#begun === undefined || this.#connection.ended) return;
    try {
      await this.#connection.executeInTransaction('rollback');
    } catch (error) {
      // The worker refuses when SQLite has rolled back by itself, or has never begun.
      if ((error as NodeJS.ErrnoException).code === 'SQLITE_FULL') return;
      await this.#connection.abandon();
      throw error;
    }
  }

  async #execute(sql: string, bindings?: readonly Binding[]): Promise<StatementResult> {
    this.#sendHeld();
    const answer = this.#connection.executeInTransaction(sql, bindings);
    // Without a transaction the statement is refused; the reason is the failure of `begin`, which rejects first.
    const [, result] = await Promise.all([this.#begun, answer]);
    return result;
  }

  /** Runs the statements and commits in one message, where no other unit depends on the commit. */
  async #executeLast(statements: readonly SessionStatement[]): Promise<LastResults> {
    this.#sendHeld();
    const answers = statements.map(({ sql, bindings }) =>
      this.#connection.executeInTransaction(sql, bindings),
    );
    const commit = this.#mayEnd() ? this.#connection.commitIfWhole() : undefined;
    const ending = Promise.allSettled([this.#begun, commit, ...answers]).then((outcomes) => {
      this.#isCommitted = commit !== undefined && outcomes[1].status === 'fulfilled';
      return outcomes;
    });
    this.#ending = ending;
    const outcomes = await ending;
    // The statement that failed says why; the commit was only refused because of it.
    const failed = [outcomes[0], ...outcomes.slice(2), outcomes[1]].find(
      (outcome) => outcome?.status === 'rejected',
    );
    if (failed?.status === 'rejected') throw failed.reason;
    return { results: await Promise.all(answers), isCommitted: this.#isCommitted };
  }

  /** Answers whether the unit's savepoint was still held back, because the unit ran no statement. */
  #dropSavepoint(): boolean {
    if (this.#held.at(-1) !== 'savepoint unit') return false;
    this.#held.pop();
    return true;
  }

  /**
   * Nobody waits for the answers: a failed `begin` rejects the statement behind it, a failed savepoint fails the rollback of
   * its unit and so the transaction, and a lost transaction has the worker refuse whatever follows.
   */
  #sendHeld(): void {
    if (this.#begun === undefined) {
      this.#begun = this.#connection.execute('begin immediate');
      this.#begun.catch(() => {});
    }
    for (const sql of this.#held.splice(0)) this.#connection.executeInTransaction(sql).catch(() => {});
  }
}
