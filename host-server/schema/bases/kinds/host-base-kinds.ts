import type { BaseKind } from '@trellis/sdk/server';
import { mssqlServer } from './mssql-server.ts';
import { mysqlServer } from './mysql-server.ts';
import { postgresServer } from './postgres-server.ts';
import { sqliteFile } from './sqlite-file.ts';

/** The kinds of databases that the host itself can open. */
export const hostBaseKinds: readonly BaseKind[] = [postgresServer, mysqlServer, sqliteFile, mssqlServer];
