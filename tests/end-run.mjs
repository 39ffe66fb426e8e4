import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';

/** Removes what this run's files shared: databases on servers, and the folder with their names. */
export default async function endRun() {
  const folder = process.env.TRELLIS_TEST_RUN;
  const names = await readdir(folder);
  const templates = names.filter((name) => name.endsWith('.postgres'));
  if (templates.length > 0) {
    const address = process.env.TRELLIS_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    for (const name of templates) {
      await client.query(`drop database ${await readFile(join(folder, name), 'utf8')} with (force)`);
    }
    await client.end();
  }
  const pools = names.filter((name) => name.endsWith('.mysql-databases'));
  if (pools.length > 0) {
    const connection = await mysql.createConnection(
      process.env.TRELLIS_TEST_MYSQL ?? 'mysql://root@127.0.0.1:3306/',
    );
    for (const pool of pools) {
      for (const name of await readdir(join(folder, pool))) await connection.query(`drop database ${name}`);
    }
    await connection.end();
  }
  await rm(folder, { recursive: true });
}
