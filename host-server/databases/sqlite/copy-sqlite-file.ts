/** Copies a SQLite database into a new file while others use it: the copy is a consistent snapshot. Overwrites an existing file. */
export async function copySqliteFile(from: string, to: string): Promise<void> {
  const { default: SqliteFile } = await import('better-sqlite3');
  const database = new SqliteFile(from, { readonly: true, fileMustExist: true });
  try {
    await database.backup(to);
  } finally {
    database.close();
  }
}
