import type { SetChange, TableChanges } from '../changes/row-change.ts';
import { selectCount } from '../query/select.ts';
import type { Unit } from '../sql/unit.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { changingLinks } from './taken-along.ts';
import type { TableWrite } from './table-write.ts';

/** Rows of a table that the database deletes, or takes the link from, when others go; of the latter the columns of a foreign key. */
interface Along {
  readonly open: OpenTable;
  readonly op: 'delete' | 'update';
  readonly columnIds: readonly string[];
}

/**
 * Deletes a set of rows of a table, and tells of each other table how many of its rows the database deleted or unlinked with them: they are
 * counted before and after, as what the foreign keys name is for the database alone to say.
 *
 * @param remove deletes the rows and says so
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

/** What hangs on rows of a table, near and far. Of a table whose rows go it is not told that they are unlinked. */
async function reachedFrom(open: OpenTable, tables: OpenTables): Promise<readonly Along[]> {
  const deleted = new Map<string, Along>();
  const unlinked: Along[] = [];
  const going = [open];
  for (let of = going.pop(); of !== undefined; of = going.pop()) {
    for (const { toTableId, toColumnIds, onDelete } of changingLinks(of)) {
      const table = of.handle.snapshot.tables.get(toTableId);
      // Its own rows are counted by who deletes them.
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

/** How many rows each table has; of those whose links are taken, how many have one. */
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
