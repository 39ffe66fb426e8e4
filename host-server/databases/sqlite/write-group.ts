import type { Binding, LastResults, Session, SessionStatement, StatementResult } from '../../sql/session.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/**
 * One transaction that several units share: the commit makes all of them durable with one wait for the disk. Each unit except the
 * first has a savepoint, to which it rolls back alone if it fails.
 *
 * `begin`, savepoints and releases are held back and sent with the next statements of a unit.
 */
export class WriteGroup {
  readonly session: Session;
  readonly #connection: SqliteConnection;
  readonly #mayEnd: () => boolean;
  #held: string[] = [];
  #begun: Promise<unknown> | undefined;
  #isCommitted = false;
  /** The last statements of the running unit, which may carry the commit. */
  #ending: Promise<unknown> = Promise.resolve();

  /** @param mayEnd whether the running unit is the only one of the group, so that its last statements may carry the commit */
  constructor(connection: SqliteConnection, mayEnd: () => boolean) {
    this.#connection = connection;
    this.#mayEnd = mayEnd;
    this.session = {
      execute: (sql, bindings) => this.#execute(sql, bindings),
      executeAll: (statements) => this.#executeAll(statements, false),
      executeLast: (statements) => this.#executeLast(statements),
    };
  }

  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Runs a unit. Returns its error if it fails alone; rejects if the whole transaction is lost. */
  async run(work: (session: Session) => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
    const isFirst = this.#begun === undefined;
    if (!isFirst) this.#held.push('savepoint unit');
    try {
      await work(this.session);
    } catch (error) {
      // Work that was stopped by a limit may have its commit on the way.
      await this.#ending;
      if (this.#isCommitted) return { error };
      if (isFirst) await this.rollBack();
      else if (!this.#dropSavepoint()) {
        this.#held.push('rollback to unit');
        await this.#execute('release unit');
      }
      return { error };
    }
    if (!isFirst && !this.#isCommitted && !this.#dropSavepoint()) this.#held.push('release unit');
    return undefined;
  }

  async commit(): Promise<void> {
    if (this.#isCommitted || this.#begun === undefined) return;
    await this.#execute('commit');
    this.#isCommitted = true;
  }

  async rollBack(): Promise<void> {
    const hasBegun = this.#begun !== undefined;
    this.#held = [];
    this.#begun = undefined;
    if (hasBegun) await this.#connection.rollBack();
  }

  async #execute(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    const [result] = await this.#executeAll([{ sql, bindings }], false);
    // The connection gives a result for each statement; the check is for the compiler.
    return result ?? { columns: [], rows: [], changes: 0 };
  }

  /** Sends the held statements and then these, in one message. */
  async #executeAll(
    statements: readonly SessionStatement[],
    commits: boolean,
  ): Promise<readonly StatementResult[]> {
    if (this.#begun === undefined) {
      this.#begun = this.#connection.execute('begin immediate');
      this.#begun.catch(() => {});
    }
    const held = this.#held.splice(0).map((sql) => ({ sql, bindings: [] }));
    const answer = this.#connection.executeAllInTransaction([...held, ...statements], { commits });
    // Without a transaction the statements are refused; the reason is the failure of `begin`, which rejects first.
    const [, results] = await Promise.all([this.#begun, answer]);
    return results.slice(held.length);
  }

  /** Runs the statements and commits in one message, if no other unit depends on the commit. */
  async #executeLast(statements: readonly SessionStatement[]): Promise<LastResults> {
    const commits = this.#mayEnd();
    const running = this.#executeAll(statements, commits);
    this.#ending = running.then(
      () => {
        this.#isCommitted = commits;
      },
      () => {},
    );
    const results = await running;
    await this.#ending;
    return { results, isCommitted: commits };
  }

  /** Returns whether the unit's savepoint was still held back, because the unit ran no statement. */
  #dropSavepoint(): boolean {
    if (this.#held.at(-1) !== 'savepoint unit') return false;
    this.#held.pop();
    return true;
  }
}
