export type {
  Database,
  DatabaseTarget,
  PoolLimits,
  Query,
  ReadOptions,
  RowSet,
  ServerTarget,
  SqliteTarget,
  StreamOptions,
  TlsMaterial,
  Unit,
  UnitOptions,
  WriteOptions,
  WriteResult,
} from './database.ts';
export { DatabaseError, type DatabaseErrorDetails, type DatabaseErrorKind } from './database-error.ts';
export { parseDatabaseUrl } from './database-url.ts';
export { openDatabase, type OpenOptions } from './open-database.ts';
export { ConnectionManager, type ConnectionManagerOptions } from './connection-manager.ts';
export type { Binding } from './session.ts';
