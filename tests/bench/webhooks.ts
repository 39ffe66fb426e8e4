/**
 * Prints what ten webhooks of a table cost the people who write to it: updates of single rows, one after another, of a table
 * without webhooks and of one with ten, alternately, and how fast the webhooks report the changes. It has no limits.
 *
 * Each webhook has its own receiver, which is called as often as the plugin's settings allow, unless `--fast` asks for the maximum.
 *
 *   node tests/run-typescript.mjs tests/bench/webhooks.ts [--fast] [--rounds=10] [--writes=100] [--hooks=10] [--database=postgres]
 *   [--profile]
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { postgresAt, sqliteIn } from './bench-database.ts';
import { load, send, type Call, type Figures, type Target } from './load.ts';
import { isProfiling, postgresUrl, print, product } from './measure.ts';
import { spentIn, type Profile } from './profile.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const optionOf = (name: string, otherwise: number): number => {
  const said = process.argv.find((option) => option.startsWith(`--${name}=`));
  return said === undefined ? otherwise : Number(said.slice(name.length + 3));
};
const rounds = optionOf('rounds', 10);
const writes = optionOf('writes', 100);
const isFast = process.argv.includes('--fast');
const hookCount = optionOf('hooks', 10);
const rowCount = 1000;
const meta = '/api/v1/db/meta';

interface Turn extends Figures {
  /** Seconds of the whole turn. */
  readonly seconds: number;
  /** Processor seconds of all threads of the server. */
  readonly cpu: number;
}

