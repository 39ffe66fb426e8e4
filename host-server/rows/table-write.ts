import type { ColumnSchema } from '@trellis/sdk/server';
import type { Predicate, RowKey } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import { wireTime } from '../metadata/stored-values.ts';
import type { RowChange, TableChanges } from '../changes/row-change.ts';
import { typeOf } from '../query/compile-context.ts';
import { lockingRows, selectIn, selectOne, selectWhere } from '../query/select.ts';
import { deleteRow, exchangeRow, updateRow } from '../query/write.ts';
import { foretoldRead, type Foretell } from '../sql/foresight.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import type { Query, Statement, Unit } from '../sql/unit.ts';
import { authorOf } from './author-of.ts';
import { isDecidedBy } from './decided-by.ts';
import type { OpenTable } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, countableKey, whereOfKey, type Where } from './row-keys.ts';
import { deletionOf, differenceOf } from './row-values.ts';
import type { Values } from './table-plan.ts';

/** Keys of one statement, well below any database's limit of parameters. */
const keysAtOnce = 500;

/** A row after an update. */
export interface UpdatedRow {
  readonly cells: Cells;
  /** Undefined if the row is unchanged. */
  readonly change: RowChange | undefined;
}

/** One transaction on one table, created by `RecordedWrites`: locking reads, and writes of one row each. */
export class TableWrite {
  readonly open: OpenTable;
  readonly unit: Unit;

  constructor(open: OpenTable, unit: Unit) {
    this.open = open;
    this.unit = unit;
  }

  get plan() {
    return this.open.plan;
  }

  get context() {
    return this.open.context;
  }

  get limits() {
    return this.open.database.dialect.limits;
  }

