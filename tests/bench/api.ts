/**
 * Prints what the data API does per second, beside a bare server over the same rows on the same database. It judges
 * nothing: figures of one machine say little about another, the ratios say more.
 *
 *   npm run bench -- [--quick] [--profile] [--database=postgres] [--only=<part of a scenario's name>]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresAt, sqliteIn, type BenchDatabase } from './bench-database.ts';
import { load, send, type Call, type Figures, type Target } from './load.ts';
import { spentIn, type Profile, type Share } from './profile.ts';
import { columns } from './rows.ts';
import { scenarios, type Scenario } from './scenarios.ts';
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
const options = process.argv.slice(2);
const isProfiling = options.includes('--profile');
const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length) ?? '';
const sizes = options.includes('--quick') ? [100_000] : [100_000, 1_000_000];
const isOnPostgres = options.includes('--database=postgres');
/** The server of the tests. */
const postgresUrl = process.env.TRELLIS_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const concurrency = 10;
const seconds = 4;
const product = join(root, 'dist/server/main.mjs');

const print = (line = ''): void => void process.stdout.write(`${line}\n`);
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const time = (value: number): string => (value < 100 ? value.toFixed(1) : whole(value));

/** Makes an account, a project and the tables through the API. */
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

interface Measured extends Figures {
  /** Microseconds that all threads of the server computed per request: steadier than its speed on a busy machine. */
  readonly cpu: number;
}

/** Measures one scenario; the first requests, which compile code and fill caches, are not counted. */
async function measure(
  server: ServerProcess,
  headers: Target['headers'],
  { call, requests }: Scenario,
): Promise<Measured> {
  const target = { port: server.port, headers };
  await load(target, (index) => call(requests + index), { concurrency, requests: requests / 10, seconds: 1 });
  const before = await server.computed();
  const figures = await load(target, call, { concurrency, requests, seconds });
  return { ...figures, cpu: (((await server.computed()) - before) * 1e6) / figures.requests };
}

const row = (...[name = '', ...cells]: readonly string[]): void =>
  print(name.padEnd(20) + cells.map((cell) => cell.padStart(11)).join(''));

const shares = (of: readonly Share[], requests: number, count: number): string =>
  of
    .slice(0, count)
    .map(({ name, time: spent }) => `${name} ${((spent * 1000) / requests).toFixed(0)}`)
    .join(', ');

async function measureTable(
  { projectId, headers }: Seeded,
  { rows, tableId }: Place,
  servers: { readonly product: ServerProcess; readonly bare: ServerProcess },
): Promise<void> {
  print(`\n${whole(rows)} rows, ${columns.length} columns, ${concurrency} clients`);
  row('', 'req/s', 'p50 ms', 'p95 ms', 'CPU us', 'bare req/s', 'p50 ms', 'p95 ms', 'CPU us', 'ratio');
  for (const scenario of scenarios(projectId, tableId, rows)) {
    if (!scenario.name.includes(only)) continue;
    const bare = await measure(servers.bare, {}, scenario);
    if (isProfiling) await servers.product.ask('start');
    const ours = await measure(servers.product, headers, scenario);
    const cells = [ours, bare].flatMap(({ perSecond, p50, p95, cpu }) => [
      whole(perSecond),
      time(p50),
      time(p95),
      whole(cpu),
    ]);
    row(scenario.name, ...cells, (ours.perSecond / bare.perSecond).toFixed(2));
    if (!isProfiling) continue;
    const spent = spentIn((await servers.product.ask('stop')) as Profile);
    const requests = ours.requests;
    print(`  main thread busy ${whole((spent.busy / (spent.busy + spent.idle)) * 100)} %; us per request:`);
    print(`  by part: ${shares(spent.areas, requests, 14)}`);
    print(`  by function: ${shares(spent.functions, requests, 24)}`);
  }
}

async function main(dataDir: string, database: BenchDatabase): Promise<void> {
  const env = { PORT: '0', TRELLIS_DATA_DIR: dataDir, TRELLIS_LOG_LEVEL: 'warn', ...database.env };
  await run(process.execPath, [join(root, 'host-server/build/build-command.mjs')], { cwd: root });
  const first = await startServer([product], env);
  const seeded = await seed(first);
  await first.stop();
  for (const { tableName, rows } of seeded.tables) await database.fill(tableName, rows);
  const copy = await database.copy();

  const preload = isProfiling ? ['--import', join(root, 'tests/bench/profiler.mjs')] : [];
  const started = await startServer([...preload, product], env);
  const pairs = seeded.tables.map(({ tableId, tableName }) => `${tableId}=${tableName}`);
  const bare = await startServer([
    join(root, 'tests/run-typescript.mjs'),
    join(root, 'tests/bench/bare-server.ts'),
    copy,
    ...pairs,
  ]);
  try {
    print(`Listens after ${whole(started.startedIn)} ms, idle with ${whole(await started.memory())} MB`);
    for (const table of seeded.tables) await measureTable(seeded, table, { product: started, bare });
    print(
      `\nResident after all of it: ${whole(await started.memory())} MB, bare ${whole(await bare.memory())} MB`,
    );
  } finally {
    await Promise.all([started.stop(), bare.stop()]);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
const database = isOnPostgres ? await postgresAt(postgresUrl) : sqliteIn(folder);
try {
  await main(folder, database);
} finally {
  await database.dispose();
  await rm(folder, { recursive: true, force: true });
}
