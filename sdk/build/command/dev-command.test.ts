import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testManifest } from '../../testing/test-manifest.ts';

const repository = resolve(import.meta.dirname, '../../..');
let folder: string;
let data: string;
let product: Server;
/** What the product was asked, and how it answers a look at the folders. */
let asked: string[];
let refusal: string | undefined;
let refusalCode: string | undefined;
/** How it answers somebody who may not install plugins; 200 where they may. */
let statusOfList: number;
/** What it was to show on its pages. */
let shown: unknown[];
/** The version that somebody chose in the product; without one, the newest that is there. */
let chosen: string | undefined;
/** What the plugin failed with in use. */
let failures: { readonly at: string; readonly where: string; readonly message: string }[];
let child: ChildProcess;
let lines: AsyncIterator<string>;

/** Stands in for a running product: it notes what it is asked. */
function answerTo(method: string, path: string, body: unknown): object {
  if (path.endsWith('/dev/mistakes')) {
    shown.push(body);
    return {};
  }
  // Looked at again and again, for what the plugin fails with.
  if (!path.endsWith('/plugins')) asked.push(`${method} ${path}`);
  if (path.endsWith('/dev')) return { id: 'acme-mood', version: '1.0.0-dev.1', state: 'disabled' };
  if (path.endsWith('/signin')) return { token: (body as { email: string }).email };
  if (path.endsWith('/rescan'))
    return {
      failed: refusal === undefined ? [] : [{ id: 'acme-mood', reason: refusal, code: refusalCode }],
    };
  if (path.endsWith('/enable')) return {};
  if (path.endsWith('/use')) {
    chosen = (body as { version: string }).version;
    return {};
  }
  const home = join(data, 'plugins/acme-mood');
  const version = chosen ?? (existsSync(home) ? readdirSync(home).at(-1) : '0.9.0');
  const isOn = asked.includes('POST /api/v1/app-store/plugins/acme-mood/enable');
  return { list: [{ id: 'acme-mood', version, state: isOn ? 'enabled' : 'discovered', errors: failures }] };
}

