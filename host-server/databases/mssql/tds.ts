import { createRequire } from 'node:module';
import type * as Tedious from 'tedious';

/**
 * The protocol of SQL Server, from the `tedious` that `mssql` depends on. `mssql` itself would add its own pool; the host has one
 * already.
 */
const { resolve } = createRequire(import.meta.url);
export const { Connection, Request, TYPES } = createRequire(resolve('mssql'))('tedious') as typeof Tedious;

export type TdsConnection = Tedious.Connection & {
  /** The server's number for the connection. */
  sessionId?: number;
  /** The reason for which knex's pool should discard the connection. */
  __knex__disposed?: unknown;
  readonly socket?: { readonly bytesRead: number; readonly writableLength: number; destroy(): void };
};
