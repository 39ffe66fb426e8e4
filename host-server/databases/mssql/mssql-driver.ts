import { dialectOf } from '../../dialects/select-dialect.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type { StatementResult } from '../../sql/session.ts';
import { toObjects } from '../bound-knex.ts';
import type { ServerTarget } from '../database.ts';
import { poolConfig } from '../server/connection-settings.ts';
import type { ServerDriver } from '../server/server-driver.ts';
import { MOMENT, SAID_OTHERWISE, SNAPSHOT, workingSql } from './host-statements.ts';
import { openConnection, poolClient } from './mssql-connections.ts';
import { MssqlCursor, runStatement } from './mssql-requests.ts';
import type { TdsConnection } from './tds.ts';

/** How long a second connection may take to open, and to answer. Milliseconds. */
const ASIDE_MS = 2000;

/** Tables are named with the schema of the target, so each target has a dialect of its own. */
export function mssqlDriver(of: ServerTarget): ServerDriver<TdsConnection> {
  return {
    dialect: dialectOf('mssql', of.schema),
    administration: 'master',
    begin: ['set transaction isolation level read committed', 'begin transaction'],
    beginSnapshot: [SNAPSHOT, 'begin transaction'],
    beginMoment: [MOMENT, 'begin transaction'],
    tableOfMoment: { before: [], after: [] },
    beginCursor: [],
    beforeSchemaChange: ['set lock_timeout 1000'],
    afterSchemaChange: ['set lock_timeout 10000'],

    knexConfig: (target) => ({
      client: poolClient(target),
      connection: {},
      ...poolConfig(target, async () => {}),
    }),

    execute: (connection, sql, bindings) => runStatement(connection, SAID_OTHERWISE[sql] ?? sql, bindings),

    async openCursor(connection, sql, bindings, batch) {
      return new MssqlCursor(connection, sql, bindings, batch);
    },

    async cancel(_target, connection) {
      // The protocol has a message for it, which the connection itself carries.
      connection.cancel();
    },

    async isWorking(target, connection) {
      const { rows } = await askAside(target, workingSql(Number(connection.sessionId)));
      const [seesAll, working] = rows[0] ?? [];
      // A login that may not see other connections cannot tell, so the work counts as running.
      return Number(seesAll) !== 1 || Number(working) > 0;
    },

    traffic: ({ socket }) => ({
      received: socket?.bytesRead ?? 0,
      unsent: socket?.writableLength ?? 0,
    }),

    destroy(connection) {
      connection.__knex__disposed = new Error('Closed after a statement that did not end');
      connection.socket?.destroy();
      connection.close();
    },

    respond(queryObject, result) {
      queryObject.response = toObjects(result).map((row) =>
        Object.entries(row).map(([colName, value]) => ({ metadata: { colName }, value })),
      );
    },
  };
}

/** Asks something by way of a second connection. */
async function askAside(target: ServerTarget, sql: string): Promise<StatementResult> {
  const second = await openConnection(target, ASIDE_MS);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseError('unreachable')), ASIDE_MS);
  });
  try {
    return await Promise.race([runStatement(second, sql, []), late]);
  } finally {
    clearTimeout(timer);
    second.close();
  }
}
