import type { HookRegistry, TrellisError } from '@trellis/core';
import type { Bus, Change, ServerHooks, TableSchema, WriteAnswer } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import type { ChangeLog, Operation, Recorded } from '../changes/change-log.ts';
import type { CommitGuard, WrittenCalls } from '../changes/written-calls.ts';
import type { PendingChanges } from '../changes/pending-changes.ts';
import type { AlikeChanges, RowChange, SetChange, TableChanges } from '../changes/row-change.ts';
import type { WriteOptions, WriteWork } from '../databases/database.ts';
import { DatabaseError } from '../databases/index.ts';
import { valueError } from '../dialects/types/value-errors.ts';
import { problemParams } from '../query/problem-params.ts';
import type { DatabaseErrorKind } from '../sql/database-error.ts';
import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { schemaErrors } from '../schema/schema-errors.ts';
import { assertLinksSeen, linksToRuled, refusalOf } from './links-seen.ts';
import { maySeeAllLinked } from './may-read.ts';
import type { OpenTable } from './open-table.ts';
import { shareOf } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import { byColumnId } from './row-values.ts';
import type { TableMemory } from './table-memory.ts';
import type { Values } from './table-plan.ts';
import { TableWrite } from './table-write.ts';

export interface RecordedWritesDependencies {
  readonly metadata: Metadata;
  readonly memory: TableMemory;
  readonly log: ChangeLog;
  readonly pending: PendingChanges;
  readonly bus: Bus;
  readonly calls: WrittenCalls;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'call' | 'ownersOf' | 'tell'>;
}

/** What a write did inside its transaction. */
export interface Written<Result> {
  readonly result: Result;
  readonly changes: readonly RowChange[];
  /** In place of `changes`, for rows that have the same columns. */
  readonly alike?: AlikeChanges;
  /** In place of `changes`, for more rows than are remembered one by one. */
  readonly set?: SetChange;
  /** In place of `changes`, for rows of several tables of the base, in the order in which they were changed. */
  readonly tables?: readonly TableChanges[];
  /** Set where rows get back links that the caller took from them: nothing is linked that was not linked by then. */
  readonly givesLinksBack?: boolean;
}

/** What a write is about to do, for the announcement of a change to an external database. */
export interface Intent {
  readonly op: Change['op'];
  readonly key?: RowKey;
  readonly values?: Values;
}

/** How a write is recorded. */
interface RecordOptions {
  readonly origin?: string;
  /** The operation that the write takes back. */
  readonly undoes?: string;
  readonly isOfOneRow?: boolean;
}

/** Runs writes of rows together with their log entries, and tells of them once they are certain. */
export class RecordedWrites {
  readonly #deps: RecordedWritesDependencies;

  constructor(deps: RecordedWritesDependencies) {
    this.#deps = deps;
  }

  /**
   * Runs one write with its log entries: in one transaction on our own database; announced before and confirmed after on an
   * external one, which cannot share a transaction with the metadata.
   */
  async run<Result>(
    open: OpenTable,
    intents: readonly Intent[],
    change: (write: TableWrite) => Promise<Written<Result>>,
    { origin = 'api', undoes, isOfOneRow = false }: RecordOptions = {},
  ): Promise<WriteAnswer<Result>> {
    const { scope, table } = open.handle;
    const operation = this.#deps.log.begin(scope, origin, undoes);
    // Inside a rule for rows a write looks at its row before and after it, and on an external database at the schema before it.
    const isRuled = scope.rowPredicate(table.id) !== undefined || linksToRuled(open).length > 0;
    const isOneStep = isOfOneRow && open.own && !isRuled;
    const options = { retry: true, share: shareOf(scope), work: sizeOf(intents), isOneStep };
    const workWithin = async (unit: Unit) => {
      const write = new TableWrite(open, unit);
      const written = await change(write);
      const ofTable = withinTable(open, written);
      if (written.givesLinksBack !== true) await assertLinksSeen(write, ofTable);
      await write.assertWithin(ofTable);
      return written;
    };
    try {
      const written = open.own
        ? await this.#writeOwn(open, operation, options, workWithin)
        : await this.#writeExternal(open, operation, { ...options, intents }, workWithin);
      return written;
    } catch (error) {
      const told = await refusalOf(
        error,
        open,
        intents.map(({ values }) => values),
      );
      throw explained(told, open, intents);
    }
  }

