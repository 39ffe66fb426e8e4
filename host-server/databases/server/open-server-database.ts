import { DatabaseError } from '../../sql/database-error.ts';
import type { Database, OpenOptions, ServerTarget } from '../database.ts';
import { ServerDatabase } from './server-database.ts';

/** A database on a server, and the name of the one from which others are created there. */
interface OnServer {
  readonly database: Database;
  readonly administration: string;
}

/** The drivers are loaded when a server is first connected to, so an installation on SQLite starts without them. */
async function onServer(options: OpenOptions, target: ServerTarget): Promise<OnServer> {
  if (target.kind === 'postgres') {
    const { POSTGRES_DRIVER: driver } = await import('../postgres/postgres-driver.ts');
    const { administration } = driver;
    return { database: new ServerDatabase(options, target, driver), administration };
  }
  if (target.kind === 'mssql') {
    const { mssqlDriver } = await import('../mssql/mssql-driver.ts');
    const driver = mssqlDriver(target);
    return { database: new ServerDatabase(options, target, driver), administration: driver.administration };
  }
  const { MYSQL_DRIVER: driver } = await import('../mysql/mysql-driver.ts');
  return {
    database: new ServerDatabase(options, target, driver),
    administration: driver.administration,
  };
}

/**
 * Opens the pool and checks that the server answers and that the database has the target's schema: without the schema, every table
 * would look dropped.
 */
export async function openServerDatabase(options: OpenOptions, target: ServerTarget): Promise<Database> {
  const { database } = await onServer(options, target);
  try {
    if (!(await hasSchema(database, target)))
      throw new DatabaseError('unreachable', { code: 'SCHEMA_MISSING' });
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Sends a query in any case. */
async function hasSchema(database: Database, { schema }: ServerTarget): Promise<boolean> {
  const { introspection } = database.dialect;
  if (schema !== undefined && introspection.hasSchema)
    return database.read(async (unit) => (await introspection.hasSchema?.(unit, schema)) === true);
  await database.ping();
  return true;
}

/** Creates the database that `target` names and its schema, unless they exist. Rejects if the user lacks the right. */
export async function createDatabase(target: ServerTarget): Promise<void> {
  await createWithoutSchema(target);
  const { schema, ...whole } = target;
  if (schema === undefined) return;
  const database = await openServerDatabase({ name: 'create schema' }, whole);
  try {
    if (await hasSchema(database, target)) return;
    const name = database.dialect.identifiers.quote(schema);
    await unlessThere(
      () => database.write((unit) => unit.run({ sql: `create schema ${name}`, bindings: [] })),
      () => hasSchema(database, target),
    );
  } finally {
    await database.close();
  }
}

async function createWithoutSchema(target: ServerTarget): Promise<void> {
  const options = { name: 'create database' };
  const { database: there, administration } = await onServer(options, target);
  try {
    if (await answers(there)) return;
    await unlessThere(
      () => createOn(target, administration, options),
      () => answers(there),
    );
  } finally {
    await there.close();
  }
}

/** Whether the server has the database. Rejects if that cannot be determined. */
async function answers(database: Database): Promise<boolean> {
  try {
    await database.ping();
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 'DATABASE_MISSING') return false;
    throw error;
  }
}

/**
 * Creates something that another process may be creating at the same time: a failure counts only if it does not exist afterwards.
 */
async function unlessThere(make: () => Promise<unknown>, isThere: () => Promise<boolean>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!(await isThere().catch(() => false))) throw error;
  }
}

async function createOn(target: ServerTarget, administration: string, options: OpenOptions): Promise<void> {
  const server = await openServerDatabase(options, {
    ...target,
    database: administration,
    schema: undefined,
  });
  try {
    const name = server.dialect.identifiers.quote(target.database);
    // Not a write unit: PostgreSQL creates no databases within a transaction.
    await server.read((unit) => unit.run({ sql: `create database ${name}`, bindings: [] }));
  } finally {
    await server.close();
  }
}
