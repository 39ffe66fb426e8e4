import type { HookRegistry, RegistryView } from '@trellis/core';
import type {
  AccessScope,
  Change,
  ColumnSchema,
  RecordInput,
  RecordQuery,
  ServerColumnType,
  ServerHooks,
  ValuesByColumn,
  WriteAnswer,
} from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type Predicate, type Row, type RowKey } from '@trellis/sdk/shared';
import type { ChangeRecorder, Operation, RowChange } from '../changes/change-recorder.ts';
import type { LiveLog } from '../changes/live-log.ts';
import { DatabaseError } from '../databases/index.ts';
import type { Unit } from '../databases/database.ts';
import type { Binding } from '../databases/session.ts';
import { newId } from '../metadata/ids.ts';
import type { CompileContext } from '../query/compile-predicate.ts';
import { canReturn, insertRows } from '../query/insert.ts';
import {
  deleteMatching,
  deleteRow,
  lockingRows,
  selectAll,
  selectIn,
  selectWhere,
  updateMatching,
  updateRow,
  type Question,
} from '../query/select.ts';
import { schemaErrors } from '../schema/schema-errors.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { recordErrors } from './record-errors.ts';
import type { OpenTable, RecordReader } from './record-reader.ts';
import { readValues, rowBuilder, type ColumnPlan, type Values } from './table-plan.ts';

export interface RecordWriterDependencies {
  readonly metadata: Metadata;
  readonly reader: RecordReader;
  readonly recorder: ChangeRecorder;
  readonly liveLog: LiveLog;
  readonly columnTypes: RegistryView<ServerColumnType>;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'call' | 'ownersOf'>;
}

/** Larger sets are changed without remembering each row, and cannot be taken back. */
const mostRemembered = 10_000;

/** What a write did inside its transaction. */
interface Written<Result> {
  readonly result: Result;
  readonly changes: readonly RowChange[];
  readonly kind?: Change['kind'];
}

type Where = readonly (readonly [ColumnPlan, Binding])[];

/** Writes of rows: one transaction each, with its change records. */
export class RecordWriter {
  readonly #deps: RecordWriterDependencies;

  constructor(deps: RecordWriterDependencies) {
    this.#deps = deps;
  }

  async create(scope: AccessScope, tableId: string, input: RecordInput): Promise<WriteAnswer<Row>> {
    const open = await this.#openForWriting(scope, tableId);
    const [values] = await this.#willCreate(scope, open, [this.#read(scope, open, input)]);
    return this.write(scope, open, [{ op: 'insert', values }], async (unit) => {
      const { cells, change } = await this.#insertOne(unit, open, values ?? new Map());
      return { result: rowBuilder(open.plan.columns)(cells), changes: [change] };
    });
  }

