import type { Knex } from 'knex';
import type { Dialect } from '../../dialects/dialect.ts';
import { compileQuery, fromFirstWord } from '../compile-query.ts';
import type { Query, RowSet, Unit, WriteResult } from '../../sql/unit.ts';
import type { LastResults, Session, SessionStatement, StatementResult } from '../../sql/session.ts';

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
  #ending: Promise<LastResults> | undefined;
  #failure: Error | undefined;

  constructor(parts: SessionUnitParts) {
    this.kind = parts.kind;
    this.#parts = parts;
    this.#session = {
      execute: (sql, bindings) => {
        this.#assertNotLast();
        return this.#execute(sql, bindings);
      },
    };
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
    this.#assertNotLast();
    return (await this.#runAll(queries)).map(toAnswer);
  }

  async #runAll(queries: readonly Query[]): Promise<readonly StatementResult[]> {
    const { session } = this.#parts;
    if (session.executeAll === undefined || queries.length === 0) {
      const results: StatementResult[] = [];
      for (const query of queries) results.push(await this.#runOne(query));
      return results;
    }
    this.#assertOpen();
    return this.#mapFailure(session.executeAll(queries.map(compileAllowed)));
  }

  async last(queries: readonly Query[]): Promise<readonly (RowSet & WriteResult)[]> {
    this.#assertOpen();
    this.#assertNotLast();
    this.assertWhole();
    const { session } = this.#parts;
    const statements = queries.map(compileAllowed);
    this.#ending =
      session.executeLast?.(statements) ??
      this.#runAll(queries).then((results) => ({ results, isCommitted: false }));
    const { results } = await this.#mapFailure(this.#ending);
    return results.map(toAnswer);
  }

  afterCommit(action: () => void): void {
    if (this.kind !== 'writer') throw new Error('A reader never commits; call afterCommit on a writer');
    if (!this.#open) throw new Error('This unit has ended; call afterCommit before its work resolves');
    this.#afterCommit.push(action);
  }

  /**
   * Throws if a statement of this unit has failed, even if its work continued. After a failure PostgreSQL answers a commit with a
   * silent rollback, and MySQL may have rolled back half of the work; so no database may commit the rest.
   */
  assertWhole(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends the unit and returns the actions to run after its commit. */
  close(): readonly (() => void)[] {
    this.#open = false;
    return this.#afterCommit;
  }

  /** Whether the unit's last statements have committed it, even if its work failed afterwards. */
  async hasCommitted(): Promise<boolean> {
    return (
      this.#ending?.then(
        ({ isCommitted }) => isCommitted,
        () => false,
      ) ?? false
    );
  }

  async #run(query: Query): Promise<StatementResult> {
    this.#assertNotLast();
    return this.#runOne(query);
  }

  async #runOne(query: Query): Promise<StatementResult> {
    const { sql, bindings } = compileAllowed(query);
    return this.#execute(sql, bindings);
  }

  async #execute(...call: Parameters<Session['execute']>): Promise<StatementResult> {
    this.#assertOpen();
    return this.#mapFailure(this.#parts.session.execute(...call));
  }

  async #mapFailure<T>(running: Promise<T>): Promise<T> {
    try {
      return await running;
    } catch (error) {
      const failure = this.#parts.dialect.errors.toDatabaseError(error);
      this.#failure ??= failure;
      throw failure;
    }
  }

  #assertNotLast(): void {
    if (this.#ending !== undefined)
      throw new Error('This unit has run its last statements; run the query before them');
  }

  #assertOpen(): void {
    if (!this.#open)
      throw new Error('This unit has ended; run the query before the work of the unit resolves');
  }
}

function toAnswer(result: StatementResult): RowSet & WriteResult {
  return { columns: result.columns, rows: result.rows, ...toWriteResult(result) };
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

/** A unit is one transaction, on SQLite possibly shared with others, so no statement in it may end the transaction. */
function compileAllowed(query: Query): SessionStatement {
  const compiled = compileQuery(query);
  if (CONTROL.test(fromFirstWord(compiled.sql))) {
    throw new TypeError(
      'A unit begins and ends its transaction by itself; let its work resolve or reject instead',
    );
  }
  return compiled;
}
