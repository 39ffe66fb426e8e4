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

  end(requestId: string): void {
    this.#keys.delete(requestId);
  }

  /** What a write of this request runs in its transaction; nothing for a request without an `Idempotency-Key`. */
  marks(requestId: string): readonly Statement[] {
    const key = this.#keys.get(requestId);
    return key === undefined ? [] : [{ sql: this.#sql, bindings: [...this.#values, key] }];
  }
}
