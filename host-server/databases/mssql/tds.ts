import { createRequire } from 'node:module';
import type * as Tedious from 'tedious';

/**
 * The protocol of SQL Server. `mssql` brings it along and puts a pool of its own round it; here the host's own pool lends
 * connections, so only what is below is taken, as `mssql` itself finds it.
 */
const { resolve } = createRequire(import.meta.url);
export const { Connection, Request, TYPES } = createRequire(resolve('mssql'))('tedious') as typeof Tedious;

export type TdsConnection = Tedious.Connection & {
  /** The number by which the server knows the connection. */
  sessionId?: number;
  /** Why knex's pool is to give the connection up. */
  __knex__disposed?: unknown;
  readonly socket?: { readonly bytesRead: number; readonly writableLength: number; destroy(): void };
};
