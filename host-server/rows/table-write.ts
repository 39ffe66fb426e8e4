import type { Predicate } from '@trellis/sdk/shared';
import { wireTime } from '../metadata/stored-values.ts';
import type { RowChange } from '../changes/row-change.ts';
import { lockingRows, selectAll, selectWhere, type CompiledQuery } from '../query/select.ts';
import { deleteRow, updateRow } from '../query/write.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import type { Unit } from '../sql/unit.ts';
import { dependsOn } from './depends-on.ts';
import type { OpenTable } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfKey, type Where } from './row-keys.ts';
import { deletionOf, differenceOf, type Cells } from './row-values.ts';
import type { Values } from './table-plan.ts';

/** Larger sets are changed without remembering each row, and cannot be taken back. */
const mostRemembered = 10_000;

/** A row after an update. */
export interface UpdatedRow {
  readonly cells: Cells;
  /** Undefined when the row is as it was. */
  readonly change: RowChange | undefined;
}

/** One transaction on one table, made by `RecordedWrites`: reads that lock, and writes of one row each. */
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

  /** What rows must meet to exist for the caller. */
  get #forced(): Predicate | undefined {
    return this.open.handle.scope.rowPredicate(this.plan.table.id);
  }

  /** The row with this key, with all columns of the plan. */
  async readCells(where: Where): Promise<Cells | undefined> {
    const { rows } = await this.unit.rows(this.#cellsQuery(where));
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** As `readCells`; the row stays as it is until the transaction ends. Only if it meets the predicate, where one is given. */
  async lockCells(where: Where, predicate?: Predicate): Promise<Cells | undefined> {
    const { rows } = await this.unit.rows(lockingRows(this.context, this.#cellsQuery(where, predicate)));
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** Undefined when no row that exists for the caller has the key. */
  async update(where: Where, values: Values): Promise<UpdatedRow | undefined> {
    const forced = this.#forced;
    // Nothing may be written to a row that does not exist for the caller.
    if (forced !== undefined && (await this.lockCells(where, forced)) === undefined) return undefined;
    const [old, updated, renewed] = await this.unit.batch([
      lockingRows(this.context, this.#cellsQuery(where)),
      updateRow(this.context, this.assignments(values), columnsOf(where)),
      this.#cellsQuery(whereAfter(where, values)),
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
      throw rowErrors.create('NOT_ONE_ROW');
    return { cells: after, change: differenceOf(this.plan, before, after) };
  }

  /** Undefined when no row that exists for the caller has the key. */
  async delete(where: Where): Promise<RowChange | undefined> {
    const before = await this.lockCells(where, this.#forced);
    if (before === undefined) return undefined;
    const { changes } = await this.unit.run(deleteRow(this.context, columnsOf(where)));
    if (changes !== 1) throw rowErrors.create('NOT_ONE_ROW');
    return deletionOf(this.plan, before);
  }

  /** The keys of the rows that meet a condition and exist for the caller; they are locked. */
  async keysWhere(where: Where): Promise<readonly Where[]> {
    const { key } = this.plan;
    const query = selectWhere(
      this.context,
      key.map(({ column }) => column),
      columnsOf(where),
      this.#forced,
    );
    const { rows } = await this.unit.rows(lockingRows(this.context, query));
    return rows.map((cells) => key.map((codec, index) => [codec, cells[index] as Binding] as const));
  }

  /** All columns of the rows that a query matches; undefined when there are too many to remember. */
  async matching(query: CompiledQuery): Promise<readonly Cells[] | undefined> {
    const columns = this.plan.columns.map(({ column }) => column);
    const select = selectAll({ ...query, order: [] }, columns);
    const { rows } = await this.unit.rows(lockingRows(this.context, select, mostRemembered + 1));
    return rows.length > mostRemembered ? undefined : rows;
  }

  /** @throws TrellisError 403 when a row that was written does not exist for the caller any more. */
  async assertWithin(changes: readonly RowChange[]): Promise<void> {
    const forced = this.#forced;
    if (forced === undefined) return;
    for (const { op, rowKey } of changes) {
      const where = op === 'delete' || rowKey === undefined ? undefined : whereOfKey(this.plan, rowKey);
      if (where === undefined) continue;
      if ((await this.lockCells(where, forced)) === undefined)
        throw rowErrors.create('ROW_OUT_OF_REACH', { table: this.plan.table.title });
    }
  }

  /**
   * For an update of so many rows that they are not looked at one by one: refuses when what it sets decides about which rows
   * exist for the caller.
   *
   * @throws TrellisError 409 `TOO_MANY_TO_CHECK`.
   */
  assertStaysWithin(values: Values): void {
    const forced = this.#forced;
    if (forced === undefined) return;
    const set = new Set(this.assignments(values).map(([column]) => column.id));
    if (dependsOn(forced, set)) throw rowErrors.create('TOO_MANY_TO_CHECK', { table: this.plan.table.title });
  }

  /** What an update sets: the values, and the stamps that the product keeps itself. */
  assignments(values: Values) {
    const now = wireTime(Date.now());
    const stamped = this.plan.columns.filter((codec) => codec.column.autoUpdate && !values.has(codec));
    return [
      ...[...values].map(([{ column, encode }, value]) => [column, encode(value)] as const),
      ...stamped.map(({ column, encode }) => [column, encode(now)] as const),
    ];
  }

  #cellsQuery(where: Where, predicate?: Predicate): SqlFragment {
    const columns = this.plan.columns.map(({ column }) => column);
    return selectWhere(this.context, columns, columnsOf(where), predicate);
  }
}

/** Where the row is after an update that may have changed its key. */
function whereAfter(where: Where, values: Values): Where {
  return where.map(([codec, value]) => {
    const changed = values.get(codec);
    return [codec, changed === undefined || changed === null ? value : codec.encode(changed)] as const;
  });
}
