import type { TrellisError } from '@trellis/core';
import {
  mayRead,
  type LinkedCell,
  type LinkSchema,
  type RefusedLinks,
  type TableSchema,
} from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import type { Cells } from '../../databases/database.ts';
import { columnIn } from '../../query/compile-related.ts';
import { selectHolding } from '../../query/partitions.ts';
import type { OpenedTable } from '../../schema/opened-table.ts';
import type { Binding } from '../../sql/session.ts';
import type { SqlFragment } from '../../sql/fragment.ts';
import type { Unit } from '../../sql/unit.ts';
import { lockNamed } from '../change-named.ts';
import { linkedKey } from '../linked-cells.ts';
import { lockAll } from '../lock-rows.ts';
import type { OpenTable } from '../open-table.ts';
import { readOptions } from '../read-options.ts';
import { rowErrors } from '../row-errors.ts';
import { keyOf, whereOfKey } from '../row-keys.ts';
import type { RowReaderDependencies } from '../row-reader.ts';
import type { LinkedChanges } from '../row-writer.ts';
import { TableWrite } from '../table-write.ts';
import { limitsOfCall, type CallLimits } from './call-limits.ts';
import { rowsOfKeys, rowsOfTitles, type NamedRow, type NamesRows } from './named-rows.ts';
import { countOfParts, likelyTitles, longerTitles, titlesOfText } from './titles-of-text.ts';

/** Rows that the cells of one call may name, and links that it may take away. */
const most = 10_000;
/** Cells whose links are read by one statement. */
const atOnce = 500;

/** A cell, and the rows that it is to hold. */
interface Wanted {
  readonly row: NamedRow;
  readonly others: readonly NamedRow[];
}

/** What is to be written so that cells of a link column hold the rows that they name, and the cells for which that cannot be. */
interface LinksPlan {
  /** The table that holds the links. */
  readonly holder: OpenedTable;
  readonly changes: LinkedChanges;
  readonly refused: readonly RefusedLinks[];
  /**
   * Keeps others from setting the same cells until the transaction ends, and says whether the cells still hold what the plan was made
   * from. Absent where a cell is one value of its own row.
   */
  readonly holdsStill?: (unit: Unit) => Promise<boolean>;
}

type Planned = Pick<LinksPlan, 'changes' | 'holdsStill'>;

type PlanDependencies = Pick<RowReaderDependencies, 'tables' | 'memory'>;

/** Finds out what the cells name and what they hold now. */
export async function planLinks(
  { tables, memory }: PlanDependencies,
  handle: OpenedTable,
  link: LinkSchema,
  { cells, signal }: { readonly cells: readonly LinkedCell[]; readonly signal: AbortSignal | undefined },
): Promise<LinksPlan> {
  const limits = limitsOfCall(signal);
  const own = await tables.open(handle.whole());
  const there = await tables.open(handle.linked(tableOf(handle, link.toTableId)));
  assertFew(cells);
  const rows = await rowsOfKeys(
    own,
    cells.map(({ key }) => key),
    limits,
  );
  const find = await finder(memory, there, { cells, limits });
  const refused: RefusedLinks[] = [];
  const wanted: Wanted[] = [];
  const taken = new Set<RowKey>();
  // Of a row that is named twice, the last cell counts, as in a paste.
  for (const cell of new Map(cells.map((one) => [one.key, one])).values()) {
    const row = rows.get(cell.key);
    const found =
      row === undefined ? rowErrors.create('ROW_MISSING', { table: own.plan.table.title }) : find(cell);
    const problem = 'code' in found ? found : problemOf(link, there.plan.table, found, taken);
    if (problem !== undefined) refused.push({ key: cell.key, error: problem });
    else if (row !== undefined && !('code' in found)) {
      wanted.push({ row, others: found });
      for (const { key } of found) taken.add(key);
    }
  }
  if (link.kind === 'belongsTo')
    return { holder: own.handle, changes: { updates: ofOwnRows(own, there, link, wanted) }, refused };
  if (link.through === undefined)
    return {
      holder: there.handle,
      refused,
      ...(await ofChildren({ own, there, limits }, link, wanted)),
    };
  const junction = await tables.open(handle.linked(tableOf(handle, link.through.tableId)));
  const planned = await ofJunction(
    { own, there, junction, limits },
    { ...link, through: link.through },
    wanted,
  );
  return { holder: junction.handle, refused, ...planned };
}

