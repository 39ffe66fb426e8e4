import { statSync } from 'node:fs';
import SqliteFile, { type Database } from 'better-sqlite3';
import { registerFunctions } from './sqlite-functions.ts';
import type { WorkerSettings } from './worker-protocol.ts';

/**
 * The page cache of a connection in kilobytes; the driver's default is 16,000. Each of up to ten connections has its own, and a
 * page that must be read again comes from the system's memory in a microsecond.
 */
const CACHE_KB = { reader: 2000, writer: 8000 } as const;
/** Files up to this size are checked page by page when they are opened; larger ones only by their header and schema. */
const FULL_CHECK_BYTES = 32 * 1024 * 1024;

/** @param busyMs milliseconds that a statement waits for another process's lock */
export function openFile({ file, role, create, readOnly }: WorkerSettings, busyMs: number): Database {
  const database = new SqliteFile(file, { readonly: readOnly, fileMustExist: !create, timeout: busyMs });
  database.pragma('trusted_schema = off');
  database.pragma('cell_size_check = on');
  database.pragma(`cache_size = -${CACHE_KB[role]}`);
  registerFunctions(database);
  if (role === 'reader') {
    database.pragma('query_only = on');
    return database;
  }
  if (
    statSync(file).size <= FULL_CHECK_BYTES &&
    database.pragma('quick_check(1)', { simple: true }) !== 'ok'
  ) {
    throw Object.assign(new Error('The quick check found damaged pages'), { code: 'SQLITE_CORRUPT' });
  }
  if (!readOnly) {
    beginWriteAheadLog(database);
    database.pragma('synchronous = full');
    database.pragma('journal_size_limit = 67108864');
    database.pragma('foreign_keys = on');
  }
  return database;
}

/** While another process reads a file, it keeps its rollback journal. */
function beginWriteAheadLog(database: Database): void {
  try {
    database.pragma('journal_mode = wal');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('SQLITE_BUSY') !== true) throw error;
  }
}