/** Answers and counts requests in a separate thread, at one address per webhook. */
async function receive(): Promise<void> {
  let count = 0;
  const ports: number[] = [];
  for (let hook = 0; hook < hookCount; hook += 1) {
    const server = createServer((request, response) => {
      count += 1;
      request.resume();
      response.end('ok');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports.push((server.address() as AddressInfo).port);
  }
  parentPort?.postMessage(ports);
  parentPort?.on('message', () => parentPort?.postMessage(count));
}

async function ask(worker: Worker): Promise<number> {
  const answered = once(worker, 'message');
  worker.postMessage('count');
  const [count] = (await answered) as [number];
  return count;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function bench(
  server: ServerProcess,
  receiver: Worker,
  receiverPorts: readonly number[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let target: Target = { port: server.port, headers: {} };
  const call = async (method: Call['method'], path: string, body?: unknown): Promise<unknown> => {
    const answer = await send(target, agent, { method, path, body });
    return answer === '' ? undefined : (JSON.parse(answer) as unknown);
  };
  const { token } = (await call('POST', '/api/v1/auth/user/signup', {
    email: 'bench@example.com',
    password: 'a long enough password 1',
  })) as { readonly token: string };
  target = { ...target, headers: { 'xc-auth': token } };
  if (isFast) {
    const limits = { input: { atOnce: 50, perSecond: 1000 } };
    await call('PUT', '/api/v1/app-store/plugins/webhooks/settings', limits);
  }
  const project = (await call('POST', `${meta}/projects`, { title: 'Bench' })) as { readonly id: string };
  const tableWith = async (title: string, hooks: number) => {
    const table = (await call('POST', `${meta}/projects/${project.id}/tables`, {
      title,
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Count', uidt: 'Number' },
      ],
    })) as { readonly id: string };
    const rows = Array.from({ length: rowCount }, (_, row) => ({ Name: `Row ${row}`, Count: 0 }));
    await call('POST', `/api/v1/db/data/bulk/noco/${project.id}/${table.id}`, rows);
    for (let hook = 0; hook < hooks; hook += 1)
      await call('POST', `${meta}/tables/${table.id}/hooks`, {
        title: `Hook ${hook}`,
        operation: 'update',
        notification: { type: 'URL', payload: { path: `http://127.0.0.1:${receiverPorts[hook]}/` } },
      });
    return table.id;
  };
  const tables = [await tableWith('Quiet', 0), await tableWith('Told', hookCount)];
  let written = 0;
  const turnOf = async (table: string): Promise<Turn> => {
    const begun = performance.now();
    const before = await server.computed();
    const figures = await load(
      target,
      () => {
        written += 1;
        const path = `/api/v1/db/data/noco/${project.id}/${table}/${(written % rowCount) + 1}`;
        return { method: 'PATCH', path, body: { Count: written } };
      },
      { concurrency: 1, requests: writes, seconds: 60 },
    );
    const cpu = (await server.computed()) - before;
    return { ...figures, seconds: (performance.now() - begun) / 1000, cpu };
  };
  const turns: Turn[][] = [[], []];
  const told: { count: number; seconds: number; cpu: number }[] = [];
  let heard = 0;
  if (isProfiling) await server.ask('start');
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, table] of tables.entries()) {
      const turn = await turnOf(table);
      const begun = performance.now();
      const before = await server.computed();
      const early = (await ask(receiver)) - heard;
      const wanted = at === 0 ? 0 : turn.requests * hookCount;
      while ((await ask(receiver)) - heard < wanted) await delay(20);
      heard += wanted;
      // The results of the last messages are still being written.
      await delay(300);
      // The first round compiles code and fills caches.
      if (round === 0) continue;
      turns[at]?.push(turn);
      if (at === 1)
        told.push({
          count: wanted - early,
          seconds: (performance.now() - begun) / 1000 - 0.3,
          cpu: (await server.computed()) - before,
        });
    }
  agent.destroy();
  const lines = { 'without webhooks': turns[0] ?? [], [`with ${hookCount} webhooks`]: turns[1] ?? [] };
  for (const [name, own] of Object.entries(lines)) {
    const of = (take: (turn: Turn) => number) => median(own.map(take));
    print(
      `${name.padEnd(18)} ${of(({ perSecond }) => perSecond).toFixed(0)} writes/s, p50 ${of(({ p50 }) => p50).toFixed(2)} ms, ` +
        `p95 ${of(({ p95 }) => p95).toFixed(2)} ms, ${of(({ cpu, requests }) => (cpu * 1e6) / requests).toFixed(0)} us of the server's CPU per write`,
    );
  }
  const ratios = (take: (turn: Turn) => number) =>
    median((turns[1] ?? []).map((turn, round) => take(turn) / take(turns[0]?.[round] ?? turn)));
  print(
    `with / without     ${ratios(({ perSecond }) => perSecond).toFixed(3)} in writes/s, ${ratios(({ p50 }) => p50).toFixed(3)} in p50`,
  );
  const sum = (take: (part: (typeof told)[number]) => number) =>
    told.reduce((all, part) => all + take(part), 0);
  const count = sum((part) => part.count);
  print(
    `told afterwards    ${(count / sum(({ seconds }) => seconds)).toFixed(0)} events/s, ${((sum(({ cpu }) => cpu) * 1e6) / count).toFixed(0)} us of the server's CPU per event (${count} events)`,
  );
  if (!isProfiling) return;
  const spent = spentIn((await server.ask('stop')) as Profile);
  print(`main thread: busy ${spent.busy.toFixed(0)} ms, idle ${spent.idle.toFixed(0)} ms`);
  for (const { name, time } of spent.areas.slice(0, 20)) print(`  ${time.toFixed(0)} ms ${name}`);
  for (const { name, time } of spent.functions.slice(0, 40)) print(`  ${time.toFixed(0)} ms ${name}`);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
  const database = postgresUrl === undefined ? sqliteIn(folder) : await postgresAt(postgresUrl);
  const receiver = new Worker(import.meta.filename);
  const [ports] = (await once(receiver, 'message')) as [readonly number[]];
  const server = await startServer(
    [...(isProfiling ? ['--import', join(process.cwd(), 'tests/bench/profiler.mjs')] : []), ...product],
    { ...database.env, TRELLIS_DATA_DIR: folder, PORT: '0', TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' },
  );
  try {
    await bench(server, receiver, ports);
  } finally {
    await server.stop();
    await receiver.terminate();
    await database.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

if (isMainThread) await main();
else await receive();