  async createMany(
    scope: AccessScope,
    tableId: string,
    inputs: readonly RecordInput[],
  ): Promise<WriteAnswer<readonly Row[]>> {
    const open = await this.#openForWriting(scope, tableId);
    if (inputs.length === 0) return { result: [], operationId: undefined };
    const read = inputs.map((input, index) => this.#read(scope, open, input, index + 1));
    const rows = await this.#willCreate(scope, open, read);
    return this.write(
      scope,
      open,
      rows.map((values) => ({ op: 'insert', values })),
      async (unit) => {
        const changes = await this.#insertMany(unit, open, rows);
        return { result: changes.map((change) => this.#keyObject(open, change)), changes };
      },
    );
  }

  async update(
    scope: AccessScope,
    tableId: string,
    key: RowKey,
    input: RecordInput,
  ): Promise<WriteAnswer<Row | undefined>> {
    const open = await this.#openForWriting(scope, tableId);
    const values = this.#read(scope, open, input);
    if (values.size === 0) throw recordErrors.create('NOTHING_TO_UPDATE');
    const where = this.#deps.reader.keyValues(open, key);
    if (where === undefined) return { result: undefined, operationId: undefined };
    const [patch] = await this.#willUpdate(scope, open, [{ key, values }]);
    return this.write(scope, open, [{ op: 'update', key, values: patch?.values }], async (unit) => {
      const updated = await this.#updateOne(unit, open, where, patch?.values ?? values, scope);
      if (updated === undefined) return { result: undefined, changes: [] };
      return {
        result: rowBuilder(open.plan.columns)(updated.cells),
        changes: updated.change ? [updated.change] : [],
      };
    });
  }

  async updateMany(
    scope: AccessScope,
    tableId: string,
    inputs: readonly RecordInput[],
  ): Promise<WriteAnswer<readonly number[]>> {
    const open = await this.#openForWriting(scope, tableId);
    const targets = inputs.map((input, index) => {
      const values = new Map(this.#read(scope, open, input, index + 1));
      const key = this.#takeKey(open, values);
      return { key, values: values as Values };
    });
    const named = targets.flatMap(({ key, values }) => (key === undefined ? [] : [{ key, values }]));
    const patches = await this.#willUpdate(scope, open, named);
    const announced = patches.map(({ key, values }) => ({ op: 'update' as const, key, values }));
    return this.write(scope, open, announced, async (unit) => {
      const changes: RowChange[] = [];
      const counts: number[] = [];
      let at = 0;
      for (const target of targets) {
        if (target.key === undefined) continue;
        const patch = patches[at] ?? { key: target.key, values: target.values };
        at += 1;
        const where = this.#deps.reader.keyValues(open, patch.key);
        const updated =
          where && patch.values.size > 0
            ? await this.#updateOne(unit, open, where, patch.values, scope)
            : undefined;
        if (updated?.change) changes.push(updated.change);
        counts.push(updated === undefined ? 0 : 1);
      }
      return { result: counts, changes };
    });
  }

  async delete(scope: AccessScope, tableId: string, key: RowKey): Promise<WriteAnswer<number>> {
    const open = await this.#openForWriting(scope, tableId);
    const where = this.#deps.reader.keyValues(open, key);
    if (where === undefined) return { result: 0, operationId: undefined };
    await this.#willDelete(scope, open, [key]);
    return this.write(scope, open, [{ op: 'delete', key }], async (unit) => {
      const change = await this.#deleteOne(unit, open, where, scope);
      return { result: change === undefined ? 0 : 1, changes: change === undefined ? [] : [change] };
    });
  }

  async deleteMany(
    scope: AccessScope,
    tableId: string,
    inputs: readonly RecordInput[],
  ): Promise<WriteAnswer<readonly number[]>> {
    const open = await this.#openForWriting(scope, tableId);
    const conditions = inputs.flatMap((input, index) =>
      Object.keys(input).length > 0 ? [this.#condition(scope, open, input, index + 1)] : [],
    );
    const forced = scope.rowPredicate(tableId);
    const intents = conditions.map(({ key }): Intent => ({ op: 'delete', key }));
    return this.write(scope, open, intents, async (unit) => {
      const targets: (readonly Where[])[] = [];
      for (const { where } of conditions) targets.push(await this.#keysWhere(unit, open, where, forced));
      await this.#willDelete(
        scope,
        open,
        targets.flat().map((where) => formatRowKey(where.map(([of, value]) => of.decode(value)))),
      );
      const changes: RowChange[] = [];
      const counts: number[] = [];
      for (const wheres of targets) {
        const before = changes.length;
        for (const where of wheres) {
          const change = await this.#deleteOne(unit, open, where, scope);
          if (change) changes.push(change);
        }
        counts.push(changes.length - before);
      }
      return { result: counts, changes };
    });
  }

  async updateAll(
    scope: AccessScope,
    tableId: string,
    query: RecordQuery,
    input: RecordInput,
  ): Promise<WriteAnswer<number>> {
    const open = await this.#openForWriting(scope, tableId);
    const values = this.#read(scope, open, input);
    // CONTRACT 12.6: a body that holds a key updates nothing.
    if ([...values.keys()].some((of) => of.column.primaryKey)) return { result: 0, operationId: undefined };
    if (values.size === 0) throw recordErrors.create('NOTHING_TO_UPDATE');
    const { question } = this.#deps.reader.prepare(scope, open, query);
    return this.write(scope, open, [{ op: 'update', values }], async (unit) => {
      const rows = await this.#matching(unit, open, question);
      if (rows === undefined) {
        const { changes } = await unit.run(updateMatching(question, this.#assignments(open, values)));
        const after = { ...toRecord(values), count: changes } as ValuesByColumn;
        return {
          result: changes,
          kind: 'rowSet',
          changes: [{ op: 'update', rowKey: undefined, before: undefined, after }],
        };
      }
      const patches = await this.#willUpdate(
        scope,
        open,
        rows.map((cells) => ({ key: this.#keyOf(open, cells), values })),
      );
      const changes: RowChange[] = [];
      for (const [index, cells] of rows.entries()) {
        const where = this.#whereOf(open, cells);
        const updated = await this.#updateOne(unit, open, where, patches[index]?.values ?? values, scope);
        if (updated?.change) changes.push(updated.change);
      }
      return { result: rows.length, changes };
    });
  }

  async deleteAll(scope: AccessScope, tableId: string, query: RecordQuery): Promise<WriteAnswer<number>> {
    const open = await this.#openForWriting(scope, tableId);
    const { question } = this.#deps.reader.prepare(scope, open, query);
    return this.write(scope, open, [{ op: 'delete' }], async (unit) => {
      const rows = await this.#matching(unit, open, question);
      if (rows === undefined) {
        const { changes } = await unit.run(deleteMatching(question));
        const change: RowChange = {
          op: 'delete',
          rowKey: undefined,
          before: undefined,
          after: { count: changes },
        };
        return { result: changes, kind: 'rowSet', changes: [change] };
      }
      await this.#willDelete(
        scope,
        open,
        rows.map((cells) => this.#keyOf(open, cells)),
      );
      const changes: RowChange[] = [];
      for (const cells of rows) {
        const change = await this.#deleteOne(unit, open, this.#whereOf(open, cells), scope);
        if (change) changes.push(change);
      }
      return { result: changes.length, changes };
    });
  }

  /** Puts rows back as they were before an operation, where they still are as it left them. */
  async revert(
    scope: AccessScope,
    tableId: string,
    changes: readonly Change[],
  ): Promise<WriteAnswer<number>> {
    const open = await this.#openForWriting(scope, tableId);
    const intents = changes.map((change): Intent => ({ op: inverse[change.op], key: change.rowKey }));
    return this.write(
      scope,
      open,
      intents,
      async (unit) => {
        const done: RowChange[] = [];
        for (const change of changes.toReversed())
          done.push(await this.#revertOne(unit, open, change, scope));
        return { result: done.length, changes: done };
      },
      'undo',
    );
  }

  async #revertOne(unit: Unit, open: OpenTable, change: Change, scope: AccessScope): Promise<RowChange> {
    const where = change.rowKey === undefined ? undefined : this.#deps.reader.keyValues(open, change.rowKey);
    if (where === undefined) throw recordErrors.create('UNDO_CONFLICT');
    if (change.op !== 'insert' && change.before === undefined) throw recordErrors.create('UNDO_UNKNOWN');
    const cells = await this.#deps.reader.lockCells(unit, open, where);
    if (change.op === 'delete') {
      if (cells !== undefined) throw recordErrors.create('UNDO_CONFLICT');
      try {
        return (await this.#insertOne(unit, open, this.#fromRecord(open, change.before ?? {}))).change;
      } catch (error) {
        // Somebody else put the row, or one with its unique values, there first.
        if (error instanceof DatabaseError && error.kind === 'unique')
          throw recordErrors.create('UNDO_CONFLICT', {}, error);
        throw error;
      }
    }
    if (cells === undefined || !this.#isAsLeft(open, cells, change.after ?? {}))
      throw recordErrors.create('UNDO_CONFLICT');
    if (change.op === 'insert') {
      const made = await this.#deleteOne(unit, open, where, scope);
      if (made === undefined) throw recordErrors.create('UNDO_CONFLICT');
      return made;
    }
    const values = this.#fromRecord(open, change.before ?? {});
    const updated = await this.#updateOne(unit, open, where, values, scope);
    if (updated?.change === undefined) throw recordErrors.create('UNDO_CONFLICT');
    return updated.change;
  }

  #isAsLeft(open: OpenTable, cells: readonly unknown[], after: ValuesByColumn): boolean {
    return open.plan.columns.every((of, index) => {
      const left = after[of.column.id];
      return left === undefined || of.column.autoUpdate || isSame(of.decode(cells[index]), left);
    });
  }

  #fromRecord({ plan }: OpenTable, record: ValuesByColumn): Values {
    return new Map(
      Object.entries(record).flatMap(([id, value]) => {
        const of = plan.byId.get(id);
        return of === undefined || of.column.generated ? [] : [[of, value] as const];
      }),
    );
  }

  /**
   * Runs one write with its change record: in one transaction on our own database; announced before and confirmed after on an
   * external one, which cannot share a transaction with the metadata.
   */
  async write<Result>(
    scope: AccessScope,
    open: OpenTable,
    intents: readonly Intent[],
    work: (unit: Unit) => Promise<Written<Result>>,
    origin = 'api',
  ): Promise<WriteAnswer<Result>> {
    const { recorder } = this.#deps;
    const operation = recorder.begin(scope, open.table, origin);
    try {
      const written = open.own
        ? await this.#writeOwn(open, operation, work)
        : await this.#writeExternal(open, operation, intents, work);
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
        await this.#assertCurrent(unit, open, metadata);
        const { result, changes: rows, kind } = await work(unit);
        const changes = recorder.toChanges(operation, rows, kind);
        await recorder.record(unit, operation, changes);
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
        after: values === undefined ? undefined : toRecord(values),
      })),
    );
    await recorder.announce(operation, planned);
    let written: Written<Result>;
    try {
      written = await open.database.write(work, { retry: true });
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

  /** A schema that changed since the request began would be written with an old picture of it. */
  async #assertCurrent(unit: Unit, open: OpenTable, { generations }: Metadata): Promise<void> {
    const current = generations.current(open.table.projectId);
    if (current === open.generation) return;
    if ((await generations.read(unit, open.table.projectId)) !== open.generation)
      throw schemaErrors.create('SCHEMA_CHANGED');
  }

  #announce(open: OpenTable, changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#deps.reader.touch(open.table.id);
    this.#deps.liveLog.append(open.table, changes);
    if (this.#deps.hooks.ownersOf('records.didChange').length > 0) {
      void this.#deps.hooks.call('records.didChange', { changes, table: open.table });
    }
  }

  async #openForWriting(scope: AccessScope, tableId: string): Promise<OpenTable> {
    const open = await this.#deps.reader.open(scope, tableId);
    const { readOnlyReason } = open.table;
    if (readOnlyReason !== undefined)
      throw recordErrors.create('TABLE_READ_ONLY', { reason: readOnlyReason });
    return open;
  }

  #read(scope: AccessScope, open: OpenTable, input: RecordInput, rowNumber?: number): Values {
    return readValues(open.plan, input, {
      types: this.#deps.columnTypes,
      writable: scope.writableColumns(open.table.id),
      rowNumber,
    });
  }

  /** Takes the key out of a bulk row; undefined when it is not complete. */
  #takeKey({ plan }: OpenTable, values: Map<ColumnPlan, CellValue>): RowKey | undefined {
    const parts = plan.key.map((of) => values.get(of));
    for (const of of plan.key) values.delete(of);
    return parts.some((part) => part === undefined || part === null)
      ? undefined
      : formatRowKey(parts as CellValue[]);
  }

  /**
   * What a bulk delete names rows by: a whole key, or the values of any columns.
   *
   * @throws TrellisError 400 for a name that is no visible column: dropping it would delete more rows than were meant.
   */
  #condition(
    scope: AccessScope,
    open: OpenTable,
    input: RecordInput,
    row: number,
  ): { readonly key: RowKey | undefined; readonly where: Where } {
    const visible = scope.visibleColumns(open.table.id);
    const { table, plan } = open;
    for (const name of Object.keys(input)) {
      const column = table.columnByTitle.get(name) ?? table.columnByName.get(name);
      const isUsable =
        column !== undefined &&
        plan.byId.has(column.id) &&
        !column.generated &&
        (visible === 'all' || visible.has(column.id));
      if (!isUsable) throw recordErrors.create('CONDITION_UNKNOWN', { column: name, row });
    }
    const values = readValues(plan, input, {
      types: this.#deps.columnTypes,
      writable: 'all',
      rowNumber: row,
    });
    const key = this.#takeKey(open, new Map(values));
    const named = key === undefined ? [...values] : [...values].filter(([of]) => of.column.primaryKey);
    return { key, where: named.map(([of, value]) => [of, of.encode(value)] as const) };
  }

  /** The keys of the rows that meet a condition and exist for the caller. */
  async #keysWhere(
    unit: Unit,
    open: OpenTable,
    where: Where,
    forced: Predicate | undefined,
  ): Promise<readonly Where[]> {
    const { table, database, plan } = open;
    const context = { table, dialect: database.dialect };
    const query = selectWhere(
      context,
      plan.key.map((of) => of.column),
      where.map(([of, value]) => [of.column, value] as const),
      forced,
    );
    const { rows } = await unit.rows(lockingRows(context, query));
    return rows.map((cells) => plan.key.map((of, index) => [of, cells[index] as Binding] as const));
  }

  /** All columns of the rows that a question matches; undefined when there are too many to remember. */
  async #matching(
    unit: Unit,
    open: OpenTable,
    question: Question,
  ): Promise<readonly (readonly unknown[])[] | undefined> {
    const columns = open.plan.columns.map((of) => of.column);
    const query = selectAll({ ...question, order: [] }, columns, mostRemembered + 1);
    const { rows } = await unit.rows(lockingRows(question, query));
    return rows.length > mostRemembered ? undefined : rows;
  }

