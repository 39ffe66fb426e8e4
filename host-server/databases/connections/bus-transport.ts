import type { BusTransport } from '@trellis/sdk/server';
import type { DatabaseTarget } from '../database.ts';

/** The transport by which servers on this database send messages through it; undefined if the database has no means for that. */
export async function busTransportOf(target: DatabaseTarget): Promise<BusTransport | undefined> {
  if (target.kind !== 'postgres') return undefined;
  const { createPostgresBus } = await import('../postgres/postgres-bus.ts');
  return createPostgresBus(target);
}
