import mysql from 'mysql2';
import type { ServerTarget } from '../database.ts';
import type { LockSession } from '../server/server-presence.ts';
import { connectionSettings, queryInTime } from './mysql-driver.ts';

/** Seconds for which the session may be idle: the server's maximum. */
const idle = 31_536_000;
/** Milliseconds to wait for an answer: longer than the wait for a lock. */
const patience = 7000;

const lockOf = (name: bigint) => `trellis:${BigInt.asUintN(64, name).toString(16)}`;

/** Holds named locks in a session of its own. */
export async function openMysqlLocks(target: ServerTarget): Promise<LockSession> {
  const connection = mysql.createConnection(connectionSettings(target));
  const ended = new Promise<void>((resolve) => {
    connection.on('error', () => resolve());
    connection.on('end', () => resolve());
  });
  const ask = (sql: string) => queryInTime(connection, sql, patience);
  await ask(`set session wait_timeout = ${idle}`);
  return {
    ended,
    async hold(name) {
      const { rows } = await ask(`select get_lock('${lockOf(name)}', 5)`);
      if (Number(rows[0]?.[0]) !== 1) throw new Error('The lock of this server is held by another session.');
    },
    async free(names) {
      const free: bigint[] = [];
      for (const name of names) {
        const { rows } = await ask(`select is_used_lock('${lockOf(name)}')`);
        if (rows[0]?.[0] === null) free.push(name);
      }
      return free;
    },
    async close() {
      connection.destroy();
    },
  };
}
