import { defineErrors } from '@trellis/core';
import { compileQuery } from '../databases/compile-query.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { fromNow } from '../runtime/database-clock.ts';
import { foretoldRead } from '../sql/foresight.ts';
import { sql, text } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import type { Statement, Unit } from '../sql/unit.ts';

const callErrors = defineErrors({
  CALL_TAKEN_OVER: {
    status: 409,
    message: 'This request stood still for so long that its repetition is carried out in its place.',
  },
});

/** How `trellis_idempotency` holds a call that runs. */
export interface HeldCall {
  readonly key: string;
  /** Random, new with each run of the call: only the run that has the key now may write under it, end it or free it. */
  readonly claim: string;
}

/** What must still hold when a write is committed. */
export interface CommitGuard {
  /** Gives a row with one cell and keeps it as it is until the transaction ends. */
  readonly holding: Statement;
  /** As `holding` where it travels with the commit: fails with kind `badValue` unless what is demanded holds. */
  readonly demanding: Statement | undefined;
  /** The cell as it is outside of the write. */
  readonly find: (unit: Unit) => Promise<unknown>;
  /** @throws the error to show when the cell is not what it must be. `cell` is undefined when there is no row. */
  readonly assert: (cell: unknown) => void;
}

/**
 * Calls under an `Idempotency-Key` that run at this moment, by the id of their request, so that a write can mark its call as done
 * in its own transaction. Whatever happens to the answer afterwards, the call is not carried out a second time.
 */
export class WrittenCalls {
  readonly #held = new Map<string, HeldCall>();
  /** How many writes of a request are under way, with an outcome that is not known yet. */
  readonly #open = new Map<string, number>();
  readonly #mark: Statement;
  readonly #holding: string;
  readonly #demanding: string | undefined;

  constructor({ database }: Pick<Metadata, 'database'>) {
    const held = () => database.builder('trellis_idempotency').where({ key: '', claim_id: '' });
    // Until the answer is kept, a repetition is told only that the call succeeded.
    const done = { state: 'done', status: 200, headers: '{}', body: '' };
    this.#mark = compileQuery(held().update(done));
    const { sql: holding } = compileQuery(held().select('claim_id').forUpdate());
    this.#holding = holding;
    const isHeld = sql`exists (${text(compileQuery(held().select('claim_id')).sql)})`;
    const demand = database.dialect.statements.demand?.(isHeld);
    this.#demanding = demand && `select ${demand.sql}`;
  }

  begin(requestId: string, call: HeldCall): void {
    this.#held.set(requestId, call);
  }

  /** Forgets a call. Gives whether one of its writes is left open, so that the call must not be repeated until it is settled. */
  end(requestId: string): { readonly isOpen: boolean } {
    this.#held.delete(requestId);
    const isOpen = (this.#open.get(requestId) ?? 0) > 0;
    this.#open.delete(requestId);
    return { isOpen };
  }

  /** How the call of a request is held; undefined for one without an `Idempotency-Key`. */
  of(requestId: string): HeldCall | undefined {
    return this.#held.get(requestId);
  }

  /** A write of this request to another database begins; it is open until `settled`. */
  opened(requestId: string): void {
    if (this.#held.has(requestId)) this.#open.set(requestId, (this.#open.get(requestId) ?? 0) + 1);
  }

  /** The write of this request has ended: its outcome is known and is in the log. */
  settled(requestId: string): void {
    const open = this.#open.get(requestId);
    if (open !== undefined) this.#open.set(requestId, open - 1);
  }

  /** What a write of this call runs in its transaction; nothing for a request without an `Idempotency-Key`. */
  marks(call: HeldCall | undefined): readonly Statement[] {
    if (call === undefined) return [];
    const values: readonly Binding[] = this.#mark.bindings.slice(0, -2);
    return [{ sql: this.#mark.sql, bindings: [...values, call.key, call.claim] }];
  }

  /** A guard that fails the commit when a repetition of this call has taken its place. */
  guards(call: HeldCall | undefined): readonly CommitGuard[] {
    if (call === undefined) return [];
    const bindings = [call.key, call.claim];
    return [
      {
        holding: foretoldRead({ sql: this.#holding, bindings }),
        demanding: this.#demanding === undefined ? undefined : { sql: this.#demanding, bindings },
        find: async (unit) => (await unit.first<{ claim_id: string }>(heldBy(unit, call)))?.claim_id,
        assert: (cell) => {
          if (cell !== call.claim) throw callErrors.create('CALL_TAKEN_OVER');
        },
      },
    ];
  }

  /**
   * Shows in this transaction that the call goes on, so that nobody takes it over once it is committed without looking again.
   *
   * @throws TrellisError `CALL_TAKEN_OVER` when somebody has it already
   */
  async renew(unit: Unit, call: HeldCall | undefined, { dialect }: Metadata['database']): Promise<void> {
    if (call === undefined) return;
    const { changes } = await unit.run(heldBy(unit, call).update({ created_at: fromNow(unit, dialect) }));
    if (changes === 0) throw callErrors.create('CALL_TAKEN_OVER');
  }
}

/** The row of a call while it has it. */
export function heldBy({ knex }: Pick<Unit, 'knex'>, { key, claim }: HeldCall) {
  return knex('trellis_idempotency').where({ key, claim_id: claim });
}
