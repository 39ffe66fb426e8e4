import type { HookRegistry } from '@trellis/core';
import { mayRead, type Change, type RowInput, type ServerHooks } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import { insideUnitOf, type Database } from '../databases/index.ts';
import { admitCells } from './admit-cells.ts';
import type { OpenTable } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import type { Where } from './row-keys.ts';
import { byTitle, restoredValues } from './row-values.ts';
import { readValues, type ReadValuesOptions } from './read-values.ts';
import type { ColumnCodec, TablePlan, Values } from './table-plan.ts';

/** The hooks that see what is about to be written. */
export type WriteHooks = Pick<HookRegistry<ServerHooks>, 'call' | 'ownersOf'>;

/** The columns that the caller of a write may write, and those that the caller may read. */
function columnsFor({ handle: { scope, table } }: OpenTable): ReadValuesOptions {
  return { writable: scope.writableColumns(table.id), readable: scope.readableColumns(table.id) };
}

/** The input of a write: values parsed by their columns' types and shown to the hooks. */
export class WriteInput {
  readonly #hooks: WriteHooks;

  constructor(hooks: WriteHooks) {
    this.#hooks = hooks;
  }

  /** @throws TrellisError as `readValues`. */
  read(open: OpenTable, input: RowInput): Values {
    return readValues(open.plan, input, columnsFor(open));
  }

  /**
   * Like `read`, for many rows. The caller's rights are determined once for all of them.
   *
   * @param first the number of the first row, for messages.
   * @throws TrellisError as `readValues`.
   */
  readAll(open: OpenTable, inputs: readonly RowInput[], first = 1): readonly Values[] {
    const columns = columnsFor(open);
    return inputs.map((input, index) => readValues(open.plan, input, columns, first + index));
  }

  /** Like `readAll`, for rows that contain their keys, which need not be writable for that. */
  readAllNamed(open: OpenTable, inputs: readonly RowInput[]): readonly Map<ColumnCodec, CellValue>[] {
    const { handle, plan } = open;
    const rows = this.readAll(open, inputs).map((values) => new Map(values));
    if (handle.scope.writableColumns(handle.table.id) === 'all') return rows;
    const names = plan.key.flatMap(({ column }) => [column.title, column.columnName]);
    for (const [index, input] of inputs.entries()) {
      const named = names.flatMap((name) => (name in input ? [[name, input[name]] as const] : []));
      const key = readValues(plan, Object.fromEntries(named), {}, index + 1);
      for (const [of, value] of key) rows[index]?.set(of, value);
    }
    return rows;
  }