/** @throws TrellisError 413 for cells that may name more rows than one call may link. */
function assertFew(cells: readonly LinkedCell[]): void {
  const named = cells.reduce(
    (sum, { rows }) => sum + 1 + (typeof rows === 'string' ? countOfParts(rows) : rows.length),
    0,
  );
  if (named > 2 * most) throw rowErrors.create('TOO_MANY_LINKS', { limit: most });
}

/** Looks up all that cells name, a few statements for all of them; gives what finds the rows of each. */
async function finder(
  memory: PlanDependencies['memory'],
  there: OpenTable,
  { cells, limits }: { readonly cells: readonly LinkedCell[]; readonly limits: CallLimits },
) {
  const { table } = there.plan;
  const keys = cells.flatMap(({ rows }) => (typeof rows === 'string' ? [] : rows));
  const byKey = await rowsOfKeys(there, keys, limits);
  const texts = cells.flatMap(({ rows }) => (typeof rows === 'string' ? [rows] : []));
  const display = table.displayColumn;
  const isNamed = display !== undefined && mayRead(there.handle.scope, display);
  const lookUp = async (titles: readonly string[]): Promise<NamesRows> => {
    if (!isNamed || titles.length === 0) return () => [];
    const found = await rowsOfTitles(memory, there, display, titles, limits);
    return (title) => found.named(title);
  };
  const likely = await lookUp(texts.flatMap(likelyTitles));
  const isLikely = (title: string) => likely(title).length > 0;
  const longer = await lookUp(texts.flatMap((text) => longerTitles(text, isLikely)));
  const named = (title: string) => (isLikely(title) ? likely(title) : longer(title));
  return ({ rows }: LinkedCell): readonly NamedRow[] | TrellisError => {
    if (typeof rows === 'string') return rowsOfText(table, isNamed ? named : undefined, rows);
    const found = rows.flatMap((key) => byKey.get(key) ?? []);
    return found.length === rows.length
      ? eachOnce(found)
      : rowErrors.create('LINKED_ROWS_GONE', { table: table.title });
  };
}

function rowsOfText(
  { title: table }: TableSchema,
  rowsNamed: NamesRows | undefined,
  text: string,
): readonly NamedRow[] | TrellisError {
  if (text.trim() === '') return [];
  if (rowsNamed === undefined) return rowErrors.create('LINKED_WITHOUT_TITLES', { table });
  const titles = titlesOfText(text, (title) => rowsNamed(title).length > 0);
  const named = titles.map((title) => ({ title, rows: rowsNamed(title) }));
  const told = (count: (rows: number) => boolean) =>
    named
      .filter(({ rows }) => count(rows.length))
      .slice(0, 5)
      .map(({ title }) => `“${title}”`)
      .join(', ');
  const unknown = told((count) => count === 0);
  if (unknown !== '') return rowErrors.create('LINKED_TITLE_UNKNOWN', { table, titles: unknown });
  const ambiguous = told((count) => count > 1);
  if (ambiguous !== '') return rowErrors.create('LINKED_TITLE_AMBIGUOUS', { table, titles: ambiguous });
  return eachOnce(named.flatMap(({ rows }) => rows));
}

function eachOnce(rows: readonly NamedRow[]): readonly NamedRow[] {
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}

/** Why a cell cannot hold the rows that it names. */
function problemOf(
  link: LinkSchema,
  { title: table }: TableSchema,
  rows: readonly NamedRow[],
  taken: ReadonlySet<RowKey>,
): TrellisError | undefined {
  if (link.kind === 'belongsTo' && rows.length > 1) return rowErrors.create('LINKED_ONE_AT_MOST', { table });
  if (link.kind === 'hasMany' && rows.some(({ key }) => taken.has(key)))
    return rowErrors.create('LINKED_TWICE', { table });
  return undefined;
}

