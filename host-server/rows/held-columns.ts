import type { Change } from '@trellis/sdk/server';
import type { OpenTable } from './open-table.ts';
import type { ColumnCodec, TablePlan } from './table-plan.ts';

/**
 * The same table where deleted rows are to be there again as they were: with what they held in columns that nobody writes here, as those
 * of bytes, of shapes and of types that the product does not know. What the database computes it computes anew.
 */
export async function withHeldColumns(open: OpenTable, changes: readonly Change[]): Promise<OpenTable> {
  const candidates = heldIn(open, changes);
  if (candidates.length === 0) return open;
  const { database, plan } = open;
  // Which of them are computed is not kept, and the database may be another one by now.
  const { tables } = await database.read((unit) => database.dialect.introspection.read(unit));
  const there = tables.find(({ name }) => name === plan.table.tableName)?.columns ?? [];
  const isHeld = ({ column }: ColumnCodec) =>
    there.some(({ name, computed }) => name === column.columnName && !computed);
  return { ...open, plan: writingAlso(plan, candidates.filter(isHeld)) };
}

/** The columns of types that are only shown in which deleted rows held something. */
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
