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

/** Whether rows have a text as their key, which databases may treat as equal to other texts. */
export function hasTextKey({ key }: TablePlan): boolean {
  return key.some(({ column: { storage } }) => storage === 'string' || storage === 'text');
}

/**
 * The key as stored in the row, where an external database treats another text as the same: `alfki` of a row that was requested as
 * `ALFKI`. Data about rows is stored under the row's own key. Returns the given key if no row has it or if the database does not
 * answer, since such data can be found without the database.
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
