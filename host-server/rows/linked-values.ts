import type { Change, LinkSchema, TableHandle, TableSchema, ValuesByColumn } from '@trellis/sdk/server';
import {
  formatRowKey,
  type CellValue,
  type Expression,
  type Predicate,
  type RowKey,
} from '@trellis/sdk/shared';
import { columnIn } from '../query/compile-related.ts';
import { selectPage } from '../query/select.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { readOptions } from './read-options.ts';
import { whereOfKey } from './row-keys.ts';
import type { TablePlan } from './table-plan.ts';

/** Rows of a table, as values of some of its columns name them. */
export interface Named {
  readonly columnIds: readonly string[];
  readonly values: readonly (readonly CellValue[])[];
}

/** Rows that are named one by one, at the most. */
export const mostNamed = 500;
/** Milliseconds. */
const readLimit = 15_000;

/** The rows that are named, for the query compiler. */
export function predicateOf(table: TableSchema, { columnIds, values }: Named): Predicate {
  const column = (columnId: string): Expression => ({ kind: 'column', columnId });
  const literal = (columnId: string, value: CellValue | undefined): Expression => ({
    kind: 'literal',
    value: (value ?? null) as string | number | boolean | null,
    storage: table.columnById.get(columnId)?.storage ?? 'text',
  });
  const [only, ...others] = columnIds;
  if (only === undefined || values.length === 0) return { kind: 'always', value: false };
  if (others.length === 0)
    return { kind: 'in', item: column(only), values: values.map(([value]) => literal(only, value)) };
  const items = values.map((of): Predicate => ({
    kind: 'and',
    items: columnIds.map((id, index) => ({
      kind: 'compare',
      comparison: 'eq',
      left: column(id),
      right: literal(id, of[index]),
    })),
  }));
  return { kind: 'or', items };
}

/**
 * The values by which rows are linked, whoever may see them: nobody is shown them. Each read looks at few rows, by the columns of a link;
 * undefined stands for more rows than are named.
 */
export class LinkedValues {
  readonly #tables: OpenTables;
  readonly #handle: TableHandle;

  constructor(tables: OpenTables, handle: TableHandle) {
    this.#tables = tables;
    this.#handle = handle;
  }

  /** The rows that have these keys; texts that no key can have name none. */
  ofKeys(plan: TablePlan, keys: readonly RowKey[]): Named {
    const columnIds = plan.key.map(({ column }) => column.id);
    return { columnIds, values: distinct(keys.flatMap((key) => [keyCells(plan, key) ?? []])) };
  }

  /**
   * The rows at the near end of a link that some rows are linked to, or were before they were changed.
   *
   * @param changes of rows at its far end, and of its junction table
   */
  async changedEnd(link: LinkSchema, changes: readonly Change[]): Promise<Named | undefined> {
    const { through } = link;
    const of = (id: string) => changes.filter(({ tableId }) => tableId === id);
    const far = await this.#valuesIn(link.toTableId, link.toColumnIds, of(link.toTableId));
    const near = far && (await this.#across(link, far));
    if (through === undefined || near === undefined) return near;
    const held = await this.#valuesIn(through.tableId, through.columnIds, of(through.tableId));
    return held && { columnIds: link.columnIds, values: distinct([...near.values, ...held]) };
  }

  /** The rows at the near end of a link that are linked to those that are named at its far end. */
  async near(link: LinkSchema, named: Named): Promise<Named | undefined> {
    const isSame = link.toColumnIds.join() === named.columnIds.join();
    const values = isSame ? named.values : await this.#read(link.toTableId, link.toColumnIds, named);
    return values && this.#across(link, distinct(values));
  }

  async #across({ columnIds, through }: LinkSchema, values: Named['values']): Promise<Named | undefined> {
    if (through === undefined || values.length === 0) return { columnIds, values };
    const named = { columnIds: through.toColumnIds, values };
    const found = await this.#read(through.tableId, through.columnIds, named);
    return found && { columnIds, values: distinct(found) };
  }

