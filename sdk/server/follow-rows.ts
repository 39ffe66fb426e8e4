import { formatRowKey, parseRowKey, type RowKey } from '../shared/index.ts';
import type { Change } from './changes.ts';
import type { ServerPluginContext } from './context.ts';
import type { PluginDatabase, PluginUnit } from './plugin-database.ts';
import type { TableSchema } from './schema.ts';

/** A plugin's data about rows, tables and projects, by their keys and ids. @public */
export interface KeptOfRows {
  /** Deletes the data of at most 500 rows that were deleted permanently. May be called again for the same rows. */
  forgetRows(rows: { readonly tableId: string; readonly keys: readonly RowKey[] }): Promise<void>;
  /** Moves the data of rows to other keys, all in one step: rows may have exchanged keys. */
  moveRows(rows: { readonly tableId: string; readonly to: ReadonlyMap<RowKey, RowKey> }): Promise<void>;
  /** Deletes the data of a table that was deleted permanently. May be called again for the same table. */
  forgetTable(table: { readonly projectId: string; readonly tableId: string }): Promise<void>;
  forgetProject(projectId: string): Promise<void>;
}

/**
 * Keeps a plugin's data about rows up to date in all cases that end or move it: rows that are deleted permanently, tables that are
 * dropped or removed from their project, deleted projects, and changed keys.
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

/** A plugin's data about one row. */
interface KeptRow {
  readonly id: string;
  readonly row_key: string;
}

/** Rows per statement, within every database's limit. */
const rowsAtOnce = 500;

/**
 * The data about rows in a plugin's own table, for `followRows`. The table has a key `id`, and the columns `project_id`, `table_id`
 * and `row_key`, which is empty for data about no row.
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
        // All are read before any is moved: two rows may have exchanged keys.
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

/** The former keys of rows whose keys a write changed, each with the row's current key. */
function movedKeys(written: {
  readonly changes: readonly Change[];
  readonly table: TableSchema;
}): ReadonlyMap<RowKey, RowKey> {
  const moved = new Map<RowKey, RowKey>();
  const { primaryKey } = written.table;
  // Generated keys do not change, and reading each change of a large write is expensive.
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
