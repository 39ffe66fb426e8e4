import { mayRead } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import { selectOne } from '../query/select.ts';
import type { OpenTable } from './open-table.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';
import type { ColumnCodec } from './table-plan.ts';

/** The value of a cell; undefined where the caller may not see it, or where the caller sees no row with the key. */
export async function heldCell(
  open: OpenTable,
  of: ColumnCodec,
  key: RowKey | undefined,
): Promise<CellValue | undefined> {
  const where = key === undefined ? undefined : whereOfKey(open.plan, key);
  if (where === undefined || !mayRead(open.handle.scope, of.column)) return undefined;
  const rule = open.handle.scope.rowPredicate(open.handle.table.id);
  const statement = selectOne(open.context, [of.column], columnsOf(where), { rule });
  const { rows } = await open.database.read((unit) => unit.rows(statement));
  return rows[0] === undefined ? undefined : of.decode(rows[0][0]);
}
