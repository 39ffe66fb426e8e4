import type { Knex } from 'knex';
import type { Dialect } from '../../dialects/dialect.ts';
import { compileQuery, fromFirstWord } from '../compile-query.ts';
import type { Query, RowSet, Unit, WriteResult } from '../../sql/unit.ts';
import type { Session, StatementResult } from '../../sql/session.ts';

export interface SessionUnitParts {
  readonly kind: Unit['kind'];
  readonly session: Session;
  readonly dialect: Dialect;
  readonly bindKnex: (session: Session) => Knex;
}

/** The unit that runs its queries on one session. */
export class SessionUnit implements Unit {
  readonly kind: Unit['kind'];
  readonly #parts: SessionUnitParts;
  readonly #session: Session;
  readonly #afterCommit: (() => void)[] = [];
  #knex: Knex | undefined;
  #open = true;
  #failure: Error | undefined;

  constructor(parts: SessionUnitParts) {
    this.kind = parts.kind;
    this.#parts = parts;
    this.#session = { execute: (sql, bindings) => this.#execute(sql, bindings) };
  }

  get knex(): Knex {
    this.#knex ??= this.#parts.bindKnex(this.#session);
    return this.#knex;
  }

  async rows(query: Query): Promise<RowSet> {
    const { columns, rows } = await this.#run(query);
    return { columns, rows };
  }

  async all<Row extends object>(query: Query): Promise<Row[]> {
    const { columns, rows } = await this.#run(query);
    return rows.map((row) => toRecord<Row>(columns, row));
  }

  async first<Row extends object>(query: Query): Promise<Row | undefined> {
    const { columns, rows } = await this.#run(query);
    const row = rows[0];
    return row === undefined ? undefined : toRecord<Row>(columns, row);
  }

  async run(query: Query): Promise<WriteResult> {
    return toWriteResult(await this.#run(query));
  }

  async batch(queries: readonly Query[]): Promise<readonly (RowSet & WriteResult)[]> {
    const results: StatementResult[] = [];
    if (this.#parts.session.pipelines === true) {
      const outcomes = await Promise.allSettled(queries.map((query) => this.#run(query)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') throw outcome.reason;
        results.push(outcome.value);
      }
    } else {
      for (const query of queries) results.push(await this.#run(query));
    }
    return results.map((result) => ({
      columns: result.columns,
      rows: result.rows,
      ...toWriteResult(result),
    }));
  }

  afterCommit(action: () => void): void {
    if (this.kind !== 'writer') throw new Error('A reader never commits; call afterCommit on a writer');
    this.#assertOpen();
    this.#afterCommit.push(action);
  }

  /**
   * Throws when a statement of this unit has failed, even if its work went on. After a failure PostgreSQL answers a commit
   * with a silent rollback, and MySQL may have rolled back half of the work; so no database may commit what is left.
   */
  assertWhole(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends the unit and hands out what is to run after its commit. */
  close(): readonly (() => void)[] {
    this.#open = false;
    return this.#afterCommit;
  }

  async #run(query: Query): Promise<StatementResult> {
    const { sql, bindings } = compileQuery(query);
    assertNoTransactionControl(sql);
    return this.#session.execute(sql, bindings);
  }

  async #execute(...call: Parameters<Session['execute']>): Promise<StatementResult> {
    this.#assertOpen();
    try {
      return await this.#parts.session.execute(...call);
    } catch (error) {
      const failure = this.#parts.dialect.errors.toDatabaseError(error);
      this.#failure ??= failure;
      throw failure;
    }
  }

  #assertOpen(): void {
    if (!this.#open)
      throw new Error('This unit has ended; run the query before the work of the unit resolves');
  }
}

function toWriteResult({ changes, lastId, rows }: StatementResult): WriteResult {
  const returned = rows[0]?.[0];
  const id = typeof returned === 'number' || typeof returned === 'string' ? returned : lastId;
  return id === undefined ? { changes } : { changes, lastId: id };
}

function toRecord<Row extends object>(columns: readonly string[], row: readonly unknown[]): Row {
  const record = Object.create(null) as Record<string, unknown>;
  columns.forEach((column, index) => {
    record[column] = row[index];
  });
  return record as Row;
}

const CONTROL =
  /^(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b/i;

/** A unit is one transaction, and on SQLite may share it with others: nothing that runs in it may end it. */
function assertNoTransactionControl(sql: string): void {
  if (CONTROL.test(fromFirstWord(sql))) {
    throw new TypeError(
      'A unit begins and ends its transaction by itself; let its work resolve or reject instead',
    );
  }
}
