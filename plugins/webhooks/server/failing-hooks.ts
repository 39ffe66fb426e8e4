import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { DeliveryState } from '../shared/index.ts';
import type { Stored } from './delivery-rows.ts';
import type { Hook } from './hook-store.ts';

/** Knex has it, and does not declare it. */
interface ComparesColumns {
  whereColumn(one: string, other: string): ReturnType<PluginUnit['table']>;
}

/** The last message of a webhook, where it did not arrive and none has since. */
export interface HookFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined;
  readonly error: string;
}

/** Those of some webhooks whose last messages did not arrive, by their ids: two questions, however many webhooks they are. */
export async function failuresOf(
  db: PluginDatabase,
  hooks: readonly Pick<Hook, 'id' | 'failures'>[],
): Promise<ReadonlyMap<string, HookFailure>> {
  if (hooks.length === 0) return new Map();
  const tried = await db.read((unit) =>
    lastTries(
      unit,
      hooks.map(({ id }) => id),
    ),
  );
  const found = new Map<string, HookFailure>();
  for (const { id, failures } of hooks) {
    const { done, failed, waiting } = tried.get(id) ?? {};
    const arrived = Number(done?.tried_at ?? 0);
    const given = toFailure(failed);
    const waits = toFailure(waiting);
    const last = waits === undefined || (given?.at ?? 0) > waits.at ? given : waits;
    if (last !== undefined && (failures > 0 || last.at > arrived)) found.set(id, last);
  }
  return found;
}

/** The newest message that arrived and that was given up, and the oldest that is tried again and again, by the ids of webhooks. */
async function lastTries(
  unit: PluginUnit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Partial<Record<DeliveryState, Stored>>>> {
  /** By the place of its event, as the index has them. */
  const tried = (state: DeliveryState, order: 'asc' | 'desc') =>
    (unit.table('delivery') as unknown as ComparesColumns)
      // Deliveries have no `id`: it is that of the webhook around it, as are its `failures`.
      .whereColumn('hook_id', 'id')
      .andWhere({ state })
      .whereNotNull('tried_at')
      .orderBy('seq', order)
      .limit(1)
      .select('event_id');
  const events = await unit.all<Stored>(
    unit
      .table('hook')
      .whereIn('id', [...ids])
      .select([
        'id',
        tried('done', 'desc').as('done'),
        tried('failed', 'desc').as('failed'),
        // Of what waits the oldest is tried first, and much may be behind it.
        tried('waiting', 'asc').andWhere('failures', '>', 0).as('waiting'),
      ]),
  );
  const named = events.flatMap(({ id, done, failed, waiting }) =>
    [done, failed, waiting].filter((event) => event !== null).map((event) => [String(id), String(event)]),
  );
  if (named.length === 0) return new Map();
  const rows = await unit.all<Stored>(
    unit
      .table('delivery')
      .whereIn(['hook_id', 'event_id'], named)
      .select('hook_id', 'state', 'tried_at', 'status', 'error'),
  );
  const found = new Map<string, Partial<Record<DeliveryState, Stored>>>();
  for (const row of rows) {
    const id = String(row.hook_id);
    found.set(id, { ...found.get(id), [String(row.state)]: row });
  }
  return found;
}

function toFailure(row: Stored | undefined): HookFailure | undefined {
  if (typeof row?.error !== 'string') return undefined;
  const { tried_at: at, status, error } = row;
  return { at: Number(at), status: status === null ? undefined : Number(status), error };
}