  /** The condition that rows must meet to exist for the caller. */
  get #forced(): Predicate | undefined {
    return this.open.handle.scope.rowPredicate(this.plan.table.id);
  }

  /** The row with this key, with all columns of the plan. */
  async readCells(where: Where): Promise<Cells | undefined> {
    const { rows } = await this.unit.rows(this.#cellsQuery(where));
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** Like `readCells`, and locks the row until the transaction ends. With a predicate, only if the row meets it. */
  async lockCells(where: Where, predicate?: Predicate): Promise<Cells | undefined> {
    const { rows } = await this.unit.rows(this.#locking(where, predicate));
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** Undefined if no row with the key exists for the caller. */
  async update(where: Where, values: Values): Promise<UpdatedRow | undefined> {
    const forced = this.#forced;
    // A row that does not exist for the caller must not be written.
    if (forced !== undefined && (await this.lockCells(where, forced)) === undefined) return undefined;
    const exchange = this.open.own
      ? exchangeRow(this.context, this.assignments(values), columnsOf(where), this.plan.stored)
      : undefined;
    if (exchange !== undefined) return this.#exchanged(exchange);
    const reading = this.#lockOne(where);
    const [old, ...answers] = await this.unit.batch([
      foretoldRead(reading),
      ...this.updateQueries(where, values, reading),
    ]);
    // If the update returns the row, one answer serves as both.
    const [updated, renewed] = [answers[0], answers.at(-1)];
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
      throw rowErrors.create('NOT_ONE_ROW');
    return { cells: after, change: differenceOf(this.plan, before, after) };
  }

  /** The row changed by one statement that returns the cells before and after. */
  async #exchanged(exchange: Statement): Promise<UpdatedRow | undefined> {
    const [answer] = await this.unit.batch([exchange]);
    const [row, ...others] = answer?.rows ?? [];
    if (row === undefined) return undefined;
    if (others.length > 0) throw rowErrors.create('NOT_ONE_ROW');
    const { length } = this.plan.stored;
    const cells = row.slice(length);
    return { cells, change: differenceOf(this.plan, row.slice(0, length), cells) };
  }

  /** Reads and locks all columns of the rows of a condition that exist for the caller. */
  lockQuery(where: Where, limit?: number): SqlFragment {
    return this.#locking(where, this.#forced, limit);
  }

  /**
   * Changes one locked row and reads it: the first answer has the number of changes, the last one the row.
   *
   * @param reading the statement that read the row, if it may foretell the answer
   */
  updateQueries(where: Where, values: Values, reading?: Statement): readonly Query[] {
    const assignments = this.assignments(values);
    // What triggers of an external database change in the row is visible only in a read after the update.
    const returns = this.open.own && this.context.dialect.statements.returnsUpdated;
    const returning = returns ? this.plan.stored : [];
    const update = updateRow(this.context, assignments, columnsOf(where), returning);
    if (!returns) return [update, this.#cellsQuery(whereAfter(where, values))];
    const { keepsBound } = this.context.dialect.statements;
    const isForetold = reading !== undefined && assignments.every(([column]) => keepsBound(typeOf(column)));
    return [isForetold ? { ...update, foretell: this.#renewed(reading, assignments) } : update];
  }

  /** The row as it was read, with the values that an update sets. */
  #renewed(reading: Statement, assignments: ReturnType<TableWrite['assignments']>): Foretell {
    const set = new Map<unknown, Binding>(assignments);
    const setsKey = this.plan.table.primaryKey.some((column) => set.has(column));
    return (known) => {
      const rows = setsKey ? undefined : known.read(reading);
      const renewed = rows?.map((cells) =>
        this.plan.stored.map((column, place) => (set.has(column) ? set.get(column) : cells[place])),
      );
      if (renewed !== undefined) known.expect(reading, renewed);
      return renewed && { rows: renewed, changes: renewed.length };
    };
  }

  /** Undefined if no row with the key exists for the caller. */
  async delete(where: Where): Promise<RowChange | undefined> {
    const forced = this.#forced;
    // A row that does not exist for the caller must not be deleted.
    if (forced !== undefined && (await this.lockCells(where, forced)) === undefined) return undefined;
    const reading = this.#lockOne(where);
    const gone: Foretell = (known) => {
      const changes = known.read(reading)?.length;
      if (changes !== undefined) known.expect(reading, []);
      return changes === undefined ? undefined : { rows: [], changes };
    };
    const [old, deleted] = await this.unit.batch([
      foretoldRead(reading),
      { ...deleteRow(this.context, columnsOf(where)), foretell: gone },
    ]);
    const before = old?.rows[0];
    if (before === undefined && deleted?.changes === 0) return undefined;
    if (before === undefined || old?.rows.length !== 1 || deleted?.changes !== 1)
      throw rowErrors.create('NOT_ONE_ROW');
    return deletionOf(this.plan, before);
  }

  /** @throws TrellisError 403 if a written row no longer exists for the caller. */
  async assertWithin({ changes, alike }: Pick<TableChanges, 'changes' | 'alike'>): Promise<void> {
    const forced = this.#forced;
    if (forced === undefined) return;
    const written = alike?.rows.map(([rowKey]) => ({ op: alike.op, rowKey })) ?? changes;
    const keys = written.flatMap(({ op, rowKey }) =>
      op === 'delete' || rowKey === undefined ? [] : [rowKey],
    );
    if (!(await this.allMeet(keys, forced)))
      throw rowErrors.create('ROW_OUT_OF_REACH', { table: this.plan.table.title });
  }

  /** Whether all rows with these keys exist and meet a rule; locks them until the transaction ends. */
  async allMeet(keys: readonly RowKey[], rule: Predicate): Promise<boolean> {
    const wheres = [...new Set(keys)].flatMap((key) => {
      const where = whereOfKey(this.plan, key);
      return where === undefined ? [] : [where];
    });
    for (let from = 0; from < wheres.length; from += keysAtOnce) {
      const chunk = wheres.slice(from, from + keysAtOnce);
      const answers = await this.unit.batch(this.#presenceQueries(chunk, rule));
      const present = answers.reduce((sum, { rows }) => sum + rows.length, 0);
      if (present !== chunk.length) return false;
    }
    return true;
  }

  /** Queries that return and lock each of these rows that meets the rule. */
  #presenceQueries(wheres: readonly Where[], rule: Predicate): readonly SqlFragment[] {
    const { context, plan } = this;
    const { primaryKey } = plan.table;
    const key = countableKey(plan);
    if (key === undefined)
      return wheres.map((where) =>
        lockingRows(context, (locked) => selectWhere(locked, primaryKey, columnsOf(where), rule)),
      );
    const values = wheres.map((where) => where[0]?.[1] ?? null);
    return [lockingRows({ ...context, rule }, (locked) => selectIn(locked, primaryKey, key.column, values))];
  }

  /**
   * For an update of too many rows to check one by one: refuses it if it sets a column that decides which rows exist for the
   * caller.
   *
   * @throws TrellisError 409 `TOO_MANY_TO_CHECK`.
   */
  assertStaysWithin(values: Values): void {
    const forced = this.#forced;
    if (forced === undefined) return;
    const set = new Set(this.assignments(values).map(([column]) => column.id));
    const kept = this.plan.columns.filter(({ column }) => !set.has(column.id) && !column.generated);
    if (!isDecidedBy(new Set(kept.map(({ column }) => column.id)), forced))
      throw rowErrors.create('TOO_MANY_TO_CHECK', { table: this.plan.table.title });
  }

  /** What an update sets: the values and the product's own stamps. A row that only moves gets no new stamps. */
  assignments(values: Values) {
    const now = wireTime(Date.now());
    const person = authorOf(this.open.handle);
    const stampOf = ({ storage }: ColumnSchema) => (storage === 'datetime' ? now : person);
    const isMove = values.size === 1 && this.plan.rowOrder !== undefined && values.has(this.plan.rowOrder);
    const stamped = isMove
      ? []
      : this.plan.columns.filter((codec) => codec.column.autoUpdate && !values.has(codec));
    return [
      ...[...values].map(([{ column, encode }, value]) => [column, encode(value)] as const),
      ...stamped.map(({ column, encode }) => [column, encode(stampOf(column))] as const),
    ];
  }

  /** Reads and locks one row. Its text is cached, and it may be read in the server's thread. */
  #lockOne(where: Where): Statement {
    return lockingRows(this.context, (locked) => selectOne(locked, this.plan.stored, columnsOf(where)));
  }

  #locking(where: Where, predicate: Predicate | undefined, limit?: number): SqlFragment {
    return lockingRows(this.context, (locked) => this.#cellsQuery(where, predicate, locked), limit);
  }

  #cellsQuery(where: Where, predicate?: Predicate, context = this.context): SqlFragment {
    return selectWhere(context, this.plan.stored, columnsOf(where), predicate);
  }
}

/** The condition that finds the row after an update that may have changed its key. */
function whereAfter(where: Where, values: Values): Where {
  return where.map(([codec, value]) => {
    const changed = values.get(codec);
    return [codec, changed === undefined || changed === null ? value : codec.encode(changed)] as const;
  });
}
