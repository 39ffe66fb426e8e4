/**
 * Follows one row update and one filtered list through the server: the number of functions that run, the number of the product's
 * files, the number of calls, and the number of messages to the threads of the database. It counts, so a busy machine does not
 * matter.
 *
 *   node tests/run-typescript.mjs tests/bench/call-path.ts [--list]
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { send, type Call } from './load.ts';
import { print, product } from './measure.ts';
import { cellsOf, columns } from './rows.ts';
import { startServer } from './server-process.ts';

/** V8's data about a script: each function with its start and its number of calls. */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly [{ readonly startOffset: number; readonly count: number }];
  }[];
}

interface Followed {
  readonly scripts: readonly ScriptCoverage[];
  readonly messages: number;
}

interface Step {
  readonly name: string;
  readonly file: string;
  readonly calls: number;
}

const warmUps = 200;
const tries = 20;
const isListing = process.argv.includes('--list');
const root = process.cwd();

/** The product's functions that ran, by their original sources; packages are omitted. */
async function stepsOf(scripts: readonly ScriptCoverage[]): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const { url, functions } of scripts) {
    const called = functions.filter(({ ranges: [{ count }] }) => count > 0);
    if (called.length === 0 || !url.startsWith('file:') || !url.includes('/dist/server/')) continue;
    const file = fileURLToPath(url);
    const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')));
    const lines = lineStarts(await readFile(file, 'utf8'));
    for (const { functionName, ranges } of called) {
      const [{ startOffset, count }] = ranges;
      const line = lines.findLastIndex((start) => start <= startOffset);
      const entry = map.findEntry(line, startOffset - (lines[line] ?? 0));
      if (!('originalSource' in entry) || entry.originalSource.includes('node_modules/')) continue;
      const source = entry.originalSource.replace(/^(\.\.\/)+/, '');
      steps.push({ name: functionName || '(anonymous)', file: source, calls: count });
    }
  }
  return steps;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

const folder = await mkdtemp(join(tmpdir(), 'trellis-path-'));
const server = await startServer(['--import', join(root, 'tests/bench/coverage.mjs'), ...product], {
  PORT: '0',
  TRELLIS_DATA_DIR: folder,
  TRELLIS_LOG_LEVEL: 'warn',
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let headers: Readonly<Record<string, string>> = {};
const ask = async (call: Call) =>
  JSON.parse(await send({ port: server.port, headers }, agent, call)) as Record<string, string>;
const post = (path: string, body: unknown) => ask({ method: 'POST', path, body });

try {
  const account = { email: 'bench@example.com', password: 'a long enough password 1' };
  const { token = '' } = await post('/api/v1/auth/user/signup', account);
  headers = { 'xc-auth': token };
  const projects = '/api/v1/db/meta/projects';
  const { id: project = '' } = await post(projects, { title: 'Path' });
  const { id: table = '' } = await post(`${projects}/${project}/tables`, { title: 'Rows', columns });
  const rows = Array.from({ length: 1000 }, (_, index) => cellsOf(index));
  await post(`/api/v1/db/data/bulk/v1/${project}/${table}`, rows);
  const data = `/api/v1/db/data/v1/${project}/${table}`;
  const calls: Readonly<Record<string, (index: number) => Call>> = {
    'read of one row': (index) => ({ method: 'GET', path: `${data}/${(index % 1000) + 1}` }),
    'update of one row': (index) => ({
      method: 'PATCH',
      path: `${data}/${(index % 1000) + 1}`,
      body: { Name: `Changed ${index}`, Amount: index },
    }),
    'filtered list': (index) => ({
      method: 'GET',
      path: `${data}?limit=25&where=(Amount,gt,${500_000 + (index % 50)})&sort=-Amount`,
    }),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (let index = 0; index < warmUps; index += 1) await ask(call(index));
    // The shortest of a few, because the server's occasional own work is not part of the call.
    let followed: { readonly steps: readonly Step[]; readonly messages: number } | undefined;
    for (let index = 0; index < tries; index += 1) {
      // Followers of the change log check for changes after a pause: they have just checked when the call is followed.
      await ask(call(warmUps + tries + index));
      await server.ask('start');
      await ask(call(warmUps + index));
      const { scripts, messages } = (await server.ask('stop')) as Followed;
      const steps = await stepsOf(scripts);
      if (followed === undefined || steps.length < followed.steps.length) followed = { steps, messages };
    }
    const { steps = [], messages = 0 } = followed ?? {};
    const files = new Set(steps.map(({ file }) => file));
    const times = steps.reduce((sum, step) => sum + step.calls, 0);
    print(
      `${name}: ${steps.length} functions in ${files.size} files, ${times} calls, ${messages} messages to threads`,
    );
    const rooms = new Map<string, number>();
    for (const { file } of steps) rooms.set(roomOf(file), (rooms.get(roomOf(file)) ?? 0) + 1);
    const sorted = [...rooms].sort(([, left], [, right]) => right - left);
    print(`  ${sorted.map(([room, count]) => `${room} ${count}`).join(', ')}`);
    if (!isListing) continue;
    for (const step of steps) print(`    ${step.file} ${step.name} ${step.calls}`);
  }
} finally {
  agent.destroy();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
