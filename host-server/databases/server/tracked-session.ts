import type { Binding, Session, StatementResult } from '../../sql/session.ts';

export interface TrackedSessionParts extends Session {
  readonly cancel: () => Promise<void>;
  readonly destroy: () => void;
  /** How long a cancelled statement may go on before the connection is destroyed. */
  readonly graceMs: number;
}

/** A session that knows whether a statement is on its way, so that its connection is never handed on in the middle of one. */
export class TrackedSession implements Session {
  readonly #parts: TrackedSessionParts;
  readonly #running = new Set<Promise<unknown>>();
  #cancelling: Promise<void> | undefined;
  #lost = false;

  constructor(parts: TrackedSessionParts) {
    this.#parts = parts;
  }

  get pipelines(): boolean {
    return this.#parts.pipelines === true;
  }

  /** Whether the connection was destroyed. */
  get lost(): boolean {
    return this.#lost;
  }

  async execute(sql: string, bindings: readonly Binding[] = []): Promise<StatementResult> {
    const running = this.#parts.execute(sql, bindings);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Asks the database to end the statement that runs. */
  cancel(): void {
    if (this.#running.size === 0) return;
    // When the database cannot be told, the connection is of no more use.
    this.#cancelling ??= this.#parts.cancel().catch(() => this.#destroy());
  }

  /** Undoes the transaction; a connection on which that fails is destroyed, which undoes it too. */
  async rollBack(): Promise<void> {
    await this.settle();
    if (this.#lost) return;
    await this.execute('rollback').catch(() => this.#destroy());
  }

  /** Resolves when nothing runs any more: by itself, by a cancel, or because the connection was destroyed. */
  async settle(): Promise<void> {
    await this.#cancelled();
    if (this.#running.size === 0) return;
    this.cancel();
    const ended = Promise.allSettled(this.#running);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#destroy();
        resolve();
      }, this.#parts.graceMs);
    });
    await Promise.race([ended, late]);
    clearTimeout(timer);
    await this.#cancelled();
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
