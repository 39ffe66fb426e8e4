import { compileQuery } from '../databases/compile-query.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { Binding } from '../sql/session.ts';
import type { Statement } from '../sql/unit.ts';

/**
 * Calls under an `Idempotency-Key` that run at this moment, by the id of their request, so that a write can mark its call as done
 * in its own transaction. Whatever happens to the answer afterwards, the call is not carried out a second time.
 */
export class WrittenCalls {
  readonly #keys = new Map<string, string>();
  /** How many writes of a request are under way of which nobody knows yet whether they happened. */
  readonly #open = new Map<string, number>();
  readonly #sql: string;
  readonly #values: readonly Binding[];

  constructor({ database }: Pick<Metadata, 'database'>) {
    // Until the answer is kept, a repetition is told only that the call succeeded.
    const done = { state: 'done', status: 200, headers: '{}', body: '' };
    const mark = compileQuery(database.builder('trellis_idempotency').where({ key: '' }).update(done));
    this.#sql = mark.sql;
    this.#values = mark.bindings.slice(0, -1);
  }

  /** @param key what `trellis_idempotency` holds the call under. */
  begin(requestId: string, key: string): void {
    this.#keys.set(requestId, key);
  }

  /** Forgets a call. Gives whether one of its writes is left open, so that the call must not be repeated until it is settled. */
  end(requestId: string): { readonly isOpen: boolean } {
    this.#keys.delete(requestId);
    const isOpen = (this.#open.get(requestId) ?? 0) > 0;
    this.#open.delete(requestId);
    return { isOpen };
  }

  /** What `trellis_idempotency` holds the call of a request under; undefined for one without an `Idempotency-Key`. */
  keyOf(requestId: string): string | undefined {
    return this.#keys.get(requestId);
  }

  /** A write of this request to another database begins; it is open until `settled`. */
  opened(requestId: string): void {
    if (this.#keys.has(requestId)) this.#open.set(requestId, (this.#open.get(requestId) ?? 0) + 1);
  }

  /** It is known whether the write happened, and what happened is in the log. */
  settled(requestId: string): void {
    const open = this.#open.get(requestId);
    if (open !== undefined) this.#open.set(requestId, open - 1);
  }

  /** What a write of this request runs in its transaction; nothing for a request without an `Idempotency-Key`. */
  marks(requestId: string): readonly Statement[] {
    return this.marksOf(this.#keys.get(requestId));
  }

  /** As `marks`, for the call that is held under a key. */
  marksOf(key: string | undefined): readonly Statement[] {
    return key === undefined ? [] : [{ sql: this.#sql, bindings: [...this.#values, key] }];
  }
}
