export type {
  Database,
  DatabaseTarget,
  PoolLimits,
  ReadOptions,
  ServerTarget,
  SqliteTarget,
  StreamOptions,
  TlsMaterial,
  UnitOptions,
  WriteOptions,
} from './database.ts';
export type { Query, RowSet, Unit, WriteResult } from '../sql/unit.ts';
export { DatabaseError, type DatabaseErrorDetails, type DatabaseErrorKind } from '../sql/database-error.ts';
export { parseDatabaseUrl } from './connections/database-url.ts';
export { busTransportOf } from './connections/bus-transport.ts';
export { openDatabase, type OpenOptions } from './connections/open-database.ts';
export { ConnectionManager, type ConnectionManagerOptions } from './connections/connection-manager.ts';
export type { Binding } from '../sql/session.ts';
