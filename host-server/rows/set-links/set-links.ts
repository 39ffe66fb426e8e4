import type { TrellisError } from '@trellis/core';
import type { LinkedCell, LinkSchema, RefusedLinks, TableSchema } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import type { Cells } from '../../databases/database.ts';
import type { OpenedTable } from '../../schema/opened-table.ts';
import type { Unit } from '../../sql/unit.ts';
import { distinctKeys, keysOfEnds, linkedKey } from '../keys-of-ends.ts';
import type { OpenTable } from '../open-table.ts';
import { rowErrors } from '../row-errors.ts';
import { keyOf } from '../row-keys.ts';
import type { RowReaderDependencies } from '../row-reader.ts';
import type { LinkedChanges } from '../link-changes.ts';
import { emptiedColumns } from '../link-ends.ts';
import { limitsOfCall, type CallLimits } from './call-limits.ts';
import { assertFew, finder } from './find-named.ts';
import { holding, holdsStill, readingOf } from './held-links.ts';
import { bindingsIn, byTitle, cellsIn, sameCells } from './link-values.ts';
import { rowsOfKeys, type NamedRow } from './named-rows.ts';

/** A cell and the rows to link in it. */
interface Wanted {
  readonly row: NamedRow;
  readonly others: readonly NamedRow[];
}

/** The writes after which cells of a link column hold the named rows, and the cells for which that is impossible. */
interface LinksPlan {
  /** The table that holds the links. */
  readonly holder: OpenedTable;
  readonly changes: LinkedChanges;
  readonly refused: readonly RefusedLinks[];
  /**
   * Locks the cells against other writers until the transaction ends, and returns whether they are still as the plan assumed.
   * Absent if a cell is one value of its own row.
   */
  readonly holdsStill?: (unit: Unit) => Promise<boolean>;
}

type Planned = Pick<LinksPlan, 'changes' | 'holdsStill'>;

type PlanDependencies = Pick<RowReaderDependencies, 'tables' | 'memory'>;

/** Looks up what the cells name and what they hold now. */
export async function planLinks(
  { tables, memory }: PlanDependencies,
  handle: OpenedTable,
  link: LinkSchema,
  { cells, signal }: { readonly cells: readonly LinkedCell[]; readonly signal: AbortSignal | undefined },
): Promise<LinksPlan> {
  const limits = limitsOfCall(signal);
  const near = handle.whole();
  const own = await tables.open(near.changing());
  const there = await tables.open(handle.linked(tableOf(handle, link.toTableId)));
  assertFew(cells);
  const keys = cells.map(({ key }) => key);
  const rows = await rowsOfKeys(own, keys, limits);
  const seen = own.handle === near ? rows : await rowsOfKeys(await tables.open(near), keys, limits);
  const find = await finder(there, cells, { memory, limits });
  const refused: RefusedLinks[] = [];
  const wanted: Wanted[] = [];
  const taken = new Set<RowKey>();
  // If a row is named twice, the last cell counts, as in a paste.
  for (const cell of new Map(cells.map((one) => [one.key, one])).values()) {
    const row = rows.get(cell.key);
    const code = seen.has(cell.key) ? 'ROW_NOT_CHANGEABLE' : 'ROW_MISSING';
    const found = row === undefined ? rowErrors.create(code, { table: own.plan.table.title }) : find(cell);
    const problem = 'code' in found ? found : problemOf(link, there.plan.table, found, taken);
    if (problem !== undefined) refused.push({ key: cell.key, error: problem });
    else if (row !== undefined && !('code' in found)) {
      wanted.push({ row, others: found });
      for (const { key } of found) taken.add(key);
    }
  }
  if (link.kind === 'belongsTo')
    return { holder: own.handle, changes: { updates: ofOwnRows(own, there, link, wanted) }, refused };
  if (link.through === undefined) {
    const changeable = await tables.open(there.handle.changing());
    const { unchangeable, ...planned } = await ofChildren({ own, there, changeable, limits }, link, wanted);
    const error = rowErrors.create('ROW_NOT_CHANGEABLE', { table: there.plan.table.title });
    const alsoRefused = unchangeable.map(({ row: { key } }) => ({ key, error }));
    return { holder: there.handle, ...planned, refused: [...refused, ...alsoRefused] };
  }
  // Links to rows that the caller does not see stay unchanged.
  const junction = await tables.open(handle.linked(tableOf(handle, link.through.tableId)).changing());
  const planned = await ofJunction(
    { own, there, junction, limits },
    { ...link, through: link.through },
    wanted,
  );
  return { holder: junction.handle, refused, ...planned };
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
    const now = cellsIn(own, row.cells, link.columnIds);
    if (other === undefined)
      return now.includes(null) ? [] : [{ key: row.key, values: unlinked(own, link.columnIds) }];
    const values = cellsIn(there, other.cells, link.toColumnIds);
    return sameCells(now, values)
      ? []
      : [{ key: row.key, values: byTitle(own.plan, link.columnIds, values) }];
  });
}