  /** What a hook returns in place of the input: it may not set columns that the caller may not write. */
  #readAgain({ handle: { scope, table }, plan }: OpenTable, input: RowInput): Values {
    return readValues(plan, input, { writable: scope.writableColumns(table.id) });
  }

  /** Takes the key out of a bulk row; undefined if it is incomplete. */
  takeKey(plan: TablePlan, values: Map<ColumnCodec, CellValue>): RowKey | undefined {
    const parts = plan.key.map((of) => values.get(of));
    for (const of of plan.key) values.delete(of);
    return parts.some((part) => part === undefined || part === null)
      ? undefined
      : formatRowKey(parts as CellValue[]);
  }

  /**
   * How a bulk delete names rows: by a whole key, or by the values of any columns.
   *
   * @throws TrellisError 400 for a name that is no visible column: ignoring it would delete more rows than intended.
   */
  condition(
    { handle, plan }: OpenTable,
    input: RowInput,
    row: number,
  ): { readonly key: RowKey | undefined; readonly where: Where } {
    const { table } = plan;
    for (const name of Object.keys(input)) {
      const column = table.columnByTitle.get(name) ?? table.columnByName.get(name);
      const isUsable =
        column !== undefined &&
        plan.byId.has(column.id) &&
        !column.generated &&
        mayRead(handle.scope, column);
      if (!isUsable) throw rowErrors.create('CONDITION_UNKNOWN', { column: name, row });
    }
    const values = readValues(plan, input, {}, row);
    const key = this.takeKey(plan, new Map(values));
    const named = key === undefined ? [...values] : [...values].filter(([of]) => of.column.primaryKey);
    return { key, where: named.map(([of, value]) => [of, of.encode(value)] as const) };
  }

  /** @param copyOf the rows that these are copies of, in the same order */
  async willCreate(
    open: OpenTable,
    read: readonly Values[],
    { origin = 'api', copyOf }: Creating = {},
  ): Promise<readonly Values[]> {
    const rows = origin === 'undo' ? read : await this.#admitNew(open, read, { origin, copyOf });
    if (this.#hooks.ownersOf('rows.willCreate').length === 0) return rows;
    const shown = new Map(rows.map((values) => [shownToHooks(values), values]));
    const given = Object.freeze([...shown.keys()]);
    const inputs = await this.#hooks.call('rows.willCreate', given, hookContext(open, origin));
    return inputs.map((input) => shown.get(input) ?? this.#readAgain(open, input));
  }

  async willUpdate(
    open: OpenTable,
    read: readonly Patch[],
    { origin = 'api', within }: Asking = {},
  ): Promise<readonly Patch[]> {
    // What is written within a transaction was admitted before it began.
    const patches = origin === 'undo' || within !== undefined ? read : await admitCells(open, read);
    if (this.#hooks.ownersOf('rows.willUpdate').length === 0) return patches;
    const shown = Object.freeze(
      patches.map(({ key, values }) => Object.freeze({ key, values: shownToHooks(values) })),
    );
    const known = new Map(shown.map(({ values }, index) => [values, patches[index]?.values]));
    const changed = await asked(within, () =>
      this.#hooks.call('rows.willUpdate', shown, hookContext(open, origin)),
    );
    return changed.map(({ key, values }) => ({
      key,
      values: known.get(values) ?? this.#readAgain(open, values),
    }));
  }

  async #admitNew(
    open: OpenTable,
    read: readonly Values[],
    { origin, copyOf }: Creating,
  ): Promise<readonly Values[]> {
    const isHeld = origin === 'restore';
    const rows = await admitCells(
      open,
      read.map((values, index) => ({ values, isHeld, key: copyOf?.[index] })),
    );
    return rows.map(({ values }) => values);
  }

  async willDelete(
    open: OpenTable,
    keys: readonly RowKey[],
    { origin = 'api', within }: Asking = {},
  ): Promise<void> {
    if (this.#hooks.ownersOf('rows.willDelete').length === 0) return;
    await asked(within, () =>
      this.#hooks.call('rows.willDelete', Object.freeze([...keys]), hookContext(open, origin)),
    );
  }

  /**
   * For changes of so many rows that hooks cannot see each of them.
   *
   * @throws TrellisError 409 if a plugin has such a hook.
   */
  assertUnasked(hook: 'rows.willUpdate' | 'rows.willDelete', { plan }: OpenTable): void {
    const [plugin] = this.#hooks.ownersOf(hook);
    if (plugin !== undefined) throw rowErrors.create('TOO_MANY_TO_ASK', { plugin, table: plan.table.title });
  }

  /** Shows the hooks what an undo writes, like any other write; returns the values to restore in each row. */
  async willRevert(open: OpenTable, changes: readonly Change[]): Promise<ReadonlyMap<Change, Values>> {
    const of = (op: Change['op']) => changes.filter((change) => change.op === op);
    const before = (change: Change) =>
      new Map(
        [...restoredValues(open.plan, change.before ?? {})].filter(([codec]) => codec !== open.plan.rowOrder),
      );
    const keyOf = (change: Change) => change.rowKey ?? '';
    const [inserted, updated, deleted] = [of('insert'), of('update'), of('delete')];
    if (inserted.length > 0) await this.willDelete(open, inserted.map(keyOf), { origin: 'undo' });
    const patches = updated.map((change) => ({ key: keyOf(change), values: before(change) }));
    const patched = patches.length > 0 ? await this.willUpdate(open, patches, { origin: 'undo' }) : [];
    const rows =
      deleted.length > 0 ? await this.willCreate(open, deleted.map(before), { origin: 'undo' }) : [];
    return new Map([
      ...updated.map((change, index) => [change, patched[index]?.values ?? before(change)] as const),
      ...deleted.map((change, index) => [change, rows[index] ?? before(change)] as const),
    ]);
  }
}

/** Where new rows come from. */
interface Creating {
  readonly origin?: string;
  readonly copyOf?: readonly RowKey[];
}

/** How the hooks are asked. */
interface Asking {
  readonly origin?: string;
  /** The database whose transaction waits for the answer: the hooks get no other transaction on it. */
  readonly within?: Database;
}

function asked<Answer>(within: Database | undefined, ask: () => Promise<Answer>): Promise<Answer> {
  return within === undefined ? ask() : insideUnitOf(within, ask);
}

/** The values that a write sets in the row with a key. */
interface Patch {
  readonly key: RowKey;
  readonly values: Values;
}

function hookContext({ handle }: OpenTable, origin: string) {
  return { scope: handle.scope, table: handle.table, origin };
}

/** Frozen: a hook that wants other values returns another object, and the same object is not parsed again. */
function shownToHooks(values: Values): RowInput {
  return Object.freeze(byTitle(values));
}
