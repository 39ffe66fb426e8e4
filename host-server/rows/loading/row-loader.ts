import type {
  LoadOptions,
  RowInput,
  SchemaStore,
  TableHandle,
  TaskContext,
  TaskKind,
  Tasks,
  ValuesByColumn,
} from '@trellis/sdk/server';
import { isExpected, TrellisError } from '@trellis/core';
import type { TaskEntity } from '@trellis/sdk/shared';
import { randomText } from '../../runtime/ids.ts';
import { openedTable } from '../../schema/opened-table.ts';
import { insertMany } from '../insert-rows.ts';
import { requireWrite, type OpenTable, type OpenTables } from '../open-table.ts';
import { RecordedWrites, type RecordedWritesDependencies } from '../recorded-writes.ts';
import { rowErrors } from '../row-errors.ts';
import { byColumnId, inputOf, insertionsOf } from '../row-values.ts';
import { charactersOf } from '../read-values.ts';
import { numbered } from '../take-numbers.ts';
import { WriteInput } from '../write-input.ts';
import { StagedRows, type StagedRow } from './staged-rows.ts';

export interface RowLoaderDependencies extends RecordedWritesDependencies {
  readonly schema: SchemaStore;
  readonly tables: OpenTables;
  readonly tasks: Pick<Tasks, 'start'>;
}

/** The payload of a load's task. */
interface Load {
  readonly loadId: string;
  readonly tableId: string;
  readonly total: number;
}

const kindId = 'rows.load';
const permission = 'bulkDataInsert';
/** Rows and characters that are read, checked and staged at a time. */
const rowsAtOnce = 2000;
const charactersAtOnce = 4_000_000;
/** Frequent schema changes must not keep rows from being added. */
const mostTries = 5;
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * Adds any number of rows, as a task: checks them one by one and stages them where nobody sees them, then moves them to the table
 * in short transactions.
 */
export class RowLoader {
  readonly #deps: RowLoaderDependencies;
  readonly #staged: StagedRows;
  readonly #asked: WriteInput;
  readonly #writes: RecordedWrites;

  constructor(deps: RowLoaderDependencies) {
    this.#deps = deps;
    this.#staged = new StagedRows(deps.metadata.database);
    this.#asked = new WriteInput(deps.hooks);
    this.#writes = new RecordedWrites(deps);
  }

  /** See `RowWrites.load`. */
  async load(
    handle: TableHandle,
    rows: AsyncIterable<RowInput>,
    { title, signal }: LoadOptions = {},
  ): Promise<TaskEntity> {
    const { scope, table } = handle;
    const open = await this.#opened(handle);
    if (!open.own) throw rowErrors.create('LOAD_OWN_ONLY', { table: table.title });
    const loadId = randomText(20);
    try {
      const total = await this.#stage(loadId, open, rows, signal);
      const payload: Load = { loadId, tableId: table.id, total };
      const named = title ?? `Adding rows to ${table.title}`;
      return await this.#deps.tasks.start(scope, { kind: kindId, title: named, payload });
    } catch (error) {
      await this.#staged.drop(loadId);
      throw error;
    }
  }

  /** The kind of task that publishes staged rows. */
  kind(): TaskKind {
    return {
      id: kindId,
      permission,
      run: (context) => this.#publish(context),
      cleanUp: ({ payload }) => this.#staged.drop((payload as Load).loadId),
    };
  }

