import { join } from 'node:path';
import type { BenchDatabase } from './bench-database.ts';
import { load, type Figures, type Target } from './load.ts';
import { spentIn, type Profile, type Share } from './profile.ts';
import type { Scenario } from './scenarios.ts';
import type { ServerProcess } from './server-process.ts';

const options = process.argv.slice(2);
export const isProfiling = options.includes('--profile');
/** The part of a scenario's name from `--only`. */
const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length) ?? '';
const rowsAsked = options.find((option) => option.startsWith('--rows='))?.slice('--rows='.length);
/** The measured numbers of rows. */
export const sizes = rowsAsked
  ? [Number(rowsAsked)]
  : options.includes('--quick')
    ? [100_000]
    : [100_000, 1_000_000];
/** The tests' server; undefined if SQLite is measured. */
export const postgresUrl = options.includes('--database=postgres')
  ? (process.env.TRELLIS_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres')
  : undefined;
/** Simultaneous callers, unless a scenario sets another number. */
export const clients = 10;
/** The two servers alternate, so that other load on the machine affects both. */
const rounds = 5;
const secondsOfRound = 1;
/** As `npm start` runs it. */
export const product = ['--max-semi-space-size=8', join(process.cwd(), 'dist/server/main.mjs')];

export const print = (line = ''): void => void process.stdout.write(`${line}\n`);
export const whole = (value: number): string => Math.round(value).toLocaleString('en');
const time = (value: number): string => (value < 100 ? value.toFixed(1) : whole(value));

interface Measured extends Figures {
  /**
   * Microseconds of processor time per request of all threads of the server, and of its database if that is a separate program:
   * more stable than the speed on a busy machine.
   */
  readonly cpu: number;
}

/** One measured server. */
interface Contender {
  readonly target: Target;
  /** Its processor seconds so far. */
  computed(): Promise<number>;
}

/** Runs a scenario on both servers alternately; the first requests, which compile code and fill caches, do not count. */
async function measure(
  contenders: readonly Contender[],
  { call, requests, concurrency = clients }: Scenario,
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

/** The measured servers: the product, and the bare server with a copy of its database. */
export interface Servers {
  readonly product: ServerProcess;
  readonly bare: ServerProcess;
  /** The headers that identify the caller to the product. */
  readonly headers: Target['headers'];
  readonly database: BenchDatabase;
}

/** Measures scenarios on both servers and prints a line for each. */
export async function measureScenarios(
  { product: ours, bare, headers, database }: Servers,
  scenarios: readonly Scenario[],
): Promise<void> {
  const contenders = [
    { server: ours, headers },
    { server: bare, headers: {} },
  ].map(({ server, ...others }): Contender => ({
    target: { port: server.port, ...others },
    computed: async () => (await server.computed()) + (await database.computed()),
  }));
  row('', 'req/s', 'p50 ms', 'p95 ms', 'CPU us', 'bare req/s', 'p50 ms', 'p95 ms', 'CPU us', 'ratio', 'MB');
  for (const scenario of scenarios) {
    if (!scenario.name.includes(only)) continue;
    if (isProfiling) await ours.ask('start');
    const measured = await measure(contenders, scenario).catch((error: unknown) => error);
    if (!Array.isArray(measured)) {
      // Ten simultaneous searches of a million rows are refused because the database is busy; the other calls are still measured.
      print(`${scenario.name.padEnd(20)} ${String(measured)}`);
      if (isProfiling) await ours.ask('stop');
      continue;
    }
    const [oursTurns = [], bareTurns = []] = measured as Awaited<ReturnType<typeof measure>>;
    const cells = [oursTurns, bareTurns].flatMap((turns) => [
      whole(median(turns.map(({ perSecond }) => perSecond))),
      time(median(turns.map(({ p50 }) => p50))),
      time(median(turns.map(({ p95 }) => p95))),
      whole(median(turns.map(({ cpu }) => cpu))),
    ]);
    const ratios = oursTurns.map(({ perSecond }, round) => perSecond / (bareTurns[round]?.perSecond ?? 0));
    row(scenario.name, ...cells, median(ratios).toFixed(2), whole(await ours.memory()));
    if (!isProfiling) continue;
    const spent = spentIn((await ours.ask('stop')) as Profile);
    const requests = oursTurns.reduce((sum, turn) => sum + turn.requests, scenario.requests / 10);
    print('  us of the main thread per request:');
    print(`  by part: ${shares(spent.areas, requests, 14)}`);
    print(`  by function: ${shares(spent.functions, requests, 24)}`);
  }
}
