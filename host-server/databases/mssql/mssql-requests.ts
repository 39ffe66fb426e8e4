import { MOST_BYTES, rowBytes } from '../../sql/row-bytes.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type { Binding, StatementResult } from '../../sql/session.ts';
import { placeBindings } from '../compile-query.ts';
import { BATCH_BYTES } from '../server/batch-budget.ts';
import type { ServerCursor } from '../server/server-driver.ts';
import type { RowBatch } from '../units/stream-batches.ts';
import { cellReader, type CellType } from './cells.ts';
import { Request, TYPES, type TdsConnection } from './tds.ts';

type Column = CellType & { readonly colName: string };
type Row = readonly { readonly value: unknown }[];

/** What is told of a statement while it runs. */
interface Answers {
  columns(names: readonly string[]): void;
  row(cells: unknown[]): void;
  /** @param count how many rows the statement gave or changed */
  end(error: Error | undefined, count: number): void;
}

const leastInt = -(2 ** 31);
const mostInt = 2 ** 31 - 1;

function addParameter(request: InstanceType<typeof Request>, name: string, value: Binding): void {
  switch (typeof value) {
    case 'string':
      request.addParameter(name, TYPES.NVarChar, value);
      return;
    case 'boolean':
      request.addParameter(name, TYPES.Bit, value);
      return;
    case 'bigint':
      request.addParameter(name, TYPES.BigInt, value);
      return;
    case 'number':
      if (!Number.isInteger(value) || !Number.isSafeInteger(value))
        request.addParameter(name, TYPES.Float, value);
      else
        request.addParameter(name, value >= leastInt && value <= mostInt ? TYPES.Int : TYPES.BigInt, value);
      return;
    default:
      if (value !== null) request.addParameter(name, TYPES.VarBinary, Buffer.from(value));
  }
}

/** Sends a statement. Null is written into the SQL text: a bound null would have the type of a text, which not every column takes. */
function send(
  connection: TdsConnection,
  sql: string,
  bindings: readonly Binding[],
  answers: Answers,
): InstanceType<typeof Request> {
  const text = placeBindings(sql, bindings, (index, value) => (value === null ? 'null' : `@p${index}`));
  let changes = 0;
  const request = new Request(text, (error) => answers.end(error ?? undefined, changes));
  // The driver adds up what triggers have changed on the way; the statement itself ends last.
  const counted = (count: number | undefined) => {
    changes = count ?? changes;
  };
  request.on('doneInProc', counted);
  request.on('done', counted);
  let readers: readonly ReturnType<typeof cellReader>[] = [];
  request.on('columnMetadata', (metadata: unknown) => {
    const columns = metadata as readonly Column[];
    readers = columns.map(cellReader);
    answers.columns(columns.map(({ colName }) => colName));
  });
  request.on('row', (row: unknown) =>
    answers.row((row as Row).map(({ value }, index) => readers[index]?.(value) ?? value)),
  );
  bindings.forEach((value, index) => addParameter(request, `p${index}`, value));
  // What begins and ends transactions must not stand within a procedure, which the call with parameters is.
  if (bindings.every((value) => value === null)) connection.execSqlBatch(request);
  else connection.execSql(request);
  return request;
}

/** Runs a statement; of several answers the last one counts. */
export function runStatement(
  connection: TdsConnection,
  sql: string,
  bindings: readonly Binding[],
): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    let columns: readonly string[] = [];
    let bytes = 0;
    let rows: unknown[][] = [];
    send(connection, sql, bindings, {
      columns(names) {
        columns = names;
        rows = [];
      },
      row(cells) {
        bytes += rowBytes(cells);
        // The rest is dropped as it comes, so that the connection can be used again.
        if (bytes > MOST_BYTES) rows.length = 0;
        else rows.push(cells);
      },
      end(error, count) {
        if (error !== undefined) reject(error);
        else if (bytes > MOST_BYTES) reject(new DatabaseError('tooLarge'));
        else resolve({ columns, rows, changes: columns.length > 0 ? rows.length : count });
      },
    });
  });
}

/** Reads rows off the socket as they are asked for; it is paused in between, so the server waits. */
export class MssqlCursor implements ServerCursor {
  readonly #connection: TdsConnection;
  readonly #request: InstanceType<typeof Request>;
  readonly #most: number;
  #columns: readonly string[] = [];
  #rows: unknown[][] = [];
  #bytes = 0;
  #ended = false;
  #failure: Error | undefined;
  #changed = () => {};

  constructor(connection: TdsConnection, sql: string, bindings: readonly Binding[], batch: number) {
    this.#connection = connection;
    this.#most = batch;
    this.#request = send(connection, sql, bindings, {
      columns: (names) => {
        this.#columns = names;
      },
      row: (cells) => {
        this.#rows.push(cells);
        this.#bytes += rowBytes(cells);
        if (this.#isFull) this.#request.pause();
        if (this.#isFull) this.#changed();
      },
      end: (error) => {
        this.#ended = true;
        this.#failure = error;
        this.#changed();
      },
    });
  }

  async fetch(count: number): Promise<RowBatch> {
    if (!this.#isFull && !this.#ended) {
      this.#request.resume();
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
    const rows = this.#rows.splice(0, count);
    this.#bytes = this.#rows.reduce((sum, row) => sum + rowBytes(row), 0);
    return { columns: this.#columns, rows, isLast: this.#ended && this.#rows.length === 0 };
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    const ended = new Promise<void>((resolve) => {
      this.#changed = () => {
        if (this.#ended) resolve();
      };
    });
    this.#request.resume();
    this.#connection.cancel();
    await ended;
  }

  get #isFull(): boolean {
    return this.#rows.length >= this.#most || this.#bytes >= BATCH_BYTES;
  }
}