function ofOwnRows(own: OpenTable, there: OpenTable, link: LinkSchema, wanted: readonly Wanted[]) {
  return wanted.flatMap(({ row, others: [other] }) => {
    const values = other ? cellsIn(there, other.cells, link.toColumnIds) : link.columnIds.map(() => null);
    const isThere = sameCells(cellsIn(own, row.cells, link.columnIds), values);
    return isThere ? [] : [{ key: row.key, values: byTitle(own, link.columnIds, values) }];
  });
}

/** The foreign keys of the rows of the other table. */
async function ofChildren(
  { own, there, limits }: Readonly<Record<'own' | 'there', OpenTable>> & { readonly limits: CallLimits },
  link: LinkSchema,
  wanted: readonly Wanted[],
): Promise<Planned> {
  const ends = wanted.map(({ row }) => bindingsIn(own, row.cells, link.columnIds));
  const held = await holding(there, link.toColumnIds, ends, readingOf(there, limits));
  const claimed = new Set(wanted.flatMap(({ others }) => others.map(({ key }) => key)));
  const updates = wanted.flatMap(({ row, others }) => {
    const ofRow = byTitle(there, link.toColumnIds, cellsIn(own, row.cells, link.columnIds));
    const nothing = byTitle(
      there,
      link.toColumnIds,
      link.toColumnIds.map(() => null),
    );
    const now = held.get(linkedKey(bindingsIn(own, row.cells, link.columnIds))) ?? [];
    const gone = now.flatMap((cells) => {
      const key = keyOf(there.plan, cells);
      return claimed.has(key) ? [] : [{ key, values: nothing, held: ofRow }];
    });
    const keys = new Set(now.map((cells) => keyOf(there.plan, cells)));
    const added = others.flatMap(({ key }) => (keys.has(key) ? [] : [{ key, values: ofRow }]));
    return [...gone, ...added];
  });
  return {
    changes: { updates },
    holdsStill: holdsStill(own, there, { columnIds: link.toColumnIds, ends, wanted, held }),
  };
}

async function ofJunction(
  {
    own,
    there,
    junction,
    limits,
  }: Readonly<Record<'own' | 'there' | 'junction', OpenTable>> & { readonly limits: CallLimits },
  { columnIds, toColumnIds, through }: LinkSchema & { readonly through: NonNullable<LinkSchema['through']> },
  wanted: readonly Wanted[],
): Promise<Planned> {
  const ends = wanted.map(({ row }) => bindingsIn(own, row.cells, columnIds));
  const held = await holding(junction, through.columnIds, ends, readingOf(junction, limits));
  const inserts: Readonly<Record<string, CellValue>>[] = [];
  const deletes: RowKey[] = [];
  for (const { row, others } of wanted) {
    const now = held.get(linkedKey(bindingsIn(own, row.cells, columnIds))) ?? [];
    const farOf = (cells: Cells) => linkedKey(bindingsIn(junction, cells, through.toColumnIds));
    const far = new Map(
      others.map((other) => [linkedKey(bindingsIn(there, other.cells, toColumnIds)), other]),
    );
    const linked = new Set(now.map(farOf));
    for (const cells of now) if (!far.has(farOf(cells))) deletes.push(keyOf(junction.plan, cells));
    for (const [key, other] of far) {
      if (linked.has(key)) continue;
      inserts.push({
        ...byTitle(junction, through.columnIds, cellsIn(own, row.cells, columnIds)),
        ...byTitle(junction, through.toColumnIds, cellsIn(there, other.cells, toColumnIds)),
      });
    }
  }
  return {
    changes: { inserts, deletes },
    holdsStill: holdsStill(own, junction, { columnIds: through.columnIds, ends, wanted, held }),
  };
}

/** What the cells of some rows held when the plan was made. */
interface Seen {
  readonly columnIds: readonly string[];
  readonly ends: readonly (readonly Binding[])[];
  readonly wanted: readonly Wanted[];
  readonly held: ReadonlyMap<string, readonly Cells[]>;
}

