import type { Database, DatabaseTarget, OpenOptions } from '../database.ts';
import { openServerDatabase } from '../server/open-server-database.ts';
import { SqliteDatabase } from '../sqlite/sqlite-database.ts';

/** Opens a database and checks that it answers; rejects with a `DatabaseError` if that fails. */
export async function openDatabase(target: DatabaseTarget, options: OpenOptions): Promise<Database> {
  return target.kind === 'sqlite'
    ? SqliteDatabase.open(options.name, target)
    : openServerDatabase(options, target);
}
