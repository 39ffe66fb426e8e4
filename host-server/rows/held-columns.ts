import type { Change } from '@trellis/sdk/server';
import type { OpenTable } from './open-table.ts';
import type { ColumnCodec, TablePlan } from './table-plan.ts';

/**
 * The same table, opened so that deleted rows can be restored completely: with the values of columns that cannot be written here,
 * such as those of bytes, shapes and types unknown to the product. The database computes computed values again.
 */
export async function withHeldColumns(open: OpenTable, changes: readonly Change[]): Promise<OpenTable> {
  const candidates = heldIn(open, changes);
  if (candidates.length === 0) return open;
  const { database, plan } = open;
  // Which of them are computed is not stored, and the database may have been replaced meanwhile.
  const { tables } = await database.read((unit) => database.dialect.introspection.read(unit));
  const there = tables.find(({ name }) => name === plan.table.tableName)?.columns ?? [];
  const isHeld = ({ column }: ColumnCodec) =>
    there.some(({ name, computed }) => name === column.columnName && !computed);
  return { ...open, plan: writingAlso(plan, candidates.filter(isHeld)) };
}

/** The columns of read-only types in which deleted rows had values. */
function heldIn({ plan, own, context }: OpenTable, changes: readonly Change[]): readonly ColumnCodec[] {
  if (own) return [];
  const filled = new Set(
    changes.flatMap(({ op, before = {} }) =>
      op === 'delete' ? Object.entries(before).flatMap(([id, value]) => (value === null ? [] : [id])) : [],
    ),
  );
  return plan.columns.filter(
    ({ column: { id, generated, nativeType } }) =>
      generated && filled.has(id) && !context.dialect.types.read(nativeType).editable,
  );
}

function writingAlso(plan: TablePlan, columns: readonly ColumnCodec[]): TablePlan {
  const written = (of: ColumnCodec): ColumnCodec =>
    columns.includes(of) ? { ...of, column: { ...of.column, generated: false } } : of;
  const replaced = plan.columns.map(written);
  return { ...plan, columns: replaced, byId: new Map(replaced.map((of) => [of.column.id, of])) };
}