/**
 * The changes of foreign keys in the rows of the other table. A cell is refused if it needs a change of a row that the caller may
 * not change.
 */
async function ofChildren(
  {
    own,
    there,
    changeable,
    limits,
  }: Readonly<Record<'own' | 'there' | 'changeable', OpenTable>> & { readonly limits: CallLimits },
  link: LinkSchema,
  wanted: readonly Wanted[],
): Promise<Planned & { readonly unchangeable: readonly Wanted[] }> {
  const ends = wanted.map(({ row }) => bindingsIn(own, row.cells, link.columnIds));
  const held = await holding(there, link.toColumnIds, ends, readingOf(there, limits));
  const claimed = new Set(wanted.flatMap(({ others }) => others.map(({ key }) => key)));
  const planned = wanted.map((cell) => {
    const { row, others } = cell;
    const ofRow = byTitle(there.plan, link.toColumnIds, cellsIn(own, row.cells, link.columnIds));
    const heldIn = (cells: Cells) =>
      byTitle(there.plan, link.toColumnIds, cellsIn(there, cells, link.toColumnIds));
    const nothing = unlinked(there, link.toColumnIds);
    const now = held.get(linkedKey(bindingsIn(own, row.cells, link.columnIds))) ?? [];
    const gone = now.flatMap((cells) => {
      const key = keyOf(there.plan, cells);
      return claimed.has(key) ? [] : [{ key, values: nothing, held: heldIn(cells) }];
    });
    const keys = new Set(now.map((cells) => keyOf(there.plan, cells)));
    const added = others.flatMap(({ key }) => (keys.has(key) ? [] : [{ key, values: ofRow }]));
    return { cell, updates: [...gone, ...added] };
  });
  const written = planned.flatMap(({ updates }) => updates.map(({ key }) => key));
  const isFree = changeable.handle === there.handle || written.length === 0;
  const free = isFree ? undefined : await rowsOfKeys(changeable, written, limits);
  const isRefused = ({ updates }: (typeof planned)[number]) =>
    free !== undefined && updates.some(({ key }) => !free.has(key));
  return {
    unchangeable: planned.filter(isRefused).map(({ cell }) => cell),
    changes: { updates: planned.flatMap((one) => (isRefused(one) ? [] : one.updates)) },
    holdsStill: holdsStill(own, there, {
      columnIds: link.toColumnIds,
      ends,
      rows: wanted.map(({ row }) => row),
      held,
    }),
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
  const farOf = (cells: Cells) => bindingsIn(junction, cells, through.toColumnIds);
  const targetOf = ({ cells }: NamedRow) => bindingsIn(there, cells, toColumnIds);
  // Compared by the database: a row of the junction table may name a row in another letter case.
  const targets = await keysOfEnds(
    { near: junction.context, nearIds: through.toColumnIds },
    {
      keys: distinctKeys(wanted.flatMap(({ others }) => others.map(targetOf))),
      ends: [...held.values()].flat().map(farOf),
      areUnique: true,
      areOfKeys: false,
    },
    readingOf(junction, limits),
  );
  const inserts: Readonly<Record<string, CellValue>>[] = [];
  const deletes: RowKey[] = [];
  for (const { row, others } of wanted) {
    const now = held.get(linkedKey(bindingsIn(own, row.cells, columnIds))) ?? [];
    const far = new Map(others.map((other) => [linkedKey(targetOf(other)), other]));
    const linked = new Set<string>();
    for (const cells of now) {
      const targetsOfRow = targets.get(linkedKey(farOf(cells))) ?? [];
      for (const target of targetsOfRow) linked.add(target);
      if (!targetsOfRow.some((target) => far.has(target))) deletes.push(keyOf(junction.plan, cells));
    }
    for (const [key, other] of far) {
      if (linked.has(key)) continue;
      inserts.push({
        ...byTitle(junction.plan, through.columnIds, cellsIn(own, row.cells, columnIds)),
        ...byTitle(junction.plan, through.toColumnIds, cellsIn(there, other.cells, toColumnIds)),
      });
    }
  }
  return {
    changes: { inserts, deletes },
    holdsStill: holdsStill(own, junction, {
      columnIds: through.columnIds,
      ends,
      rows: wanted.map(({ row }) => row),
      held,
    }),
  };
}

/** The empty foreign key, by title. */
function unlinked(open: OpenTable, columnIds: readonly string[]) {
  const emptied = emptiedColumns(open.plan.table, columnIds);
  return byTitle(
    open.plan,
    emptied,
    emptied.map(() => null),
  );
}

function tableOf({ snapshot }: OpenedTable, tableId: string): TableSchema {
  const table = snapshot.tables.get(tableId);
  if (table === undefined) throw rowErrors.create('ROW_MISSING', { table: '' });
  return table;
}
