/**
 * Prints the cost of pages of linked rows and of groups of rows, compared with a bare server that uses handwritten SQL on the same
 * database. It has no limits.
 *
 *   npm run bench:linked -- [--quick] [--rows=1000000] [--profile] [--database=postgres] [--only=<part of a scenario's name>]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresAt, sqliteIn, type BenchDatabase } from './bench-database.ts';
import { linkedScenarios } from './linked-scenarios.ts';
import { fillingLinked, makeLinkedTables } from './linked-tables.ts';
import { send } from './load.ts';
import { isProfiling, measureScenarios, postgresUrl, print, product, sizes, whole } from './measure.ts';
import { startServer } from './server-process.ts';

const root = process.cwd();

async function measureSize(rows: number, dataDir: string, database: BenchDatabase): Promise<void> {
  const env = { PORT: '0', TRELLIS_DATA_DIR: dataDir, TRELLIS_LOG_LEVEL: 'warn', ...database.env };
  const first = await startServer(product, env);
  const agent = new Agent({ keepAlive: true });
  const headers: Record<string, string> = {};
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> =>
    JSON.parse(await send({ port: first.port, headers }, agent, { method, path, body }));
  const account = { email: 'bench@example.com', password: 'a long enough password 1' };
  const { token } = (await ask('POST', '/api/v1/auth/user/signup', account)) as { readonly token: string };
  headers['xc-auth'] = token;
  const tables = await makeLinkedTables(ask);
  agent.destroy();
  await first.stop();
  await database.execute(fillingLinked(tables.names, rows));
  const copy = await database.copy();

  const preload = isProfiling ? ['--import', join(root, 'tests/bench/profiler.mjs')] : [];
  const started = await startServer([...preload, ...product], env);
  const bare = await startServer([
    join(root, 'tests/run-typescript.mjs'),
    join(root, 'tests/bench/bare-linked.ts'),
    copy,
    JSON.stringify(tables.names),
  ]);
  try {
    print(`\n${whole(rows)} orders with 3 links, 2 lookups, 2 rollups and 1 formula`);
    await measureScenarios({ product: started, bare, headers, database }, linkedScenarios(tables));
  } finally {
    await Promise.all([started.stop(), bare.stop()]);
  }
}

for (const rows of sizes) {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
  const database = postgresUrl === undefined ? sqliteIn(folder) : await postgresAt(postgresUrl);
  try {
    await measureSize(rows, folder, database);
  } finally {
    await database.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
