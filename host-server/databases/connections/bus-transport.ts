import type { BusTransport } from '@trellis/sdk/server';
import type { DatabaseTarget } from '../database.ts';

/** How servers on this database reach each other through it; undefined for a database that has no way to tell them. */
export async function busTransportOf(target: DatabaseTarget): Promise<BusTransport | undefined> {
  if (target.kind !== 'postgres') return undefined;
  const { createPostgresBus } = await import('../postgres/postgres-bus.ts');
  return createPostgresBus(target);
}
