import type { RowKey } from '@trellis/sdk/shared';
import { DatabaseError } from '../databases/index.ts';
import { hasKeysOfOthers } from '../query/key-texts.ts';
import { selectOne } from '../query/select.ts';
import type { OpenedTable } from '../schema/opened-table.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { readOptions, workByKey } from './read-options.ts';
import { columnsOf, keyOfWhere, whereOfKey, type Where } from './row-keys.ts';
import type { TablePlan } from './table-plan.ts';

/** Milliseconds. */
const readLimit = 15_000;

/** Whether rows are named by a text, which databases may hold to be the same as others. */
export function hasTextKey({ key }: TablePlan): boolean {
  return key.some(({ column: { storage } }) => storage === 'string' || storage === 'text');
}

/**
 * The key as the row has it, where a database of others takes another text for the same one: `alfki` of a row that was asked for by
 * `ALFKI`. What is kept of rows is kept by it. The key itself where no row has it, and where the database does not answer: what is kept
 * is known without it.
 */
export async function keyInRow(tables: OpenTables, handle: OpenedTable, key: RowKey): Promise<RowKey> {
  if (!hasKeysOfOthers({ reach: handle, table: handle.table })) return key;
  try {
    return await keyThere(await tables.open(handle), key);
  } catch (error) {
    if (error instanceof DatabaseError) return key;
    throw error;
  }
}

async function keyThere({ plan, context, database, handle }: OpenTable, key: RowKey): Promise<RowKey> {
  if (!hasTextKey(plan)) return key;
  const where = whereOfKey(plan, key);
  if (where === undefined) return key;
  const statement = selectOne(
    context,
    plan.key.map(({ column }) => column),
    columnsOf(where),
  );
  const { rows } = await database.read(
    (unit) => unit.rows(statement),
    readOptions(handle.scope, workByKey(plan), { timeoutMs: readLimit }),
  );
  const [cells] = rows;
  return cells === undefined ? key : keyOfWhere(plan.key.map((codec, at) => [codec, cells[at]]) as Where);
}