  #assignments(open: OpenTable, values: Values) {
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const stamped = open.plan.columns.filter((of) => of.column.autoUpdate && !values.has(of));
    return [
      ...[...values].map(([of, value]) => [of.column, of.encode(value)] as const),
      ...stamped.map((of) => [of.column, of.encode(now)] as const),
    ];
  }

  #whereOf(open: OpenTable, cells: readonly unknown[]): Where {
    return open.plan.key.map((of) => [of, cells[open.plan.columns.indexOf(of)] as Binding] as const);
  }

  #keyOf(open: OpenTable, cells: readonly unknown[]): RowKey {
    return formatRowKey(open.plan.key.map((of) => of.decode(cells[open.plan.columns.indexOf(of)])));
  }

  #record({ plan }: OpenTable, cells: readonly unknown[]): ValuesByColumn {
    const record: Record<string, CellValue> = {};
    for (const [index, of] of plan.columns.entries()) record[of.column.id] = of.decode(cells[index]);
    return record;
  }

  #keyObject(open: OpenTable, { after }: RowChange): Row {
    return Object.fromEntries(open.plan.key.map((of) => [of.column.title, after?.[of.column.id] ?? null]));
  }

  /** Keys that we make (CONTRACT 9.4) and values that a type fills in. */
  #completed(open: OpenTable, values: Values): Values {
    const completed = new Map(values);
    for (const of of open.plan.columns) {
      const { column } = of;
      if (completed.has(of) && completed.get(of) !== null) continue;
      if (column.primaryKey && column.meta?.ag !== undefined) completed.set(of, newId('row'));
      else if (column.autoIncrement) completed.delete(of);
      else if (completed.get(of) === null && column.required && column.defaultValue !== undefined)
        completed.delete(of);
    }
    return completed;
  }

  /** The key of a row about to be inserted, as far as it is known. */
  #givenKey(open: OpenTable, values: Values): Where | undefined {
    const parts = open.plan.key.map((of) => [of, values.get(of)] as const);
    return parts.some(([, value]) => value === undefined || value === null)
      ? undefined
      : parts.map(([of, value]) => [of, of.encode(value ?? null)] as const);
  }

  async #insertOne(
    unit: Unit,
    open: OpenTable,
    given: Values,
  ): Promise<{ cells: readonly unknown[]; change: RowChange }> {
    const values = this.#completed(open, given);
    const [cells] = await this.#insertChunk(unit, open, [...values.keys()], [values]);
    if (cells === undefined) throw recordErrors.create('NOT_ONE_ROW');
    return { cells, change: this.#insertion(open, cells) };
  }

  #insertion(open: OpenTable, cells: readonly unknown[]): RowChange {
    return {
      op: 'insert',
      rowKey: this.#keyOf(open, cells),
      before: undefined,
      after: this.#record(open, cells),
    };
  }

  /** Inserts rows with the same columns in one statement, and gives all cells of each as they are stored. */
  async #insertChunk(
    unit: Unit,
    open: OpenTable,
    columns: readonly ColumnPlan[],
    rows: readonly Values[],
  ): Promise<readonly (readonly unknown[])[]> {
    const { database, table, plan } = open;
    const keys = rows.map((values) => this.#givenKey(open, values));
    const counted = plan.autoIncrement;
    if (counted === undefined && keys.some((key) => key === undefined)) {
      const missing = plan.key.find((of) =>
        rows.some((values) => values.get(of) === undefined || values.get(of) === null),
      );
      throw recordErrors.create('KEY_MISSING', { table: table.title, column: missing?.column.title ?? '' });
    }
    const context = { table, dialect: database.dialect };
    const bindings = rows.map((values) => columns.map((of) => of.encode(values.get(of) ?? null)));
    const named = columns.map((of) => of.column);
    // What triggers of an external database do to a new row is seen only by reading it afterwards.
    if (open.own && canReturn(database.dialect)) {
      const stored = plan.columns.map((of) => of.column);
      const { rows: inserted } = await unit.rows(insertRows(context, named, bindings, stored));
      if (inserted.length !== rows.length) throw recordErrors.create('NOT_ONE_ROW');
      return inserted;
    }
    return this.#readBack(unit, open, await this.#insertForKeys(unit, context, named, bindings, open, keys));
  }

  async #insertForKeys(
    unit: Unit,
    context: CompileContext,
    columns: readonly ColumnSchema[],
    bindings: readonly (readonly Binding[])[],
    { plan }: OpenTable,
    keys: readonly (Where | undefined)[],
  ): Promise<readonly Where[]> {
    const isKnown = keys.every((key) => key !== undefined);
    const returning = isKnown ? [] : plan.key.map((of) => of.column);
    const statement = insertRows(context, columns, bindings, returning);
    if (isKnown || !canReturn(context.dialect)) {
      const { lastId } = await unit.run(statement);
      return keys.map((key, index) => key ?? this.#countedKey(plan.key, lastId, index));
    }
    const answer = await unit.rows(statement);
    return answer.rows.map((cells) => plan.key.map((of, index) => [of, cells[index] as Binding] as const));
  }

  /** MySQL names the first key of a statement; the others follow it. */
  #countedKey(key: readonly ColumnPlan[], lastId: number | string | undefined, index: number): Where {
    const first = BigInt(lastId ?? 0);
    return key.map((of) => [of, of.encode(String(first + BigInt(index)))] as const);
  }

  async #insertMany(unit: Unit, open: OpenTable, given: readonly Values[]): Promise<readonly RowChange[]> {
    const rows = given.map((values) => this.#completed(open, values));
    const changes: RowChange[] = [];
    for (const group of groupsOfSameColumns(rows)) {
      const columns = [...(group[0]?.keys() ?? [])];
      // A row without any column cannot share a statement with others.
      const chunks =
        columns.length === 0
          ? group.map((row) => [row])
          : open.database.dialect.limits.chunkRows(columns.length, group);
      for (const chunk of chunks) {
        for (const cells of await this.#insertChunk(unit, open, columns, chunk))
          changes.push(this.#insertion(open, cells));
      }
    }
    return changes;
  }

  /** The inserted rows as they are stored, in the order of their keys. */
  async #readBack(
    unit: Unit,
    open: OpenTable,
    keys: readonly Where[],
  ): Promise<readonly (readonly unknown[])[]> {
    const [only] = open.plan.key;
    if (open.plan.key.length !== 1 || only === undefined) {
      const read: (readonly unknown[])[] = [];
      for (const where of keys) {
        const cells = await this.#deps.reader.readCells(unit, open, where);
        if (cells !== undefined) read.push(cells);
      }
      return read;
    }
    const values = keys.map((where) => where[0]?.[1] ?? null);
    const columns = open.plan.columns.map((of) => of.column);
    const context = { table: open.table, dialect: open.database.dialect };
    const { rows } = await unit.rows(selectIn(context, columns, only.column, values));
    const byKey = new Map(rows.map((cells) => [this.#keyOf(open, cells), cells]));
    return values.flatMap((value) => {
      const cells = byKey.get(formatRowKey([only.decode(value)]));
      return cells === undefined ? [] : [cells];
    });
  }

  async #updateOne(
    unit: Unit,
    open: OpenTable,
    where: Where,
    values: Values,
    scope: AccessScope,
  ): Promise<{ readonly cells: readonly unknown[]; readonly change: RowChange | undefined } | undefined> {
    const { reader } = this.#deps;
    const predicate = scope.rowPredicate(open.table.id);
    // Nothing may be written to a row that does not exist for the caller.
    if (predicate !== undefined && (await reader.lockCells(unit, open, where, predicate)) === undefined)
      return undefined;
    const context = { table: open.table, dialect: open.database.dialect };
    const columnsWhere = where.map(([of, value]) => [of.column, value] as const);
    const [old, updated, renewed] = await unit.batch([
      lockingRows(context, reader.cellsQuery(open, where)),
      updateRow(context, this.#assignments(open, values), columnsWhere),
      reader.cellsQuery(open, this.#newWhere(where, values)),
    ]);
    const before = old?.rows[0];
    const after = renewed?.rows[0];
    if (before === undefined && updated?.changes === 0) return undefined;
    if (
      before === undefined ||
      after === undefined ||
      old?.rows.length !== 1 ||
      renewed?.rows.length !== 1 ||
      updated?.changes !== 1
    )
      throw recordErrors.create('NOT_ONE_ROW');
    return { cells: after, change: this.#difference(open, before, after) };
  }

  /** Where the row is after an update that may have changed its key. */
  #newWhere(where: Where, values: Values): Where {
    return where.map(([of, value]) => {
      const changed = values.get(of);
      return [of, changed === undefined || changed === null ? value : of.encode(changed)] as const;
    });
  }

  #difference(open: OpenTable, before: readonly unknown[], after: readonly unknown[]): RowChange | undefined {
    const from = this.#record(open, before);
    const to = this.#record(open, after);
    const changed = open.plan.columns
      .map((of) => of.column.id)
      .filter((id) => !isSame(from[id] ?? null, to[id] ?? null));
    if (changed.length === 0) return undefined;
    const pick = (record: ValuesByColumn) =>
      Object.fromEntries(changed.map((id) => [id, record[id] ?? null]));
    return { op: 'update', rowKey: this.#keyOf(open, after), before: pick(from), after: pick(to) };
  }

  async #deleteOne(
    unit: Unit,
    open: OpenTable,
    where: Where,
    scope: AccessScope,
  ): Promise<RowChange | undefined> {
    const before = await this.#deps.reader.lockCells(unit, open, where, scope.rowPredicate(open.table.id));
    if (before === undefined) return undefined;
    const { changes } = await unit.run(
      deleteRow(
        { table: open.table, dialect: open.database.dialect },
        where.map(([of, value]) => [of.column, value] as const),
      ),
    );
    if (changes !== 1) throw recordErrors.create('NOT_ONE_ROW');
    return {
      op: 'delete',
      rowKey: this.#keyOf(open, before),
      before: this.#record(open, before),
      after: undefined,
    };
  }

  async #willCreate(
    scope: AccessScope,
    open: OpenTable,
    rows: readonly Values[],
  ): Promise<readonly Values[]> {
    if (this.#deps.hooks.ownersOf('records.willCreate').length === 0) return rows;
    const inputs = await this.#deps.hooks.call('records.willCreate', rows.map(toTitles), {
      scope,
      table: open.table,
      origin: 'api',
    });
    return inputs.map((input) => this.#read(scope, open, input));
  }

  async #willUpdate(
    scope: AccessScope,
    open: OpenTable,
    patches: readonly { readonly key: RowKey; readonly values: Values }[],
  ): Promise<readonly { readonly key: RowKey; readonly values: Values }[]> {
    if (this.#deps.hooks.ownersOf('records.willUpdate').length === 0) return patches;
    const changed = await this.#deps.hooks.call(
      'records.willUpdate',
      patches.map(({ key, values }) => ({ key, values: toTitles(values) })),
      { scope, table: open.table, origin: 'api' },
    );
    return changed.map(({ key, values }) => ({ key, values: this.#read(scope, open, values) }));
  }

  async #willDelete(scope: AccessScope, open: OpenTable, keys: readonly RowKey[]): Promise<void> {
    if (this.#deps.hooks.ownersOf('records.willDelete').length === 0) return;
    await this.#deps.hooks.call('records.willDelete', keys, { scope, table: open.table, origin: 'api' });
  }
}

/** What a write is about to do, for the announcement of a change to an external database. */
export interface Intent {
  readonly op: Change['op'];
  readonly key?: RowKey;
  readonly values?: Values;
}

const inverse = { insert: 'delete', update: 'update', delete: 'insert' } as const;

function toRecord(values: Values): ValuesByColumn {
  return Object.fromEntries([...values].map(([of, value]) => [of.column.id, value]));
}

function toTitles(values: Values): RecordInput {
  return Object.fromEntries([...values].map(([of, value]) => [of.column.title, value]));
}

function isSame(left: CellValue, right: CellValue): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** Rows that set the same columns stand together; the order of the rows is kept within and between groups. */
function groupsOfSameColumns(rows: readonly Values[]): readonly (readonly Values[])[] {
  const groups: Values[][] = [];
  let last = '';
  for (const row of rows) {
    const signature = [...row.keys()].map((of) => of.column.id).join(' ');
    const group = groups.at(-1);
    if (group !== undefined && signature === last) group.push(row);
    else groups.push([row]);
    last = signature;
  }
  return groups;
}

/** Says which column the database refused, by its title. */
function explained(error: unknown, { table }: OpenTable): unknown {
  if (!(error instanceof DatabaseError) || error.columns.length === 0) return error;
  const titles = error.columns.map((name) => table.columnByName.get(name)?.title ?? name).join(', ');
  if (error.kind === 'notNull') return recordErrors.create('VALUE_REQUIRED', { column: titles }, error);
  if (error.kind === 'unique') {
    return recordErrors.create(
      'VALUE_REFUSED',
      { column: titles, problem: 'must be unique: another row already has this value' },
      error,
    );
  }
  return error;
}
