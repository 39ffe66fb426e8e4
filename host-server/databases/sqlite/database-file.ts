import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseError } from '../../sql/database-error.ts';
import type { SqliteTarget } from '../database.ts';

/** The file's real path. Refuses URIs and in-memory names, which SQLite would parse itself. */
export async function existingFile({ file, create }: SqliteTarget): Promise<string> {
  if (file === '' || file.startsWith(':') || /^file:/i.test(file) || file.includes('\0')) {
    throw new TypeError('A SQLite database is a file path; URIs and in-memory databases are not supported');
  }
  const path = resolve(file);
  try {
    if (create === true) await createFile(path);
    return await realpath(path);
  } catch (error) {
    throw new DatabaseError('unreachable', { cause: error });
  }
}

/** Creates the file, and its folder, if missing; no other user of the machine may read it. */
async function createFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await (await open(path, 'a', 0o600)).close();
}
