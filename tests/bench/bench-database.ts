import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import pg from 'pg';
import { cellsOf, fill, written } from './rows.ts';
import { secondsComputed } from './server-process.ts';

/** The database of the product's metadata and rows in the benchmark; the bare server gets a copy of it. */
export interface BenchDatabase {
  /** The product's settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Adds rows 1 to `count` directly; no server may be running. */
  fill(table: string, count: number): Promise<void>;
  /** Runs statements in which `numbers(n)` stands for rows with one column `n`, from 1 to n; no server may be running. */
  execute(statements: readonly string[]): Promise<void>;
  /** Copies everything and returns the copy's place in the form that `bare-server.ts` takes; no server may be running. */
  copy(): Promise<string>;
  /** Processor seconds of the database's own processes, for the product and the bare server. */
  computed(): Promise<number>;
  dispose(): Promise<void>;
}

export function sqliteIn(folder: string): BenchDatabase {
  const file = join(folder, 'trellis.db');
  return {
    env: {},
    fill: async (table, count) => fill(file, table, count),
    async execute(statements) {
      const database = new SqliteFile(file);
      try {
        database.pragma('synchronous = off');
        for (const statement of statements)
          database.exec(
            statement.replace(
              /numbers\((\d+)\)/,
              '(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < $1) select n from numbers) as numbers',
            ),
          );
        database.pragma('wal_checkpoint(truncate)');
      } finally {
        database.close();
      }
    },
    async copy() {
      const copied = join(folder, 'bare.db');
      await copyFile(file, copied);
      return copied;
    },
    // The servers' threads do its work.
    computed: async () => 0,
    async dispose() {},
  };
}

const rowsAtOnce = 10_000;

/** Two separate databases on the tests' server. */
export async function postgresAt(server: string): Promise<BenchDatabase> {
  const name = `trellis_bench_${process.pid}`;
  const urlOf = (database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const run = async (url: string, work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  await run(server, (client) => client.query(`create database ${name}`));
  return {
    env: { TRELLIS_DB: urlOf(name) },
    fill: (table, count) =>
      run(urlOf(name), async (client) => {
        const names = ['id', ...written.map((column) => column.column_name)].map((column) => `"${column}"`);
        const sql = `insert into "${table}" (${names.join(', ')}) select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::numeric[], $6::date[], $7::boolean[])`;
        for (let first = 1; first <= count; first += rowsAtOnce) {
          const numbers = Array.from(
            { length: Math.min(rowsAtOnce, count - first + 1) },
            (_, at) => first + at,
          );
          const rows = numbers.map(cellsOf);
          await client.query(sql, [numbers, ...written.map(({ title }) => rows.map((row) => row[title]))]);
        }
        await client.query(`select setval(pg_get_serial_sequence('"${table}"', 'id'), $1)`, [count]);
        await client.query(`vacuum analyze "${table}"`);
      }),
    execute: (statements) =>
      run(urlOf(name), async (client) => {
        for (const statement of statements)
          await client.query(statement.replace(/numbers\((\d+)\)/, 'generate_series(1, $1) as numbers(n)'));
        await client.query('vacuum analyze');
      }),
    async copy() {
      await run(server, (client) => client.query(`create database ${name}_bare template ${name}`));
      return urlOf(`${name}_bare`);
    },
    async computed() {
      // The process ids of a remote server are meaningless here.
      if (!['127.0.0.1', 'localhost'].includes(new URL(server).hostname)) return 0;
      let seconds = 0;
      await run(server, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          'select pid from pg_stat_activity where datname = any($1)',
          [[name, `${name}_bare`]],
        );
        for (const { pid } of rows) seconds += await secondsComputed(pid);
      });
      return seconds;
    },
    dispose: () =>
      run(server, async (client) => {
        for (const database of [name, `${name}_bare`])
          await client.query(`drop database if exists ${database} with (force)`);
      }),
  };
}