  /**
   * Deletes the staged rows of a server that ended before it created their task.
   *
   * @param unfinished payloads of the tasks that still need their rows
   * @throws AggregateError with all errors; every load is attempted.
   */
  async sweep(unfinished: readonly unknown[], now: number = Date.now()): Promise<void> {
    const needed = new Set(unfinished.map((payload) => (payload as Load).loadId));
    const idle = await this.#staged.idleSince(now - abandonedAfterMs);
    const errors: unknown[] = [];
    for (const loadId of idle.filter((id) => !needed.has(id))) {
      try {
        await this.#staged.drop(loadId);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0)
      throw new AggregateError(errors, `What was staged for ${errors.length} loads could not be deleted.`);
  }

  async #stage(
    loadId: string,
    open: OpenTable,
    rows: AsyncIterable<RowInput>,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    let total = 0;
    let batch: RowInput[] = [];
    let characters = 0;
    const flush = async () => {
      const read = this.#asked.readAll(open, batch, total + 1);
      const values = await this.#asked.willCreate(open, read, { origin: 'import' });
      const staged = values.map((of, index) => ({
        n: total + index + 1,
        row: JSON.stringify(byColumnId(of)),
      }));
      await this.#staged.add(loadId, staged);
      total += staged.length;
      batch = [];
      characters = 0;
    };
    for await (const row of rows) {
      signal?.throwIfAborted();
      batch.push(row);
      for (const value of Object.values(row)) characters += charactersOf(value);
      if (batch.length >= rowsAtOnce || characters >= charactersAtOnce) await flush();
    }
    await flush();
    return total;
  }

  async #publish({ payload, scope, signal, progress, keep }: TaskContext): Promise<unknown> {
    const { loadId, tableId, total } = payload as Load;
    signal.throwIfAborted();
    for await (const part of this.#staged.parts(loadId)) {
      const first = part[0]?.n ?? 1;
      try {
        // Opened again for each part, since the caller may have lost the right, or a column, since the last one.
        await this.#publishPart(await this.#deps.schema.open(await scope(), tableId), loadId, part);
      } catch (error) {
        throw explained(error, first, part.at(-1)?.n ?? first);
      }
      const done = part.at(-1)?.n ?? 0;
      progress({ done, total, note: 'Adding rows' });
      // The staging table has what is left; the checkpoint shows that this run made progress.
      await keep({ done });
      signal.throwIfAborted();
    }
    return { added: total };
  }

  /**
   * Adds rows and removes them from the staging table in one transaction: if a run is interrupted, each row is in exactly one
   * place.
   */
  async #publishPart(given: TableHandle, loadId: string, part: readonly StagedRow[]): Promise<void> {
    let handle = given;
    for (let tries = 1; ; tries += 1) {
      const open = await this.#opened(handle);
      // Parsed again: a column may have another type by now, or be closed to the caller.
      const inputs = part.map(({ row }) => inputOf(open.plan, JSON.parse(row) as ValuesByColumn));
      const read = this.#asked.readAll(open, inputs, part[0]?.n);
      const rows = await numbered(this.#deps.metadata, open, read);
      try {
        await this.#writes.run(
          open,
          [],
          async (write) => {
            const taken = await this.#staged.take(write.unit, loadId, part.at(-1)?.n ?? 0);
            // Another run of this task was faster.
            if (taken !== part.length) throw rowErrors.create('LOAD_TAKEN_OVER');
            const inserted = await insertMany(write, rows);
            return { result: undefined, changes: [], alike: insertionsOf(open.plan, inserted) };
          },
          { origin: 'import' },
        );
        return;
      } catch (error) {
        const isStale = error instanceof TrellisError && error.code === 'SCHEMA_CHANGED';
        if (!isStale || tries === mostTries) throw error;
        await this.#deps.metadata.generations.poll();
        handle = await this.#deps.schema.open(given.scope, given.table.id);
      }
    }
  }

  /** For a caller who may add rows; the load adds only rows that the caller may change. */
  async #opened(handle: TableHandle): Promise<OpenTable> {
    requireWrite(handle, permission);
    return this.#deps.tables.open(openedTable(handle).changing());
  }
}

/** Adds to an error of the database which rows it concerns, and that the rows before them are in the table. */
function explained(error: unknown, first: number, last: number): unknown {
  if (!isExpected(error)) return error;
  const { message: problem } = error as TrellisError;
  return rowErrors.create('LOAD_STOPPED', { first, last, before: first - 1, problem }, error);
}
