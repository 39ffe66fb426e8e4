import { DatabaseError } from '../../sql/database-error.ts';
import type { Binding, Session, SessionStatement, StatementResult } from '../../sql/session.ts';
import { AnswerWatch, type AnswerWatchParts } from './answer-watch.ts';

export interface TrackedSessionParts extends Session, AnswerWatchParts {
  readonly cancel: () => Promise<void>;
  /** How long a cancelled statement may run on before the connection is destroyed. Milliseconds. */
  readonly graceMs: number;
}

/** A session that knows whether a statement is running, so that its connection is never passed on during one. */
export class TrackedSession implements Session {
  readonly #parts: TrackedSessionParts;
  readonly #running = new Set<Promise<unknown>>();
  readonly #watch: AnswerWatch;
  #cancelling: Promise<void> | undefined;
  #lost = false;

  constructor(parts: TrackedSessionParts) {
    this.#parts = parts;
    this.#watch = new AnswerWatch({ ...parts, destroy: () => this.#destroy() });
  }

  /** Whether the connection was destroyed. */
  get lost(): boolean {
    return this.#lost;
  }

  async execute(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    return this.#track(this.#parts.execute(sql, bindings));
  }

  async executeAll(statements: readonly SessionStatement[]): Promise<readonly StatementResult[]> {
    if (this.#parts.executeAll !== undefined) return this.#track(this.#parts.executeAll(statements));
    const results: StatementResult[] = [];
    for (const { sql, bindings } of statements) results.push(await this.execute(sql, bindings));
    return results;
  }

  async #track<T>(answering: Promise<T>): Promise<T> {
    const running = this.#watch.during(answering);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Asks the database to end the running statement. */
  cancel(): void {
    if (this.#running.size === 0) return;
    // If the database cannot be asked, the connection is useless.
    this.#cancelling ??= this.#bounded(this.#parts.cancel()).catch(() => this.#destroy());
  }

  /** Undoes the transaction; if that fails, destroys the connection, which undoes it too. */
  async rollBack(): Promise<void> {
    await this.settle();
    if (this.#lost) return;
    await this.execute('rollback').catch(() => this.#destroy());
  }

  /** Resolves when nothing runs any more: it ended, was cancelled, or the connection was destroyed. */
  async settle(): Promise<void> {
    await this.#cancelled();
    if (this.#running.size === 0) return;
    this.cancel();
    await this.#bounded(Promise.allSettled(this.#running)).catch(() => this.#destroy());
    await this.#cancelled();
  }

  /** Rejects when `work` takes longer than the grace period. */
  async #bounded(work: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DatabaseError('timeout')), this.#parts.graceMs);
    });
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #cancelled(): Promise<void> {
    await this.#cancelling;
    this.#cancelling = undefined;
  }

  #destroy(): void {
    this.#lost = true;
    this.#parts.destroy();
  }
}