const write = (file: string, text: string): void => {
  // As editors do: another file is put in the place of the former one.
  writeFileSync(join(folder, `${file}.new`), text);
  renameSync(join(folder, `${file}.new`), join(folder, file));
};
const manifest = (version: string) => JSON.stringify({ ...testManifest('acme-mood', 'Mood'), version });

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-plugin-')));
  data = mkdtempSync(join(tmpdir(), 'trellis-data-'));
  asked = [];
  refusal = undefined;
  refusalCode = undefined;
  statusOfList = 200;
  shown = [];
  chosen = undefined;
  failures = [{ at: '2026-01-01T00:00:00.000Z', where: 'start', message: 'What was before.' }];
  mkdirSync(join(folder, 'server'));
  write('plugin.json', manifest('1.0.0'));
  write('server/index.ts', 'export default { setup() {} };');
  product = createServer((request, response) => {
    const kind = request.headers['content-type'] ?? '';
    const body = kind.startsWith('application/json') ? json(request) : buffer(request);
    void body.then((sent) => {
      const isRefused = refusal !== undefined && request.url?.endsWith('/dev') === true;
      if (isRefused) response.writeHead(403);
      else if (request.url?.endsWith('/plugins') === true) response.writeHead(statusOfList);
      response.end(
        JSON.stringify(
          isRefused ? { msg: refusal } : answerTo(request.method ?? '', request.url ?? '', sent),
        ),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(product, 'listening');
});

afterEach(async () => {
  if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  product.close();
  for (const made of [folder, data]) rmSync(made, { recursive: true, force: true });
});

const address = () => `http://127.0.0.1:${(product.address() as AddressInfo).port}`;

function start(place: readonly string[] = ['--data', data, '--server', address()]): void {
  const command = ['tests/run-typescript.mjs', 'sdk/build/command/trellis-plugin.ts', 'dev', folder];
  child = spawn(process.execPath, [...command, ...place], {
    cwd: repository,
    env: { ...process.env, TRELLIS_EMAIL: 'ada@example.com', TRELLIS_PASSWORD: 'Password-1' },
    // What went wrong is read among the rest, in the order in which a person sees it.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The command has no output.');
  lines = merged(stdout, stderr);
}

async function* merged(...streams: NodeJS.ReadableStream[]): AsyncGenerator<string> {
  const said: string[] = [];
  let wake = () => {};
  for (const input of streams)
    createInterface({ input }).on('line', (line) => {
      said.push(line);
      wake();
    });
  for (;;) {
    while (said.length > 0) yield said.shift() ?? '';
    await new Promise<void>((done) => (wake = done));
  }
}

async function until(text: string): Promise<string> {
  for (;;) {
    const { value } = (await lines.next()) as { value: string };
    if (value.includes(text)) return value;
  }
}

describe('trellis-plugin dev', () => {
  test('puts the plugin into service, and again whenever a source changes', async () => {
    start();
    await until("'acme-mood' is in service");
    expect(asked).toEqual([
      'POST /api/v1/auth/user/signin',
      'POST /api/v1/app-store/rescan',
      'POST /api/v1/app-store/plugins/acme-mood/enable',
    ]);
    expect(readlinkSync(join(data, 'plugins/acme-mood/1.0.0'))).toBe(folder);
    for (const text of ['second', 'third']) {
      write('server/index.ts', `export default { setup() { return '${text}'; } };`);
      await until('is in service');
    }
    expect(asked.filter((call) => call.endsWith('/rescan'))).toHaveLength(3);
    expect(asked.filter((call) => call.endsWith('/enable'))).toHaveLength(1);
    write('plugin.json', manifest('1.1.0'));
    await until('is in service');
    expect(readdirSync(join(data, 'plugins/acme-mood'))).toEqual(['1.1.0']);
  });

  test('builds the halves alone that are made of what changed, and both after a mistake', async () => {
    mkdirSync(join(folder, 'web'));
    mkdirSync(join(folder, 'shared'));
    write('shared/word.ts', "export const word = 'first';");
    const half = "import { word } from '../shared/word.ts'; export default { setup() { return word; } };";
    for (const name of ['server', 'web']) write(`${name}/index.ts`, half);
    start();
    await until('is in service');
    const built = (name: string) => join(folder, 'dist', name, 'index.js');
    const wasKept = (name: string) => readFileSync(built(name), 'utf8').includes('// By hand');
    const mark = () => ['server', 'web'].forEach((name) => appendFileSync(built(name), '\n// By hand'));
    mark();
    write('web/index.ts', `${half} // Changed`);
    await until('is in service');
    expect([wasKept('server'), wasKept('web')]).toEqual([true, false]);
    mark();
    write('shared/word.ts', "export const word = 'second';");
    await until('is in service');
    expect([wasKept('server'), wasKept('web')]).toEqual([false, false]);
    mark();
    write('server/index.ts', 'export default {');
    await until('server/index.ts:1:');
    write('server/index.ts', half);
    await until('is in service');
    expect([wasKept('server'), wasKept('web')]).toEqual([false, false]);
  });

  test('puts its own version into use where another one was chosen', async () => {
    chosen = '0.9.0';
    start();
    await until('is in service');
    expect(asked).toContain('POST /api/v1/app-store/plugins/acme-mood/use');
    expect(chosen).toBe('1.0.0');
  });

  test('watches a folder that was removed and made again', async () => {
    start();
    await until('is in service');
    for (const text of ['second', 'third']) {
      rmSync(join(folder, 'server'), { recursive: true });
      mkdirSync(join(folder, 'server'));
      write('server/index.ts', `export default { setup() { return '${text}'; } };`);
      await until('is in service');
    }
    write('server/index.ts', "export default { setup() { return 'last'; } };");
    expect(await until('is in service')).toContain('acme-mood');
  });

  test('tells what is wrong with its place, or what the product says, and goes on', async () => {
    start();
    await until('is in service');
    write('server/index.ts', 'export default { setup() { return ; ');
    expect(await until('server/index.ts:1:37')).not.toContain('\u001b');
    refusal = 'Its setup failed.';
    write('server/index.ts', 'export default { setup() {} };');
    await until('The product refuses it: Its setup failed.');
    refusal = undefined;
    write('server/index.ts', 'export default { setup() { return 1; } };');
    await until('is in service');
    write('server/index.ts', 'export default { setup() { return 2; } };');
    await until('is in service');
    expect(shown).toEqual([
      { id: 'acme-mood', mistakes: expect.stringContaining('server/index.ts:1:37') },
      { id: 'acme-mood', mistakes: 'The product refuses it: Its setup failed.' },
      { id: 'acme-mood' },
    ]);
  });

  test('tells what is wrong with the types, which keeps nothing back, and when it is right', async () => {
    write('tsconfig.json', JSON.stringify({ compilerOptions: { noEmit: true, strict: true, types: [] } }));
    write('server/index.ts', "const mood: number = 'good'; export default { setup() { return mood; } };");
    start();
    await until('is in service');
    await until('The types are wrong');
    expect(await until('error TS')).toMatch(/^server\/index\.ts:1:7: error TS2322: /);
    write('server/index.ts', 'const mood = 1; export default { setup() { return mood; } };');
    await until('The types are right again');
    expect(shown).toEqual([]);
  });

  test('tells what the plugin fails with in use, once, and nothing of what was before', async () => {
    start();
    await until('is in service');
    const failure = (where: string, minute: number) => ({
      at: `2026-01-02T00:0${minute}:00.000Z`,
      where,
      message: 'No mood. (web/index.tsx:3:9)',
    });
    failures = [failure('browser: start', 1), ...failures];
    expect(await until('No mood')).toBe('browser: start: No mood. (web/index.tsx:3:9)');
    failures = [failure('GET /mood', 2), ...failures];
    expect(await until(':')).toBe('GET /mood: No mood. (web/index.tsx:3:9)');
  });

  test('tells nothing of a build that failed together with the next one', async () => {
    const fail = (reason: string, minute: number) => {
      refusal = reason;
      failures = [{ at: `2026-01-02T00:0${minute}:00.000Z`, where: 'rescan', message: reason }, ...failures];
    };
    fail('No mood.', 1);
    start();
    await until('The product refuses it: No mood.');
    fail('No patience.', 2);
    write('server/index.ts', 'export default { setup() { return 1; } };');
    await until('The product refuses it: No patience.');
    failures = [{ at: '2026-01-02T00:03:00.000Z', where: 'GET /mood', message: 'Later.' }, ...failures];
    expect(await until(':')).toBe('GET /mood: Later.');
  });

  test('says how to agree where nobody has agreed to what the plugin asks for', async () => {
    [refusal, refusalCode] = ['Somebody must agree to that first: rows.willCreate', 'PLUGIN_NEEDS_CONSENT'];
    start();
    expect(await until('The product refuses it')).toMatch(
      /first: rows\.willCreate\. Agree by --agree, or where you switch it on in the app store\.$/,
    );
  });

  test('makes no folder where the product does not keep its data', async () => {
    const nowhere = join(data, 'nowhere');
    start(['--data', nowhere, '--server', address()]);
    expect(await until('There is no')).toContain(`There is no ${nowhere}; --data names the folder`);
    expect(existsSync(nowhere)).toBe(false);
  });

  test.each([
    [403, /^You are signed in at http:\S+, and are no super admin: only they install plugins\./],
    [401, /^http:\S+ does not know who you are .*; sign in again/],
  ])('ends where the product answers that the person may not install plugins: %i', async (status, says) => {
    statusOfList = status;
    for (const place of [
      ['--data', data, '--server', address()],
      ['--to', address()],
    ]) {
      start(place);
      const ended = once(child, 'exit');
      expect(await until(address())).toMatch(says);
      expect(await ended).toEqual([1, null]);
    }
  });

  test('refuses a folder in which no product keeps its data, and takes one in which it does', async () => {
    writeFileSync(join(data, 'notes.txt'), 'mine');
    start();
    const ended = once(child, 'exit');
    expect(await until('is no data folder')).toContain(
      `${data} is no data folder of a product: it holds 'notes.txt'; --data names the folder`,
    );
    expect(await ended).toEqual([1, null]);
    expect(readdirSync(data)).toEqual(['notes.txt']);
    writeFileSync(join(data, 'trellis.db'), '');
    start();
    await until('is in service');
  });

  test('works on a folder alone, and says who does where it is not', async () => {
    start();
    await until('is in service');
    const first = child;
    start();
    expect(await until('Another')).toContain(
      `works on ${folder}, as process ${first.pid}: end that one first`,
    );
    if (child.exitCode === null) await once(child, 'exit');
    child = first;
    child.kill('SIGTERM');
    await once(child, 'exit');
    // As one that was killed leaves it.
    writeFileSync(join(folder, '.trellis-dev'), '999999999');
    start();
    await until('is in service');
  });

  test('sends each build to a product elsewhere, and tells why it is refused there', async () => {
    refusal = 'This server takes no plugins in development.';
    start(['--to', `${address()}/`]);
    await until('answered 403: This server takes no plugins in development.');
    refusal = undefined;
    write('server/index.ts', 'export default { setup() { return 1; } };');
    expect(await until('is in service as')).toMatch(/1\.0\.0-dev\.\d+/);
    expect(asked).toEqual([
      'POST /api/v1/auth/user/signin',
      'POST /api/v1/app-store/dev',
      'POST /api/v1/app-store/plugins/acme-mood/enable',
    ]);
    expect(readdirSync(data)).toEqual([]);
  });

  test.each([
    [['--to', 'nowhere'], "'nowhere' is no address of a product"],
    [['--to', 'http://127.0.0.1:1', '--data', '.'], 'Either --data'],
    [['--to', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not answer; is the product running there?'],
  ])('says what is wrong with %j', async (place, says) => {
    start(place);
    expect(await until(says)).toContain(says);
  });

  test('says what the address of a product looks like', async () => {
    start(['--data', data, '--server', 'nonsense']);
    const ended = once(child, 'exit');
    expect(await until('nonsense')).toBe(
      "'nonsense' is no address of a product, such as https://trellis.example.com.",
    );
    expect(await ended).toEqual([2, null]);
  });

  test('leaves an installed version alone, names one that is free, and goes on as soon as the manifest says it', async () => {
    for (const version of ['1.0.0', '1.0.1'])
      mkdirSync(join(data, 'plugins/acme-mood', version), { recursive: true });
    start();
    expect(await until('which is installed in')).toContain('say another one there, such as 1.0.2');
    expect(asked).not.toContain('POST /api/v1/app-store/rescan');
    write('plugin.json', manifest('1.0.2'));
    await until('is in service');
    expect(readlinkSync(join(data, 'plugins/acme-mood/1.0.2'))).toBe(folder);
  });
});
