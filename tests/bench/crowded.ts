/**
 * Prints the time of signing in while others load the server with a table of 1,000,000 rows: four searches without results, and an
 * export that is read one byte a second. It has no limits.
 *
 *   node tests/run-typescript.mjs tests/bench/crowded.ts [--database=postgres]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { postgresAt, sqliteIn, type BenchDatabase } from './bench-database.ts';
import { load, send, type Call, type Figures } from './load.ts';
import { columns } from './rows.ts';
import { startServer } from './server-process.ts';

const root = process.cwd();
const product = join(root, 'dist/server/main.mjs');
const rows = 1_000_000;
/** Fewer than an address may try in a quarter of an hour, for both runs together. */
const signIns = 45;
const credentials = { email: 'bench@example.com', password: 'a long enough password 1' };
const signIn: Call = { method: 'POST', path: '/api/v1/auth/user/signin', body: credentials };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const figuresOf = ({ p50, p95, requests }: Figures): string =>
  `${requests} sign-ins one after another, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;

/** Requests a path and reads one byte of the answer a second until `signal` aborts; returns the number of bytes. */
async function readSlowly(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port, signal });
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  let bytes = 0;
  while (!signal.aborted) {
    if (socket.read(1) !== null) bytes += 1;
    await delay(1000, undefined, { signal }).catch(() => {});
  }
  return bytes;
}

/** Searches repeatedly until `signal` aborts; returns the answers' statuses. */
async function search(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  while (!signal.aborted) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal }).catch(() => undefined);
    if (answer !== undefined) statuses.push(answer.status);
  }
  return statuses;
}

async function main(dataDir: string, database: BenchDatabase): Promise<void> {
  const env = { PORT: '0', TRELLIS_DATA_DIR: dataDir, TRELLIS_LOG_LEVEL: 'error', ...database.env };
  await promisify(execFile)(process.execPath, [join(root, 'host-server/build/build-command.mjs')], {
    cwd: root,
  });
  const first = await startServer([product], env);
  const agent = new Agent({ keepAlive: true });
  const ask = async (call: Call, headers = {}): Promise<Record<string, string>> =>
    JSON.parse(await send({ port: first.port, headers }, agent, call)) as Record<string, string>;
  const { token = '' } = await ask({ ...signIn, path: '/api/v1/auth/user/signup' });
  const headers = { 'xc-auth': token };
  const projects = '/api/v1/db/meta/projects';
  const { id: project } = await ask({ method: 'POST', path: projects, body: { title: 'Bench' } }, headers);
  const made = { method: 'POST', path: `${projects}/${project}/tables` } as const;
  const table = await ask({ ...made, body: { title: 'Crowded', columns } }, headers);
  agent.destroy();
  await first.stop();
  await database.fill(table.table_name ?? '', rows);

  const server = await startServer([product], env);
  const leaving = new AbortController();
  try {
    const target = { port: server.port, headers: {} };
    const limits = { concurrency: 1, requests: signIns, seconds: 60 };
    print(`Alone:   ${figuresOf(await load(target, () => signIn, limits))}`);
    const data = `/api/v1/db/data/v1/${project}/${table.id}`;
    const slow = readSlowly(server.port, `${data}/export/csv`, headers, leaving.signal);
    const searches = Array.from({ length: 4 }, (_, index) => {
      const where = Array.from({ length: 30 }, (__, word) => `(Notes,like,zq${index}x${word})`).join('~or');
      return search(
        server.port,
        `${data}?where=${encodeURIComponent(where)}&sort=Name`,
        headers,
        leaving.signal,
      );
    });
    await delay(1500);
    print(`Crowded: ${figuresOf(await load(target, () => signIn, limits))}`);
    leaving.abort();
    print(`The slow reader took ${await slow} bytes.`);
    print(`The searches were answered: ${(await Promise.all(searches)).flat().join(', ') || 'none in time'}`);
  } finally {
    leaving.abort();
    await server.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'trellis-crowded-'));
const database = process.argv.includes('--database=postgres')
  ? await postgresAt(process.env.TRELLIS_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres')
  : sqliteIn(folder);
try {
  await main(folder, database);
} finally {
  await database.dispose();
  await rm(folder, { recursive: true, force: true });
}
