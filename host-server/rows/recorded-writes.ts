import type { HookRegistry } from '@trellis/core';
import type { Change, ServerHooks, WriteAnswer } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import type { ChangeRecorder, Operation, RowChange } from '../changes/change-recorder.ts';
import type { LiveLog } from '../changes/live/live-log.ts';
import { DatabaseError } from '../databases/index.ts';
import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { schemaErrors } from '../schema/schema-errors.ts';
import type { OpenTable } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import { byColumnId } from './row-values.ts';
import type { TableMemory } from './table-memory.ts';
import type { Values } from './table-plan.ts';
import { TableWrite } from './table-write.ts';

export interface RecordedWritesDependencies {
  readonly metadata: Metadata;
  readonly memory: TableMemory;
  readonly recorder: ChangeRecorder;
  readonly liveLog: LiveLog;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'call' | 'ownersOf'>;
}

/** What a write did inside its transaction. */
export interface Written<Result> {
  readonly result: Result;
  readonly changes: readonly RowChange[];
  readonly kind?: Change['kind'];
}

/** What a write is about to do, for the announcement of a change to an external database. */
export interface Intent {
  readonly op: Change['op'];
  readonly key?: RowKey;
  readonly values?: Values;
}

/** Runs writes of rows together with their change records, and tells of them once they are certain. */
export class RecordedWrites {
  readonly #deps: RecordedWritesDependencies;

  constructor(deps: RecordedWritesDependencies) {
    this.#deps = deps;
  }

  /**
   * Runs one write with its change record: in one transaction on our own database; announced before and confirmed after on an
   * external one, which cannot share a transaction with the metadata.
   */
  async run<Result>(
    open: OpenTable,
    intents: readonly Intent[],
    work: (write: TableWrite) => Promise<Written<Result>>,
    origin = 'api',
  ): Promise<WriteAnswer<Result>> {
    const { recorder } = this.#deps;
    const operation = recorder.begin(open.handle.scope, open.handle.table, origin);
    const workWithin = async (unit: Unit) => {
      const write = new TableWrite(open, unit);
      const written = await work(write);
      await write.assertWithin(written.changes);
      return written;
    };
    try {
      const written = open.own
        ? await this.#writeOwn(open, operation, workWithin)
        : await this.#writeExternal(open, operation, intents, workWithin);
      return written;
    } catch (error) {
      throw explained(error, open);
    }
  }

  async #writeOwn<Result>(
    open: OpenTable,
    operation: Operation,
    work: (unit: Unit) => Promise<Written<Result>>,
  ): Promise<WriteAnswer<Result>> {
    const { recorder, metadata } = this.#deps;
    return open.database.write(
      async (unit) => {
        const { result, changes: rows, kind } = await work(unit);
        const changes = recorder.toChanges(operation, rows, kind);
        // Held from here to the commit, so that a change of the schema comes wholly before this write or wholly after it.
        const holding = metadata.generations.holding(open.handle.table.projectId);
        const [generation] = await unit.batch([holding, ...recorder.recording(operation, changes)]);
        assertCurrent(open, generation?.rows[0]?.[0]);
        unit.afterCommit(() => this.#announce(open, changes));
        return { result, operationId: changes.length === 0 ? undefined : operation.id };
      },
      { retry: true },
    );
  }

  async #writeExternal<Result>(
    open: OpenTable,
    operation: Operation,
    intents: readonly Intent[],
    work: (unit: Unit) => Promise<Written<Result>>,
  ): Promise<WriteAnswer<Result>> {
    const { recorder } = this.#deps;
    const planned = recorder.toChanges(
      operation,
      intents.map(({ op, key, values }) => ({
        op,
        rowKey: key,
        before: undefined,
        after: values === undefined ? undefined : byColumnId(values),
      })),
    );
    await recorder.announce(operation, planned);
    let written: Written<Result>;
    try {
      written = await open.database.write(
        async (unit) => {
          // Whoever changes the schema holds this database while the new number is committed.
          assertCurrent(open, await this.#generationOf(open));
          return work(unit);
        },
        { retry: true },
      );
    } catch (error) {
      // A connection that is lost at the commit leaves open what happened; the announcement is settled later.
      const isOpen = error instanceof DatabaseError && error.kind === 'unreachable';
      if (!isOpen) await recorder.withdraw(planned);
      throw error;
    }
    const happened = recorder.toChanges(operation, written.changes, written.kind);
    const changes = await recorder.confirm(operation, planned, happened);
    this.#announce(open, changes);
    return { result: written.result, operationId: changes.length === 0 ? undefined : operation.id };
  }

  #generationOf({ handle }: OpenTable): Promise<number> {
    const { database, generations } = this.#deps.metadata;
    return database.read((unit) => generations.read(unit, handle.table.projectId));
  }

  #announce({ handle: { table } }: OpenTable, changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#deps.memory.touch(table.id);
    this.#deps.liveLog.append(table, changes);
    if (this.#deps.hooks.ownersOf('rows.didChange').length > 0) {
      void this.#deps.hooks.call('rows.didChange', { changes, table });
    }
  }
}

/** A schema that changed since the request began would be written with an old picture of it. */
function assertCurrent(open: OpenTable, generation: unknown): void {
  if (Number(generation ?? 0) !== open.handle.snapshot.generation)
    throw schemaErrors.create('SCHEMA_CHANGED');
}

/** Says which column the database refused, by its title. */
function explained(error: unknown, { handle: { table }, own }: OpenTable): unknown {
  if (!(error instanceof DatabaseError) || error.columns.length === 0) return error;
  // A column that somebody is about to put in the place of another one already demands its values.
  const isNew = error.columns.some((name) => !table.columnByName.has(name));
  if (isNew && own) return schemaErrors.create('SCHEMA_CHANGED', {}, error);
  const titles = error.columns.map((name) => table.columnByName.get(name)?.title ?? name).join(', ');
  if (error.kind === 'notNull') return rowErrors.create('VALUE_REQUIRED', { column: titles }, error);
  if (error.kind === 'unique') {
    return rowErrors.create(
      'VALUE_REFUSED',
      { column: titles, problem: 'must be unique: another row already has this value' },
      error,
    );
  }
  return error;
}
