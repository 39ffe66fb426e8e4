import type { PluginDatabase } from '@trellis/sdk/server';
import type { DeliveryState } from '../shared/index.ts';
import type { Stored } from './delivery-rows.ts';
import type { Hook } from './hook-store.ts';

/** The last message of a webhook, where it did not arrive and none has since. */
export interface HookFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined;
  readonly error: string;
}

/** Those of some webhooks whose last messages did not arrive, by their ids. */
export async function failuresOf(
  db: PluginDatabase,
  hooks: readonly Pick<Hook, 'id' | 'failures'>[],
): Promise<ReadonlyMap<string, HookFailure>> {
  const found = new Map<string, HookFailure>();
  await db.read(async (unit) => {
    for (const { id, failures } of hooks) {
      // By the place of its event, as the index has them.
      const tried = (state: DeliveryState, order: 'asc' | 'desc') =>
        unit.first<Stored>(
          unit
            .table('delivery')
            .where({ hook_id: id, state })
            .whereNotNull('tried_at')
            .orderBy('seq', order)
            .limit(1)
            .select('tried_at', 'status', 'error'),
        );
      const arrived = Number((await tried('done', 'desc'))?.tried_at ?? 0);
      const given = toFailure(await tried('failed', 'desc'));
      // Of what waits the oldest is tried first, and much may be behind it.
      const waits = failures === 0 ? undefined : toFailure(await tried('waiting', 'asc'));
      const last = waits === undefined || (given?.at ?? 0) > waits.at ? given : waits;
      if (last !== undefined && (failures > 0 || last.at > arrived)) found.set(id, last);
    }
  });
  return found;
}

function toFailure(row: Stored | undefined): HookFailure | undefined {
  if (typeof row?.error !== 'string') return undefined;
  const { tried_at: at, status, error } = row;
  return { at: Number(at), status: status === null ? undefined : Number(status), error };
}
