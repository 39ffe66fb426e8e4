import type { HookRegistry, RegistryView } from '@trellis/core';
import type { AccessScope, RecordInput, ServerColumnType, ServerHooks } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import { recordErrors } from './record-errors.ts';
import type { OpenTable, RecordReader } from './record-reader.ts';
import { byTitle, type Where } from './row-values.ts';
import { readValues, type ColumnPlan, type Values } from './table-plan.ts';

export interface WriteInputDependencies {
  readonly reader: RecordReader;
  readonly columnTypes: RegistryView<ServerColumnType>;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'call' | 'ownersOf'>;
}

/** What somebody asks to have written: the table opened, values read by their columns' types and shown to the hooks. */
export class WriteInput {
  readonly #deps: WriteInputDependencies;

  constructor(deps: WriteInputDependencies) {
    this.#deps = deps;
  }

  async open(scope: AccessScope, tableId: string): Promise<OpenTable> {
    const open = await this.#deps.reader.open(scope, tableId);
    const { readOnlyReason } = open.table;
    if (readOnlyReason !== undefined)
      throw recordErrors.create('TABLE_READ_ONLY', { reason: readOnlyReason });
    return open;
  }

  read(scope: AccessScope, open: OpenTable, input: RecordInput, rowNumber?: number): Values {
    return readValues(open.plan, input, {
      types: this.#deps.columnTypes,
      writable: scope.writableColumns(open.table.id),
      rowNumber,
    });
  }

  /** Takes the key out of a bulk row; undefined when it is not complete. */
  takeKey({ plan }: OpenTable, values: Map<ColumnPlan, CellValue>): RowKey | undefined {
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
  condition(
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
    const key = this.takeKey(open, new Map(values));
    const named = key === undefined ? [...values] : [...values].filter(([of]) => of.column.primaryKey);
    return { key, where: named.map(([of, value]) => [of, of.encode(value)] as const) };
  }

  async willCreate(scope: AccessScope, open: OpenTable, rows: readonly Values[]): Promise<readonly Values[]> {
    if (this.#deps.hooks.ownersOf('records.willCreate').length === 0) return rows;
    const inputs = await this.#deps.hooks.call('records.willCreate', rows.map(byTitle), {
      scope,
      table: open.table,
      origin: 'api',
    });
    return inputs.map((input) => this.read(scope, open, input));
  }

  async willUpdate(
    scope: AccessScope,
    open: OpenTable,
    patches: readonly { readonly key: RowKey; readonly values: Values }[],
  ): Promise<readonly { readonly key: RowKey; readonly values: Values }[]> {
    if (this.#deps.hooks.ownersOf('records.willUpdate').length === 0) return patches;
    const changed = await this.#deps.hooks.call(
      'records.willUpdate',
      patches.map(({ key, values }) => ({ key, values: byTitle(values) })),
      { scope, table: open.table, origin: 'api' },
    );
    return changed.map(({ key, values }) => ({ key, values: this.read(scope, open, values) }));
  }

  async willDelete(scope: AccessScope, open: OpenTable, keys: readonly RowKey[]): Promise<void> {
    if (this.#deps.hooks.ownersOf('records.willDelete').length === 0) return;
    await this.#deps.hooks.call('records.willDelete', keys, { scope, table: open.table, origin: 'api' });
  }
}