  async #writeOwn<Result>(
    open: OpenTable,
    operation: Operation,
    options: WriteOptions,
    work: (unit: Unit) => Promise<Written<Result>>,
  ): Promise<WriteAnswer<Result>> {
    const { log, calls } = this.#deps;
    const call = calls.of(operation.author.requestId);
    const hasOneWriter = !open.database.dialect.statements.locksRows;
    const guards = [this.#schemaGuard(open), ...calls.guards(call)];
    const demands = hasOneWriter ? [] : guards.flatMap(({ demanding = [] }) => demanding);
    const mayDemand = demands.length === guards.length;
    const write = async (unit: Unit) => {
      // Where one transaction writes at a time, what is guarded stays as it is until the commit. It is read with the first
      // statements of the work, and what is recorded carries the commit: two journeys for the whole write.
      const early = hasOneWriter ? hold(unit, guards) : undefined;
      // Whatever fails here fails the statements of the work as well.
      early?.catch(() => {});
      const { result, ...written } = await work(unit);
      const recording = log.record(operation, changesTo(open, written));
      if (!mayDemand) assertAll(guards, await (early ?? hold(unit, guards)));
      const statements = [...recording.statements, ...calls.marks(call)];
      const answers = await unit.last(mayDemand ? [...statements, ...demands] : statements);
      const made = recording.recorded(answers);
      unit.afterCommit(() => {
        if (made.seq !== undefined) log.committed();
        this.#announce(tablesOf(open, written), operation, made);
      });
      return { result, operationId: made.seq === undefined ? undefined : operation.id };
    };
    try {
      return await open.database.write(write, options);
    } catch (error) {
      const mayBeDemand = mayDemand && error instanceof DatabaseError && error.kind === 'badValue';
      if (mayBeDemand) assertAll(guards, await find(this.#deps.metadata, guards));
      throw error;
    }
  }

  async #writeExternal<Result>(
    open: OpenTable,
    operation: Operation,
    { intents, ...options }: WriteOptions & { readonly intents: readonly Intent[] },
    work: (unit: Unit) => Promise<Written<Result>>,
  ): Promise<WriteAnswer<Result>> {
    const { log, pending } = this.#deps;
    const guards = [this.#schemaGuard(open)];
    const planned = intents.map(({ op, key, values }) => ({
      op,
      rowKey: key,
      before: undefined,
      after: values === undefined ? undefined : byColumnId(values),
    }));
    await pending.announce(operation, changesTo(open, { changes: planned }));
    let written: Written<Result>;
    try {
      written = await open.database.write(async (unit) => {
        // A schema change holds this database while it commits the new generation, so the guards are read once more here.
        assertAll(guards, await find(this.#deps.metadata, guards));
        return work(unit);
      }, options);
    } catch (error) {
      // A connection that is lost at the commit leaves open what happened; the announcement is settled later.
      const isOpen = error instanceof DatabaseError && error.kind === 'unreachable';
      if (!isOpen) await pending.withdraw(operation);
      throw error;
    }
    const made = await pending.confirm(operation, log.record(operation, changesTo(open, written)));
    this.#announce(tablesOf(open, written), operation, made);
    return { result: written.result, operationId: made.seq === undefined ? undefined : operation.id };
  }

  /** A guard that fails the commit when the schema changed since the table was opened: a schema change comes wholly before or after a write. */
  #schemaGuard(open: OpenTable): CommitGuard {
    const { generations } = this.#deps.metadata;
    const { snapshot, table } = open.handle;
    return {
      holding: generations.holding(table.projectId),
      demanding: generations.demanding(table.projectId, snapshot.generation),
      find: (unit) => generations.read(unit, table.projectId),
      assert: (cell) => assertCurrent(open, cell),
    };
  }

  #announce(changed: ReadonlySet<TableSchema>, { author: { requestId } }: Operation, made: Recorded): void {
    const { seq } = made;
    if (seq === undefined) return;
    const isHeard = this.#deps.hooks.ownersOf('rows.didChange').length > 0;
    let all: readonly Change[] | undefined;
    for (const table of changed) {
      const { id: tableId, projectId } = table;
      this.#deps.memory.touch(tableId);
      this.#deps.bus.publish('rows.changed', { projectId, tableId, seq, requestId });
      if (!isHeard) continue;
      void this.#deps.hooks.call('rows.didChange', {
        table,
        // Most listeners care for few tables, and a change per row is much to make for nobody.
        get changes() {
          all ??= made.changes();
          return changed.size === 1 ? all : all.filter((change) => change.tableId === tableId);
        },
      });
    }
  }
}

/** A write that names one row is short; one that names none means all rows of a condition. */
function sizeOf(intents: readonly Intent[]): WriteWork {
  const [first] = intents;
  const isOfOneRow = intents.length <= 1 && (first?.op === 'insert' || first?.key !== undefined);
  return isOfOneRow ? 'short' : 'bulk';
}

/** Reads what is guarded and keeps it until the transaction ends. */
async function hold(unit: Unit, guards: readonly CommitGuard[]): Promise<readonly unknown[]> {
  const answers = await unit.batch(guards.map(({ holding }) => holding));
  return answers.map(({ rows }) => rows[0]?.[0]);
}

