import SqliteFile from 'better-sqlite3';

/**
 * Whether a file is written with a rollback journal, as most other applications have it, and not with the write-ahead log. False where
 * that cannot be read: whoever opens the file next learns why.
 *
 * SQLite itself is asked: whoever opens a database file by other means and closes it again drops all locks that this process holds on
 * it, and other applications then take the file for theirs alone.
 */
export function hasRollbackJournal(file: string): boolean {
  let database: SqliteFile.Database | undefined;
  try {
    database = new SqliteFile(file, { readonly: true, fileMustExist: true, timeout: 1000 });
    return database.pragma('journal_mode', { simple: true }) !== 'wal';
  } catch {
    return false;
  } finally {
    database?.close();
  }
}
