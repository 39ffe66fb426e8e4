import type { TrellisError } from '@trellis/core';
import type { ColumnSchema, LinkSchema, TableSchema } from '@trellis/sdk/server';
import type { Cells } from '../databases/database.ts';
import type { RowChange, TableChanges } from '../changes/row-change.ts';
import { lockingRows, selectNumber, selectWhere } from '../query/select.ts';
import type { Binding } from '../sql/session.ts';
import { inParts } from '../sql/in-parts.ts';
import type { Unit } from '../sql/unit.ts';
import { CellBudget } from './cell-budget.ts';
import { maySeeAllLinked } from './may-read.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, keyOf, whereOfCells } from './row-keys.ts';
import { deletionOf, differenceOf } from './row-values.ts';
import type { TableWrite } from './table-write.ts';

/** The most rows that a deletion may take along; with more it is refused, since their values would be lost unrecorded. */
const mostRows = 10_000;
const rowsAtOnce = 500;

const changing: ReadonlySet<string | undefined> = new Set(['cascade', 'set null', 'set default']);

/** A row that the database may delete or change when another one is deleted. */
interface AlongRow {
  readonly open: OpenTable;
  readonly cells: Cells;
}

/** The links by whose foreign keys the database itself deletes or changes rows when a row of this table is deleted. */
export function changingLinks({ handle, own }: OpenTable): readonly LinkSchema[] {
  // Changes inside an external database are not observed.
  if (!own) return [];
  return handle.table.links.filter(
    ({ kind, constraint, onDelete }) =>
      kind === 'hasMany' && constraint !== undefined && changing.has(onDelete),
  );
}

/** Whether deleting a row of this table may delete or change rows of other tables. */
export function takesAlong(open: OpenTable): boolean {
  return changingLinks(open).length > 0;
}

/**
 * Deletes locked rows, and records what the database does with the rows that point to them, even those hidden from the caller, in
 * an order that can be undone.
 *
 * @throws TrellisError 409 if too many rows would be deleted or changed with them, 413 if these are too large.
 */
export async function deletingAlong(
  write: TableWrite,
  tables: OpenTables,
  rows: readonly Cells[],
  remove: () => Promise<readonly RowChange[]>,
): Promise<{ readonly changes: readonly RowChange[]; readonly tables?: readonly TableChanges[] }> {
  if (!takesAlong(write.open) || rows.length === 0) return { changes: await remove() };
  const along = await rowsAlong(write, tables, rows);
  const changes = await remove();
  const taken = await changesOf(write.unit, along);
  return { changes, tables: [...taken, { table: write.plan.table, changes }] };
}

/** The rows that point to the deleted ones, directly or indirectly, nearest first. */
async function rowsAlong(
  { open, unit }: TableWrite,
  tables: OpenTables,
  rows: readonly Cells[],
): Promise<readonly AlongRow[]> {
  const nameOf = (of: OpenTable, cells: Cells) => JSON.stringify([of.plan.table.id, keyOf(of.plan, cells)]);
  const seen = new Set(rows.map((cells) => nameOf(open, cells)));
  const found: AlongRow[] = [];
  const budget = new CellBudget();
  let going: readonly { readonly of: OpenTable; readonly cells: readonly Cells[] }[] = [
    { of: open, cells: rows },
  ];
  while (going.length > 0) {
    const next: { readonly of: OpenTable; readonly cells: readonly Cells[] }[] = [];
    for (const { of, cells } of going) {
      for (const link of changingLinks(of)) {
        const table = of.handle.snapshot.tables.get(link.toTableId);
        if (table === undefined) continue;
        const there = await tables.openForAll(of.handle, table);
        const all = await pointingTo(unit, { of, there, link }, cells);
        const pointing = all?.filter((row) => {
          const name = nameOf(there, row);
          const isNew = !seen.has(name);
          seen.add(name);
          return isNew;
        });
        if (pointing === undefined || found.length + pointing.length > mostRows)
          throw tooMany(open, { of, link, table });
        if (!budget.take(pointing)) throw rowErrors.create('TOO_MUCH_AT_ONCE');
        found.push(...pointing.map((row) => ({ open: there, cells: row })));
        if (link.onDelete === 'cascade' && pointing.length > 0) next.push({ of: there, cells: pointing });
      }
    }
    going = next;
  }
  return found;
}

/** Names the table and the path to it only if the caller sees all its rows. */
function tooMany(
  open: OpenTable,
  { of, link, table }: { readonly of: OpenTable; readonly link: LinkSchema; readonly table: TableSchema },
): TrellisError {
  const limit = mostRows;
  const isSeen = maySeeAllLinked({ scope: open.handle.scope, table: of.handle.table }, link);
  return isSeen
    ? rowErrors.create('TOO_MANY_TAKEN_ALONG', { limit, table: table.title })
    : rowErrors.create('TOO_MANY_TAKEN_UNSEEN', { limit, table: open.plan.table.title });
}

/** Reads and locks the rows that point to these over a link; undefined if there are too many, which are not read. */
async function pointingTo(
  unit: Unit,
  { of, there, link }: { readonly of: OpenTable; readonly there: OpenTable; readonly link: LinkSchema },
  rows: readonly Cells[],
): Promise<readonly Cells[] | undefined> {
  const ends = link.columnIds.map((id, index): readonly [number, ColumnSchema | undefined] => [
    of.plan.columns.findIndex(({ column }) => column.id === id),
    there.plan.table.columnById.get(link.toColumnIds[index] ?? ''),
  ]);
  const wheres = rows.flatMap((cells) => {
    const where = ends.flatMap(([at, column]): (readonly [ColumnSchema, Binding])[] =>
      column === undefined || at < 0 ? [] : [[column, (cells[at] ?? null) as Binding]],
    );
    // An empty cell points to nothing.
    const isPointed = where.length === ends.length && where.every(([, value]) => value !== null);
    return isPointed ? [where] : [];
  });
  const found: Cells[] = [];
  for (const part of inParts(wheres, rowsAtOnce)) {
    // For one row, no more rows are read than show that there are too many.
    const counts =
      part.length === 1
        ? []
        : await unit.batch(part.map((where) => selectNumber(there.context, where, mostRows + 1)));
    const count = counts.reduce((sum, { rows: [cells] }) => sum + Number(cells?.[0] ?? 0), 0);
    if (found.length + count > mostRows) return undefined;
    const answers = await unit.batch(
      part.map((where) =>
        lockingRows(there.context, (locked) => selectWhere(locked, there.plan.stored, where), mostRows + 1),
      ),
    );
    for (const answer of answers) for (const cells of answer.rows) found.push(cells);
    if (found.length > mostRows) return undefined;
  }
  return found;
}

/** What the database did to the rows; those that point to others come first. */
async function changesOf(unit: Unit, along: readonly AlongRow[]): Promise<readonly TableChanges[]> {
  const done: (TableChanges & { readonly changes: RowChange[] })[] = [];
  const rows = along.toReversed();
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const chunk = rows.slice(from, from + rowsAtOnce);
    const answers = await unit.batch(
      chunk.map(({ open: { context, plan }, cells }) =>
        selectWhere(context, plan.stored, columnsOf(whereOfCells(plan, cells))),
      ),
    );
    for (const [index, { open, cells }] of chunk.entries()) {
      const after = answers[index]?.rows[0];
      const change =
        after === undefined ? deletionOf(open.plan, cells) : differenceOf(open.plan, cells, after);
      if (change === undefined) continue;
      const last = done.at(-1);
      if (last?.table === open.plan.table) last.changes.push(change);
      else done.push({ table: open.plan.table, changes: [change] });
    }
  }
  return done;
}