/** Reads what is guarded from outside of the write. */
function find({ database }: Metadata, guards: readonly CommitGuard[]): Promise<readonly unknown[]> {
  return database.read((unit) => Promise.all(guards.map((guard) => guard.find(unit))));
}

function assertAll(guards: readonly CommitGuard[], cells: readonly unknown[]): void {
  for (const [index, guard] of guards.entries()) guard.assert(cells[index]);
}

type Changes = Omit<Written<unknown>, 'result' | 'givesLinksBack'>;

/** What a write did to its tables, for the log. */
function changesTo(
  { handle: { table } }: OpenTable,
  { changes, alike, set, tables }: Changes,
): readonly TableChanges[] {
  return tables ?? [{ table, changes, alike, set }];
}

/** The part of a write that the caller's rule for rows of the table itself is held against. */
function withinTable({ handle }: OpenTable, { changes, alike, set, tables }: Changes) {
  const own = tables?.filter(({ table }) => table.id === handle.table.id);
  return { changes: own?.flatMap((each) => each.changes) ?? changes, alike, set };
}

/** The tables that a write changed. */
function tablesOf({ handle }: OpenTable, { tables }: Changes): ReadonlySet<TableSchema> {
  return new Set(tables?.map(({ table }) => table) ?? [handle.table]);
}

/** A schema that changed since the request began would be written with an old picture of it. */
function assertCurrent(open: OpenTable, generation: unknown): void {
  if (Number(generation ?? 0) !== open.handle.snapshot.generation)
    throw schemaErrors.create('SCHEMA_CHANGED');
}

/** What the database says against a value, as the end of a sentence that begins with the column's title. */
const PROBLEMS: Readonly<Partial<Record<DatabaseErrorKind, TrellisError>>> = {
  unique: valueError('VALUE_NOT_UNIQUE'),
  outOfRange: valueError('VALUE_BEYOND_COLUMN'),
  badValue: valueError('VALUE_UNFIT'),
  charset: valueError('VALUE_UNKEPT_TEXT'),
  check: valueError('VALUE_AGAINST_RULE'),
};

/** Says which column the database refused, by its title, and of a foreign key which table is at its other end. */
function explained(error: unknown, open: OpenTable, intents: readonly Intent[]): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (error.kind === 'foreignKey') return explainedLink(error, open, intents);
  const { table } = open.handle;
  const { own } = open;
  if (error.columns.length === 0) return error;
  // A column that somebody is about to put in the place of another one already demands its values.
  const isNew = error.columns.some((name) => !table.columnByName.has(name));
  if (isNew && own) return schemaErrors.create('SCHEMA_CHANGED', {}, error);
  const titles = error.columns.map((name) => table.columnByName.get(name)?.title ?? name).join(', ');
  if (error.kind === 'notNull') return rowErrors.create('VALUE_REQUIRED', { column: titles }, error);
  const problem = PROBLEMS[error.kind];
  if (problem === undefined) return error;
  const params = { ...problemParams(problem), column: titles };
  return rowErrors.create('VALUE_REFUSED', params, error);
}

/** Whether other rows point to the one that was to go, or the one that it was to point to is not there. */
function explainedLink(given: DatabaseError, open: OpenTable, intents: readonly Intent[]): unknown {
  const { handle } = open;
  const { scope, snapshot, table } = handle;
  // What the database says of a row that is not there is said of one that does not exist for the caller, too.
  const error = linksToRuled(open).length > 0 ? new DatabaseError('foreignKey', { cause: given }) : given;
  if (!scope.may('tableList') || intents.length === 0) return error;
  const goes = intents.every(({ op }) => op === 'delete');
  const written = new Set(
    intents.flatMap(({ values }) => [...(values?.keys() ?? [])].map(({ column }) => column.id)),
  );
  const links = table.links.filter(({ kind, columnIds, onDelete }) =>
    goes
      ? kind === 'hasMany' && onDelete !== 'cascade' && onDelete !== 'set null'
      : kind === 'belongsTo' && columnIds.some((id) => written.has(id)),
  );
  if (!links.every((link) => maySeeAllLinked(handle, link)))
    return goes ? rowErrors.create('ROW_IN_USE_UNSEEN', { table: table.title }, error) : error;
  const titles = new Set(links.map(({ toTableId }) => snapshot.tables.get(toTableId)?.title));
  if (titles.size === 0 || titles.has(undefined)) return error;
  const tables = [...titles].map((title) => `'${title}'`).join(', ');
  if (goes) return rowErrors.create('ROW_IN_USE', { table: table.title, tables }, error);
  const columns = links.flatMap(({ columnIds }) =>
    columnIds.map((id) => table.columns.find((column) => column.id === id)?.title ?? ''),
  );
  return rowErrors.create('LINKED_ROW_MISSING', { column: columns.join(', '), tables }, error);
}
