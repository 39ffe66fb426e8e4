import type { Database, OpenOptions, ServerTarget } from '../database.ts';
import { ServerDatabase } from './server-database.ts';

/** The drivers are loaded when a server is first connected to: an installation on SQLite starts without them. */
async function serverDatabase(options: OpenOptions, target: ServerTarget): Promise<Database> {
  if (target.kind === 'postgres') {
    const { POSTGRES_DRIVER } = await import('../postgres/postgres-driver.ts');
    return new ServerDatabase(options, target, POSTGRES_DRIVER);
  }
  const { MYSQL_DRIVER } = await import('../mysql/mysql-driver.ts');
  return new ServerDatabase(options, target, MYSQL_DRIVER);
}

/** Opens the pool and makes sure that the server answers. */
export async function openServerDatabase(options: OpenOptions, target: ServerTarget): Promise<Database> {
  const database = await serverDatabase(options, target);
  try {
    await database.ping();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
