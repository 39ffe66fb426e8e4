import SqliteFile from 'better-sqlite3';

/**
 * Whether a file uses a rollback journal, as with most other applications, and not the write-ahead log. False if that cannot be
 * read: the next one to open the file gets the error.
 *
 * It asks SQLite: opening and closing a database file by other means drops all locks of this process on it, and other applications
 * could then lock the file exclusively.
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