function holdsStill(own: OpenTable, holder: OpenTable, { columnIds, ends, wanted, held }: Seen) {
  const keysOf = (links: ReadonlyMap<string, readonly Cells[]>) =>
    [...links.values()]
      .flatMap((rows) => rows.map((cells) => linkOfCells(holder, columnIds, cells)))
      .toSorted();
  return async (unit: Unit): Promise<boolean> => {
    const write = new TableWrite(own, unit);
    await lockAll(
      write,
      wanted.map(({ row }) => row.key),
    );
    const named = wanted.flatMap(({ row: { key } }) => {
      const where = whereOfKey(own.plan, key);
      return where === undefined ? [] : [{ where, isKey: true }];
    });
    await lockNamed(write, named);
    const now = await holding(holder, columnIds, ends, (statement) => unit.rows(statement));
    return JSON.stringify(keysOf(now)) === JSON.stringify(keysOf(held));
  };
}

/** A row that holds a link, with the row that it links, as text. */
function linkOfCells(holder: OpenTable, columnIds: readonly string[], cells: Cells): string {
  return JSON.stringify([keyOf(holder.plan, cells), linkedKey(bindingsIn(holder, cells, columnIds))]);
}

/** Reads cells: within a transaction, or by a connection of the pool. */
type ReadCells = (statement: SqlFragment) => ReturnType<Unit['rows']>;

/** Reads outside of a transaction, as long as the call may. */
function readingOf({ database, handle }: OpenTable, limits: CallLimits): ReadCells {
  return (statement) =>
    database.read((unit) => unit.rows(statement), readOptions(handle.scope, 'page', limits()));
}

/**
 * The rows of a table that hold links of some rows, by the values that link them.
 *
 * @throws TrellisError 413 where they are more than one call may change.
 */
async function holding(
  { plan, context, handle }: OpenTable,
  columnIds: readonly string[],
  keys: readonly (readonly Binding[])[],
  read: ReadCells,
): Promise<ReadonlyMap<string, readonly Cells[]>> {
  const ends = columnIds.map((id) => columnIn(plan.table, id));
  const whole = keys.filter((key) => !key.includes(null));
  const found = new Map<string, Cells[]>();
  let left = most;
  for (let from = 0; from < whole.length; from += atOnce) {
    const statement = selectHolding(context, plan.stored, {
      ends,
      keys: whole.slice(from, from + atOnce),
      rule: handle.scope.rowPredicate(plan.table.id),
      limit: left + 1,
    });
    const { rows } = await read(statement);
    left -= rows.length;
    if (left < 0) throw rowErrors.create('TOO_MANY_LINKS', { limit: most });
    for (const cells of rows) {
      const key = linkedKey(bindingsIn({ plan }, cells, columnIds));
      found.set(key, [...(found.get(key) ?? []), cells]);
    }
  }
  return found;
}

function tableOf({ snapshot }: OpenedTable, tableId: string): TableSchema {
  const table = snapshot.tables.get(tableId);
  if (table === undefined) throw rowErrors.create('ROW_MISSING', { table: '' });
  return table;
}

/** The values of some columns of a row, as the database holds them. */
function bindingsIn(
  { plan }: Pick<OpenTable, 'plan'>,
  cells: Cells,
  columnIds: readonly string[],
): readonly Binding[] {
  return columnIds.map(
    (id) => (cells[plan.columns.findIndex(({ column }) => column.id === id)] ?? null) as Binding,
  );
}

/** The same as they are written. */
function cellsIn({ plan }: OpenTable, cells: Cells, columnIds: readonly string[]): readonly CellValue[] {
  const bindings = bindingsIn({ plan }, cells, columnIds);
  return columnIds.map((id, index) => plan.byId.get(id)?.decode(bindings[index]) ?? null);
}

function sameCells(one: readonly CellValue[], other: readonly CellValue[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function byTitle(
  { plan }: OpenTable,
  columnIds: readonly string[],
  values: readonly CellValue[],
): Readonly<Record<string, CellValue>> {
  return Object.fromEntries(
    columnIds.map((id, index) => [columnIn(plan.table, id).title, values[index] ?? null]),
  );
}
