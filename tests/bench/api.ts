/**
 * Prints the data API's requests per second, compared with a bare server with the same rows on the same database. It has no limits:
 * figures of one machine say little about another; the ratios say more.
 *
 *   npm run bench -- [--quick] [--rows=1000000] [--profile] [--database=postgres] [--only=<part of a scenario's name>]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { postgresAt, sqliteIn, type BenchDatabase } from './bench-database.ts';
import { send, type Call, type Target } from './load.ts';
import {
  clients,
  isProfiling,
  measureScenarios,
  postgresUrl,
  print,
  product,
  sizes,
  whole,
} from './measure.ts';
import { columns } from './rows.ts';
import { scenarios } from './scenarios.ts';
import { startServer, type ServerProcess } from './server-process.ts';

interface Place {
  readonly rows: number;
  readonly tableId: string;
  readonly tableName: string;
}

interface Seeded {
  readonly projectId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tables: readonly Place[];
}

const run = promisify(execFile);
const root = process.cwd();
const secondsOfRest = 25;

/** Creates an account, a project and the tables through the API. */
async function seed(server: ServerProcess): Promise<Seeded> {
  const agent = new Agent({ keepAlive: true });
  const ask = async (call: Call, headers: Target['headers'] = {}): Promise<Record<string, string>> =>
    JSON.parse(await send({ port: server.port, headers }, agent, call)) as Record<string, string>;
  try {
    const body = { email: 'bench@example.com', password: 'a long enough password 1' };
    const { token = '' } = await ask({ method: 'POST', path: '/api/v1/auth/user/signup', body });
    const headers = { 'xc-auth': token };
    const projects = '/api/v1/db/meta/projects';
    const { id = '' } = await ask({ method: 'POST', path: projects, body: { title: 'Bench' } }, headers);
    const tables: Place[] = [];
    for (const rows of sizes) {
      const path = `${projects}/${id}/tables`;
      const table = await ask({ method: 'POST', path, body: { title: `Rows ${rows}`, columns } }, headers);
      tables.push({ rows, tableId: table.id ?? '', tableName: table.table_name ?? '' });
    }
    return { projectId: id, headers, tables };
  } finally {
    agent.destroy();
  }
}

async function main(dataDir: string, database: BenchDatabase): Promise<void> {
  const env = { PORT: '0', TRELLIS_DATA_DIR: dataDir, TRELLIS_LOG_LEVEL: 'warn', ...database.env };
  await run(process.execPath, [join(root, 'host-server/build/build-command.mjs')], { cwd: root });
  const first = await startServer(product, env);
  const seeded = await seed(first);
  await first.stop();
  for (const { tableName, rows } of seeded.tables) await database.fill(tableName, rows);
  const copy = await database.copy();

  const preload = isProfiling ? ['--import', join(root, 'tests/bench/profiler.mjs')] : [];
  const started = await startServer([...preload, ...product], env);
  const pairs = seeded.tables.map(({ tableId, tableName }) => `${tableId}=${tableName}`);
  const bare = await startServer([
    join(root, 'tests/run-typescript.mjs'),
    join(root, 'tests/bench/bare-server.ts'),
    copy,
    ...pairs,
  ]);
  try {
    const early = await started.memory();
    // Within some seconds of rest, the start's garbage is collected and unneeded threads end.
    await setTimeout(secondsOfRest * 1000);
    const rested = await started.memory();
    print(
      `Listens after ${whole(started.startedIn)} ms with ${whole(early)} MB, at rest with ${whole(rested)} MB`,
    );
    for (const { rows, tableId } of seeded.tables) {
      print(`\n${whole(rows)} rows, ${columns.length} columns, ${clients} clients`);
      const servers = { product: started, bare, headers: seeded.headers, database };
      await measureScenarios(servers, scenarios(seeded.projectId, tableId, rows));
    }
    print(
      `\nResident after all of it: ${whole(await started.memory())} MB, bare ${whole(await bare.memory())} MB`,
    );
  } finally {
    await Promise.all([started.stop(), bare.stop()]);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
const database = postgresUrl === undefined ? sqliteIn(folder) : await postgresAt(postgresUrl);
try {
  await main(folder, database);
} finally {
  await database.dispose();
  await rm(folder, { recursive: true, force: true });
}
