import type { SetChange, TableChanges } from '../changes/row-change.ts';
import { selectCount } from '../query/select.ts';
import type { Unit } from '../sql/unit.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { changingLinks } from './taken-along.ts';
import type { TableWrite } from './table-write.ts';

/**
 * Rows of a table that the database deletes or unlinks when others are deleted; for unlinked ones, the columns of the foreign key.
 */
interface Along {
  readonly open: OpenTable;
  readonly op: 'delete' | 'update';
  readonly columnIds: readonly string[];
}

/**
 * Deletes a set of rows of a table, and reports for each other table how many of its rows the database deleted or unlinked with
 * them. They are counted before and after, since only the database decides what its foreign keys match.
 *
 * @param remove deletes the rows and reports that
 */
export async function deletingSetAlong(
  { open, unit }: TableWrite,
  tables: OpenTables,
  remove: () => Promise<SetChange>,
): Promise<{ readonly set: SetChange; readonly tables?: readonly TableChanges[] }> {
  const along = await reachedFrom(open, tables);
  if (along.length === 0) return { set: await remove() };
  const before = await countsOf(unit, along);
  const set = await remove();
  const after = await countsOf(unit, along);
  const others = along.flatMap(({ open: { plan }, op, columnIds }, index): readonly TableChanges[] => {
    const count = (before[index] ?? 0) - (after[index] ?? 0);
    if (count <= 0) return [];
    const patch = op === 'delete' ? {} : Object.fromEntries(columnIds.map((id) => [id, null]));
    const ends = { columns: [], rows: [] };
    return [{ table: plan.table, changes: [], set: { op, predicate: set.predicate, patch, count, ends } }];
  });
  if (others.length === 0) return { set };
  return { set, tables: [...others, { table: open.plan.table, changes: [], set }] };
}

/**
 * The tables with rows that depend on a table's rows, directly or indirectly. If rows of a table are deleted, their unlinking is
 * not reported.
 */
async function reachedFrom(open: OpenTable, tables: OpenTables): Promise<readonly Along[]> {
  const deleted = new Map<string, Along>();
  const unlinked: Along[] = [];
  const going = [open];
  for (let of = going.pop(); of !== undefined; of = going.pop()) {
    for (const { toTableId, toColumnIds, onDelete } of changingLinks(of)) {
      const table = of.handle.snapshot.tables.get(toTableId);
      // The caller counts the table's own rows.
      if (table === undefined || deleted.has(toTableId) || toTableId === open.plan.table.id) continue;
      const there = await tables.openForAll(of.handle, table);
      const op = onDelete === 'cascade' ? 'delete' : 'update';
      const found: Along = { open: there, op, columnIds: toColumnIds };
      if (found.op === 'update') unlinked.push(found);
      else {
        deleted.set(toTableId, found);
        going.push(there);
      }
    }
  }
  return [...deleted.values(), ...unlinked.filter(({ open: { plan } }) => !deleted.has(plan.table.id))];
}

/** The number of rows of each table; of unlinked ones, those that have a link. */
async function countsOf(unit: Unit, along: readonly Along[]): Promise<readonly number[]> {
  const answers = await unit.batch(
    along.map(({ open: { context }, op, columnIds }) => {
      const [columnId = ''] = op === 'update' ? columnIds : [];
      const isLinked = {
        kind: 'not',
        item: { kind: 'isNull', item: { kind: 'column', columnId } },
      } as const;
      const predicate = columnId === '' ? undefined : isLinked;
      return selectCount({ ...context, predicate, order: [] }).query;
    }),
  );
  return answers.map(({ rows: [cells] }) => Number(cells?.[0] ?? 0));
}
