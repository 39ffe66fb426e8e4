import { formatRowKey, parseRowKey, type RowKey } from '../shared/index.ts';
import type { Change } from './changes.ts';
import type { ServerPluginContext } from './context.ts';
import type { PluginDatabase, PluginUnit } from './plugin-database.ts';
import type { TableSchema } from './schema.ts';

/** What a plugin keeps of rows, tables and projects, by their keys and ids. @public */
export interface KeptOfRows {
  /** Forgets what is kept of rows that are gone for good, at most 500. It may be called again for the same. */
  forgetRows(rows: { readonly tableId: string; readonly keys: readonly RowKey[] }): Promise<void>;
  /** Keeps under other keys what is kept of rows, all in one step: rows may have changed keys with each other. */
  moveRows(rows: { readonly tableId: string; readonly to: ReadonlyMap<RowKey, RowKey> }): Promise<void>;
  /** Forgets what is kept of a table that is gone for good. It may be called again for the same. */
  forgetTable(table: { readonly projectId: string; readonly tableId: string }): Promise<void>;
  forgetProject(projectId: string): Promise<void>;
}

/**
 * Follows what becomes of rows of which a plugin keeps something by their keys, in each of the ways in which that ends: rows that are deleted
 * for good, tables that are dropped or taken out of their project, projects, and keys that somebody changes.
 * @public
 */
export function followRows(ctx: Pick<ServerPluginContext, 'tap'>, kept: KeptOfRows): void {
  ctx.tap('rows.didPurge', (rows) => kept.forgetRows(rows));
  ctx.tap('tables.didPurge', (table) => kept.forgetTable(table));
  ctx.tap('projects.didPurge', ({ projectId }) => kept.forgetProject(projectId));
  ctx.tap('rows.didChange', async (written) => {
    const to = movedKeys(written);
    if (to.size > 0) await kept.moveRows({ tableId: written.table.id, to });
  });
}

/** What a plugin keeps of one row. */
interface KeptRow {
  readonly id: string;
  readonly row_key: string;
}

/** Rows of one statement, which every database takes. */
const rowsAtOnce = 500;

/**
 * What a table of a plugin's own keeps of rows, for `followRows`. The table has a key `id`, and the columns `project_id`, `table_id` and `row_key`;
 * what is about no row has an empty `row_key`.
 * @public
 */
export function keptInTable(db: PluginDatabase, name: string): KeptOfRows {
  return {
    async forgetRows({ tableId, keys }) {
      const of = (unit: PluginUnit) => unit.table(name).where({ table_id: tableId });
      await db.write((unit) =>
        unit.run(
          of(unit)
            .whereIn('row_key', [...keys])
            .delete(),
        ),
      );
    },
    async moveRows({ tableId, to }) {
      await db.write(async (unit) => {
        // Read before any is moved: two rows may have changed keys with each other.
        const kept: KeptRow[] = [];
        for (const keys of inParts([...to.keys()]))
          kept.push(
            ...(await unit.all<KeptRow>(
              unit.table(name).where({ table_id: tableId }).whereIn('row_key', keys).select('id', 'row_key'),
            )),
          );
        const byKey = new Map<RowKey, string[]>();
        for (const { id, row_key: key } of kept) byKey.set(key, [...(byKey.get(key) ?? []), id]);
        for (const [former, ids] of byKey)
          for (const part of inParts(ids))
            await unit.run(
              unit
                .table(name)
                .whereIn('id', part)
                .update({ row_key: to.get(former) ?? former }),
            );
      });
    },
    async forgetTable({ tableId }) {
      await db.write((unit) => unit.run(unit.table(name).where({ table_id: tableId }).delete()));
    },
    async forgetProject(projectId) {
      await db.write((unit) => unit.run(unit.table(name).where({ project_id: projectId }).delete()));
    },
  };
}

function inParts<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / rowsAtOnce) }, (_, part) =>
    items.slice(part * rowsAtOnce, (part + 1) * rowsAtOnce),
  );
}

/** The former keys of rows whose keys a write changed, each with the key that its row has now. */
function movedKeys(written: {
  readonly changes: readonly Change[];
  readonly table: TableSchema;
}): ReadonlyMap<RowKey, RowKey> {
  const moved = new Map<RowKey, RowKey>();
  const { primaryKey } = written.table;
  // The database numbers them, and a change per row is much to read of a large write.
  if (primaryKey.every(({ autoIncrement }) => autoIncrement)) return moved;
  for (const { op, rowKey, before } of written.changes) {
    if (op !== 'update' || rowKey === undefined || before === undefined) continue;
    if (!primaryKey.some(({ id }) => id in before)) continue;
    const now = parseRowKey(rowKey, primaryKey.length);
    const former = formatRowKey(primaryKey.map(({ id }, place) => before[id] ?? now?.[place] ?? null));
    if (former !== rowKey) moved.set(former, rowKey);
  }
  return moved;
}
