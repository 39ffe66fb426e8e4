import pg from 'pg';
import { DatabaseError } from '../../sql/database-error.ts';
import { MOST_BYTES } from '../../sql/row-bytes.ts';
import type { Binding, StatementResult } from '../../sql/session.ts';
import { parserOf, type CellParser } from './cell-parsers.ts';

/** A statement with PostgreSQL's own placeholders. */
export interface PlacedStatement {
  readonly text: string;
  /** The name under which the connection keeps the statement parsed and planned. */
  readonly name?: string | undefined;
  readonly bindings: readonly Binding[];
}

/** The columns of an answer, with the parsers of their cells. */
interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly CellParser[];
}

/** Named statements that a connection has prepared, with their columns once these are known. */
export type KnownStatements = Map<string, Columns | undefined>;

interface Settle {
  readonly resolve: (results: readonly StatementResult[]) => void;
  readonly reject: (error: Error) => void;
}

/** The messages that pg's connection can send. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  close(message: { readonly type: 'S'; readonly name: string }): void;
  parse(message: { readonly text: string; readonly name: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  describe(message: { readonly type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
  sendCopyFail(message: string): void;
}

/** pg's query class as its connection uses it: in pipeline mode it accepts no other. */
const Query = pg.Query as unknown as new (text: string) => object;

const noColumns: Columns = { names: [], parsers: [] };

/**
 * Statements that are sent to PostgreSQL in one message and answered in one, with one `Sync` behind the last. After a failure
 * PostgreSQL skips the remaining statements. Outside a transaction they form one.
 */
export class StatementBatch extends Query {
  readonly #statements: readonly PlacedStatement[];
  readonly #known: KnownStatements;
  readonly #settle: Settle;
  readonly #results: StatementResult[] = [];
  /** The columns of the statement that is being answered. */
  #columns: Columns | undefined;
  #rows: unknown[][] = [];
  #bytes = 0;
  #refusal: Error | undefined;

  /**
   * Runs the statements in their order. Rejects with the first failure, or with kind `tooLarge` when the rows of a statement take
   * more than `MOST_BYTES`.
   */
  static run(
    client: pg.Client,
    known: KnownStatements,
    statements: readonly PlacedStatement[],
  ): Promise<readonly StatementResult[]> {
    return new Promise((resolve, reject) => {
      client.query(new StatementBatch(statements, known, { resolve, reject }) as unknown as pg.Query);
    });
  }

  private constructor(statements: readonly PlacedStatement[], known: KnownStatements, settle: Settle) {
    super('');
    this.#statements = statements;
    this.#known = known;
    this.#settle = settle;
  }

  submit(wire: Wire): void {
    // Without corking, each message would be a separate write.
    wire.stream.cork();
    try {
      for (const statement of this.#statements) this.#send(wire, statement);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  #send(wire: Wire, { text, name = '', bindings }: PlacedStatement): void {
    if (name === '') wire.parse({ text, name });
    else if (!this.#known.has(name)) {
      // A batch that failed after preparing this statement may have left it behind.
      wire.close({ type: 'S', name });
      wire.parse({ text, name });
      this.#known.set(name, undefined);
    }
    wire.bind({ statement: name, values: bindings.map(toPostgres) });
    // PostgreSQL refuses a prepared statement whose columns have changed, so known columns are not described again.
    if (this.#knownColumns(name) === undefined) wire.describe({ type: 'P' });
    wire.execute({});
  }

  #knownColumns(name: string | undefined): Columns | undefined {
    return name === undefined ? undefined : this.#known.get(name);
  }

  get #answered(): PlacedStatement | undefined {
    return this.#statements[this.#results.length];
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#columns = {
      names: fields.map((field) => field.name),
      parsers: fields.map((field) => parserOf(field.dataTypeID)),
    };
  }

  handleDataRow({
    fields,
    length,
  }: {
    readonly fields: readonly (string | null)[];
    readonly length: number;
  }): void {
    this.#bytes += length;
    if (this.#bytes > MOST_BYTES) this.#refusal ??= new DatabaseError('tooLarge');
    // Further rows are dropped as they arrive.
    if (this.#refusal !== undefined) return;
    const { parsers } = (this.#columns ??= this.#knownColumns(this.#answered?.name) ?? noColumns);
    const row: unknown[] = fields as unknown[];
    for (let index = 0; index < row.length; index += 1) {
      const cell = row[index] as string | null;
      const parse = parsers[index];
      if (cell !== null && parse !== undefined) row[index] = parse(cell);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const name = this.#answered?.name;
    const columns = this.#columns ?? this.#knownColumns(name) ?? noColumns;
    if (name !== undefined) this.#known.set(name, columns);
    this.#results.push({ columns: columns.names, rows: this.#rows, changes: countIn(text) });
    this.#columns = undefined;
    this.#rows = [];
    this.#bytes = 0;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: Error): void {
    // It is not known whether these were parsed.
    for (const { name } of this.#statements.slice(this.#results.length))
      if (name !== undefined) this.#known.delete(name);
    this.#settle.reject(this.#refusal ?? error);
  }

  handleReadyForQuery(): void {
    if (this.#refusal === undefined) this.#settle.resolve(this.#results);
    else this.#settle.reject(this.#refusal);
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('Rows are not copied here');
  }
}

function toPostgres(value: Binding): string | Buffer | null {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : String(value);
}

/** The number at the end of `INSERT 0 5` or `UPDATE 5`; 0 for commands without one. */
function countIn(command: string): number {
  return Number(command.slice(command.lastIndexOf(' ') + 1)) || 0;
}