  /** What columns held before changes of rows of a table, and hold after them. */
  async #valuesIn(
    tableId: string,
    columnIds: readonly string[],
    changes: readonly Change[],
  ): Promise<Named['values'] | undefined> {
    const open = changes.length === 0 ? undefined : await this.#open(tableId);
    if (open === undefined) return [];
    const keyIds = open.plan.key.map(({ column }) => column.id);
    const known = new Map<RowKey, ValuesByColumn>();
    for (const { rowKey } of changes) {
      const cells = rowKey === undefined ? undefined : keyCells(open.plan, rowKey);
      if (rowKey !== undefined && cells !== undefined) known.set(rowKey, byColumn(keyIds, cells));
    }
    const cellsOf = ({ before, after, rowKey = '' }: Change) =>
      [before, after]
        .filter((cells) => cells !== undefined)
        .map((cells) => {
          const all: ValuesByColumn = { ...known.get(rowKey), ...cells };
          return columnIds.map((id) => all[id]);
        });
    // An update logs only the columns that it changed.
    const untold = changes.filter(
      (change) => change.op === 'update' && cellsOf(change).some((cells) => cells.includes(undefined)),
    );
    const keys = untold.flatMap(({ rowKey }) => rowKey ?? []);
    const read = await this.#read(tableId, [...keyIds, ...columnIds], this.ofKeys(open.plan, keys));
    if (read === undefined) return undefined;
    for (const cells of read) {
      const key = formatRowKey(cells.slice(0, keyIds.length));
      known.set(key, { ...known.get(key), ...byColumn(columnIds, cells.slice(keyIds.length)) });
    }
    return distinct(changes.flatMap(cellsOf));
  }

  /** The values that the rows which are named have in other columns. */
  async #read(
    tableId: string,
    columnIds: readonly string[],
    named: Named,
  ): Promise<Named['values'] | undefined> {
    if (named.values.length === 0) return [];
    if (named.values.length > mostNamed) return undefined;
    const open = await this.#open(tableId);
    if (open === undefined) return [];
    const { context, database, handle, plan } = open;
    const columns = columnIds.map((id) => columnIn(plan.table, id));
    const query = { ...context, rule: predicateOf(plan.table, named), predicate: undefined, order: [] };
    const statement = selectPage(query, columns, { limit: mostNamed + 1, offset: 0 });
    const { rows } = await database.read(
      (unit) => unit.rows(statement),
      readOptions(handle.scope, 'page', { timeoutMs: readLimit }),
    );
    if (rows.length > mostNamed) return undefined;
    return rows.map((cells) =>
      columns.map(({ id }, index) => plan.byId.get(id)?.decode(cells[index]) ?? null),
    );
  }

  async #open(tableId: string): Promise<OpenTable | undefined> {
    const table = this.#handle.snapshot.tables.get(tableId);
    return table && this.#tables.openForAll(this.#handle, table);
  }
}

/** Each list of values once, without lists with an empty cell: nothing is linked by an empty cell. */
function distinct(values: readonly (readonly (CellValue | undefined)[])[]): Named['values'] {
  const whole = values.filter(
    (cells): cells is readonly CellValue[] =>
      cells.length > 0 && !cells.includes(null) && !cells.includes(undefined),
  );
  return [...new Map(whole.map((cells) => [JSON.stringify(cells), cells])).values()];
}

function byColumn(columnIds: readonly string[], cells: readonly CellValue[]): ValuesByColumn {
  return Object.fromEntries(columnIds.map((id, index) => [id, cells[index] ?? null]));
}

function keyCells(plan: TablePlan, key: RowKey): readonly CellValue[] | undefined {
  if (plan.key.length === 0) return undefined;
  return whereOfKey(plan, key)?.map(([{ decode }, value]) => decode(value));
}
