/**
 * Copies a SQLite database into a new file while others work on it: the copy is the state of one moment. A file that is
 * there already is overwritten.
 */
export async function copySqliteFile(from: string, to: string): Promise<void> {
  const { default: SqliteFile } = await import('better-sqlite3');
  const database = new SqliteFile(from, { readonly: true, fileMustExist: true });
  try {
    await database.backup(to);
  } finally {
    database.close();
  }
}
