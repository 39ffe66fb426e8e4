import { MYSQL_DRIVER } from '../mysql/mysql-driver.ts';
import { POSTGRES_DRIVER } from '../postgres/postgres-driver.ts';
import type { Database, ServerTarget } from '../database.ts';
import { ServerDatabase } from './server-database.ts';

/** Opens the pool and makes sure that the server answers. */
export async function openServerDatabase(name: string, target: ServerTarget): Promise<Database> {
  const database: Database =
    target.kind === 'postgres'
      ? new ServerDatabase(name, target, POSTGRES_DRIVER)
      : new ServerDatabase(name, target, MYSQL_DRIVER);
  try {
    await database.ping();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
