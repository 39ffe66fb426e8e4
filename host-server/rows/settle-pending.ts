import { TrellisError } from '@trellis/core';
import type { AccessScope, Change, SchemaStore, TableSchema } from '@trellis/sdk/server';
import { formatRowKey } from '@trellis/sdk/shared';
import type { ChangeRecorder } from '../changes/change-recorder.ts';
import { readChanges } from '../changes/read-changes.ts';
import { storedRowKey } from '../changes/stored-row-key.ts';
import type { Database } from '../databases/database.ts';
import type { Binding } from '../sql/session.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { selectWhere } from '../query/select.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { whereOfKey } from './row-keys.ts';
import type { ColumnCodec } from './table-plan.ts';

export interface SettleDependencies {
  readonly metadata: Metadata;
  readonly schema: SchemaStore;
  readonly tables: OpenTables;
  readonly recorder: ChangeRecorder;
  /** Every right in one project. */
  scopeFor(projectId: string): AccessScope;
}

/** How many announced changes turned out to have happened, not to have happened, or cannot be told. */
export interface Settled {
  done: number;
  withdrawn: number;
  unknown: number;
}

type Outcome =
  | { readonly kind: 'done'; readonly rowKey: string | undefined }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'unknown' };

const mostAtOnce = 1000;

/**
 * Finds out what became of changes that were announced for an external database and never confirmed, because the server was
 * killed or lost the connection in between: each record is read again.
 *
 * A change that happened is delivered under the id with which it was announced. One that names no record (a write to every row
 * of a question) cannot be told; it is kept as `unknown` and reaches nobody.
 *
 * @param before only changes announced earlier than this, in UTC milliseconds; younger ones may still be under way.
 */
export async function settlePending(deps: SettleDependencies, before: number): Promise<Settled> {
  const { metadata, recorder } = deps;
  const pending = await readChanges(metadata, (query) =>
    query.where({ state: 'pending' }).where('at', '<', before).limit(mostAtOnce),
  );
  const settled: Settled = { done: 0, withdrawn: 0, unknown: 0 };
  for (const change of pending) {
    const open = await openTable(deps, change);
    const outcome: Outcome = open === undefined ? { kind: 'unknown' } : await outcomeOf(deps, open, change);
    if (open !== undefined && outcome.kind === 'done') {
      const operation = {
        id: change.operationId,
        scope: deps.scopeFor(change.projectId),
        table: open.handle.table,
        origin: change.origin,
      };
      await recorder.confirm(operation, [change], [{ ...change, rowKey: outcome.rowKey }]);
    } else if (outcome.kind === 'withdrawn') await recorder.withdraw([change]);
    else await recorder.giveUp(change);
    settled[outcome.kind] += 1;
  }
  return settled;
}

/** The table, or undefined when it or its project is gone meanwhile. */
async function openTable(
  { schema, tables, scopeFor }: SettleDependencies,
  { projectId, tableId }: Change,
): Promise<OpenTable | undefined> {
  try {
    return await tables.open(await schema.open(scopeFor(projectId), tableId));
  } catch (error) {
    if (error instanceof TrellisError && error.status === 404) return undefined;
    throw error;
  }
}

async function outcomeOf(deps: SettleDependencies, open: OpenTable, change: Change): Promise<Outcome> {
  const values = valuesOf(open, change);
  if (change.op === 'insert') return insertOutcome(deps, open, change, values);
  const key = change.rowKey === undefined ? undefined : whereOfKey(open.plan, change.rowKey);
  if (key === undefined) return { kind: 'unknown' };
  if (change.op === 'delete') {
    const rows = await keysWhere(open, key);
    return rows.length === 0 ? { kind: 'done', rowKey: change.rowKey } : { kind: 'withdrawn' };
  }
  // An update may have given the row another key.
  const moved = key.map(([of, value]) => values.find(([other]) => other === of) ?? ([of, value] as const));
  const [row] = await keysWhere(open, [...moved, ...values.filter(([of]) => !of.column.primaryKey)]);
  return row === undefined ? { kind: 'withdrawn' } : { kind: 'done', rowKey: row };
}

/** A row whose key the database made is found by its values; one that another change already tells of is not it. */
async function insertOutcome(
  { metadata }: SettleDependencies,
  open: OpenTable,
  change: Change,
  values: readonly (readonly [ColumnCodec, Binding])[],
): Promise<Outcome> {
  if (values.length === 0) return { kind: 'unknown' };
  const found = await keysWhere(open, values);
  const told = new Set(
    found.length === 0 ? [] : await toldInserts(metadata.database, open.handle.table, found.slice(-100)),
  );
  const row = found.slice(-100).findLast((key) => !told.has(storedRowKey(key)));
  return row === undefined ? { kind: 'withdrawn' } : { kind: 'done', rowKey: row };
}

/** The keys of these rows of which an insert is recorded, as they are stored. */
async function toldInserts(
  database: Database,
  table: TableSchema,
  keys: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.read((unit) =>
    unit.all<{ row_key: string }>(
      unit
        .knex('trellis_change')
        .where({ table_id: table.id, op: 'insert', state: 'done' })
        .whereIn('row_key', keys.map(storedRowKey))
        .select('row_key'),
    ),
  );
  return rows.map((row) => row.row_key);
}

function valuesOf({ plan }: OpenTable, { after }: Change): (readonly [ColumnCodec, Binding])[] {
  return Object.entries(after ?? {}).flatMap(([id, value]) => {
    const of = plan.byId.get(id);
    return of === undefined ? [] : [[of, of.encode(value)] as const];
  });
}

/** The keys of the rows with these values; the database compares, so that every form of a value is the same value. */
async function keysWhere(
  { database, context, plan }: OpenTable,
  where: readonly (readonly [ColumnCodec, Binding])[],
): Promise<readonly string[]> {
  const { rows } = await database.read((unit) =>
    unit.rows(
      selectWhere(
        context,
        plan.key.map((of) => of.column),
        where.map(([of, value]) => [of.column, value] as const),
      ),
    ),
  );
  return rows.map((cells) => formatRowKey(plan.key.map((of, index) => of.decode(cells[index]))));
}
