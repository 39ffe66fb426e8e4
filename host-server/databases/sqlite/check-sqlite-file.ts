import { rm } from 'node:fs/promises';
import { dialectOf } from '../../dialects/select-dialect.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/** The endings of the files that SQLite keeps beside a database file. */
export const besideFile = ['-wal', '-shm', '-journal'] as const;

/** Removes a database file and the files beside it, as far as they exist. */
export async function removeSqliteFile(file: string): Promise<void> {
  for (const ending of ['', ...besideFile]) await rm(file + ending, { force: true });
}

/**
 * Reads every page and index of a file that nobody else has open, in a separate thread. Does not change the file.
 *
 * @throws DatabaseError `notADatabase`, `damaged`, or another error of SQLite; `cancelled` when the signal aborts.
 */
export async function checkSqliteFile(file: string, signal?: AbortSignal): Promise<void> {
  let connection: SqliteConnection | undefined;
  const abandon = () => void connection?.abandon().catch(() => undefined);
  try {
    connection = await SqliteConnection.open({ file, role: 'reader', create: false, readOnly: true });
    if (signal?.aborted === true) throw new DatabaseError('cancelled');
    signal?.addEventListener('abort', abandon);
    const { rows } = await connection.execute('pragma integrity_check');
    if (rows[0]?.[0] !== 'ok') throw new DatabaseError('damaged');
  } catch (error) {
    throw dialectOf('sqlite').errors.toDatabaseError(error);
  } finally {
    signal?.removeEventListener('abort', abandon);
    await connection?.close();
    // Reading a file with a write-ahead log creates them; they are empty.
    for (const ending of besideFile) await rm(file + ending, { force: true });
  }
}
