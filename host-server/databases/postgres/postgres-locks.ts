import type { ServerTarget } from '../database.ts';
import { inTime } from '../server/in-time.ts';
import type { LockSession } from '../server/server-presence.ts';
import { loneClient, takeLeave } from './postgres-driver.ts';

/** Milliseconds to wait for an answer. */
const patience = 5000;

/** `pg_locks` lists an advisory lock of a 64-bit name as two halves, with `objsubid` 1 (PostgreSQL documentation, pg_locks). */
const FREE =
  'select name from unnest($1::bigint[]) as name where not exists (select 1 from pg_locks ' +
  "where locktype = 'advisory' and granted and objsubid = 1 " +
  'and database = (select oid from pg_database where datname = current_database()) ' +
  'and (classid::bigint << 32) | objid::bigint = name)';

/** Holds advisory locks in a separate session. */
export async function openPostgresLocks(target: ServerTarget): Promise<LockSession> {
  const client = loneClient(target, {
    application_name: 'trellis presence',
    keepAlive: true,
  });
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  await client.connect();
  return {
    ended,
    async hold(name) {
      await inTime(client.query('select pg_advisory_lock($1)', [String(name)]), patience);
    },
    async free(names) {
      const asked = client.query<{ readonly name: string }>(FREE, [names.map(String)]);
      const { rows } = await inTime(asked, patience);
      return rows.map((row) => BigInt(row.name));
    },
    close: () => takeLeave(client),
  };
}
