/**
 * Prints what the data API does per second, beside a bare server over the same rows on the same database. It judges
 * nothing: figures of one machine say little about another, the ratios say more.
 *
 *   npm run bench -- [--quick] [--rows=1000000] [--profile] [--database=postgres] [--only=<part of a scenario's name>]
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
const asked = options.find((option) => option.startsWith('--rows='))?.slice('--rows='.length);
const sizes = asked ? [Number(asked)] : options.includes('--quick') ? [100_000] : [100_000, 1_000_000];
const isOnPostgres = options.includes('--database=postgres');
/** The server of the tests. */
const postgresUrl = process.env.TRELLIS_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const concurrency = 10;
/** The two servers take turns, so that whatever else the machine does meets both. */
const rounds = 5;
const secondsOfRound = 1;
/** As `npm start` runs it. */
const product = ['--max-semi-space-size=8', join(root, 'dist/server/main.mjs')];

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
  /**
   * Microseconds that all threads of the server, and of its database if that is a program of its own, computed per request:
   * steadier than its speed on a busy machine.
   */
  readonly cpu: number;
}

/** One server under measurement. */
interface Contender {
  readonly target: Target;
  /** Seconds that it has computed so far. */
  computed(): Promise<number>;
}

/** Runs a scenario on both servers in turns; the first requests, which compile code and fill caches, are not counted. */
async function measure(
  contenders: readonly Contender[],
  { call, requests }: Scenario,
): Promise<readonly (readonly Measured[])[]> {
  const turns: Measured[][] = contenders.map(() => []);
  for (const { target } of contenders)
    await load(target, (index) => call(requests + index), {
      concurrency,
      requests: requests / 10,
      seconds: 1,
    });
  const each = requests / rounds;
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { target, computed }] of contenders.entries()) {
      const before = await computed();
      const limits = { concurrency, requests: each, seconds: secondsOfRound };
      const figures = await load(target, (index) => call(round * each + index), limits);
      turns[at]?.push({ ...figures, cpu: (((await computed()) - before) * 1e6) / figures.requests });
    }
  }
  return turns;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
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
  database: BenchDatabase,
  servers: { readonly product: ServerProcess; readonly bare: ServerProcess },
): Promise<void> {
  print(`\n${whole(rows)} rows, ${columns.length} columns, ${concurrency} clients`);
  const contenders = [
    { server: servers.product, headers },
    { server: servers.bare, headers: {} },
  ].map(({ server, ...others }): Contender => ({
    target: { port: server.port, ...others },
    computed: async () => (await server.computed()) + (await database.computed()),
  }));
  row('', 'req/s', 'p50 ms', 'p95 ms', 'CPU us', 'bare req/s', 'p50 ms', 'p95 ms', 'CPU us', 'ratio', 'MB');
  for (const scenario of scenarios(projectId, tableId, rows)) {
    if (!scenario.name.includes(only)) continue;
    if (isProfiling) await servers.product.ask('start');
    const measured = await measure(contenders, scenario).catch((error: unknown) => error);
    if (!Array.isArray(measured)) {
      // Ten people who search a million rows at once are told that the database is busy; the other calls are still of interest.
      print(`${scenario.name.padEnd(20)} ${String(measured)}`);
      if (isProfiling) await servers.product.ask('stop');
      continue;
    }
    const [ours = [], bare = []] = measured as Awaited<ReturnType<typeof measure>>;
    const cells = [ours, bare].flatMap((turns) => [
      whole(median(turns.map(({ perSecond }) => perSecond))),
      time(median(turns.map(({ p50 }) => p50))),
      time(median(turns.map(({ p95 }) => p95))),
      whole(median(turns.map(({ cpu }) => cpu))),
    ]);
    const ratios = ours.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? 0));
    row(scenario.name, ...cells, median(ratios).toFixed(2), whole(await servers.product.memory()));
    if (!isProfiling) continue;
    const spent = spentIn((await servers.product.ask('stop')) as Profile);
    const requests = ours.reduce((sum, turn) => sum + turn.requests, scenario.requests / 10);
    print('  us of the main thread per request:');
    print(`  by part: ${shares(spent.areas, requests, 14)}`);
    print(`  by function: ${shares(spent.functions, requests, 24)}`);
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
    print(`Listens after ${whole(started.startedIn)} ms, idle with ${whole(await started.memory())} MB`);
    for (const table of seeded.tables)
      await measureTable(seeded, table, database, { product: started, bare });
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
