export type { Database, DatabaseTarget, ServerTarget, SqliteTarget } from './database.ts';
export { DatabaseError } from '../sql/database-error.ts';
export { parseDatabaseUrl } from './connections/database-url.ts';
export { busTransportOf } from './connections/bus-transport.ts';
export { besideFile, checkSqliteFile, removeSqliteFile } from './sqlite/check-sqlite-file.ts';
export { openDatabase } from './connections/open-database.ts';
export { ConnectionManager } from './connections/connection-manager.ts';
export { insideUnitOf } from './units/unit-guard.ts';
