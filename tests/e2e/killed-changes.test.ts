import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';
import type { PluginEntity, PluginProposal, TaskEntity } from '@trellis/sdk/shared';
import { TestClient } from '@trellis/sdk/testing/server';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

/** How often each change is cut off at a random moment; `TRELLIS_TEST_KILLS=30` makes a campaign of it. */
const kills = Number(process.env.TRELLIS_TEST_KILLS ?? 1);
const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_123);
/** Milliseconds within which a change is over. */
const longestChange = 500;
const store = '/api/v1/app-store';
const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };

let dataDir: string;
let server: BuiltServer;
let boss: TestClient;

/** Random moments that come again with the same seed (a linear congruential generator). */
function momentsOf(start: number): () => number {
  let state = start % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * longestChange);
  };
}

async function start(): Promise<void> {
  // Nobody but the test decides about what lies in the folder.
  server = startBuiltServer(dataDir, { TRELLIS_PLUGINS_ENABLED: '' });
  const guest = new TestClient(await server.listening());
  await guest.post('/api/v1/auth/user/signup', credentials);
  const { body } = await guest.post<{ token: string }>('/api/v1/auth/user/signin', credentials);
  boss = guest.with({ token: body.token });
}

beforeEach(async () => {
  dataDir = await shipToNewFolder([]);
  await start();
});
afterEach(async () => {
  await server.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** @param setup what a version does before it answers with its number. */
async function bring(version: string, setup = ''): Promise<string> {
  const manifest = { id: 'acme', name: 'Acme', version, category: 'app', engines: { trellis: '*' }, sdk: 1 };
  const code = `import { writeSync } from 'node:fs';
    export default { async setup(ctx) { ${setup}
      ctx.routes({ method: 'GET', path: 'version', permission: 'public', summary: '', handle: async () => ({ version: '${version}' }) });
    } };`;
  const archive = await writeArchive(
    new Map([
      ['plugin.json', Buffer.from(JSON.stringify(manifest))],
      ['dist/server/index.js', Buffer.from(code)],
      ['dist/package.json', Buffer.from('{"type":"module"}')],
    ]),
  );
  const body = new FormData();
  body.append('archive', new Blob([archive as BlobPart]), 'acme.tgz');
  const headers = { 'xc-auth': boss.token ?? '' };
  const answer = await fetch(`${boss.url}${store}/proposals`, { method: 'POST', headers, body });
  return ((await answer.json()) as PluginProposal).ticket;
}

const install = async (version: string, setup?: string) =>
  boss.post(`${store}/proposals/${await bring(version, setup)}/install`);
const running = async () =>
  (await boss.get<{ version?: string }>('/api/v1/plugins/acme/version')).body.version;
const card = async () => {
  const { body } = await boss.get<{ list: readonly PluginEntity[] }>(`${store}/plugins`);
  return body.list.find(({ id }) => id === 'acme');
};

async function killAndStart(): Promise<void> {
  await server.end('SIGKILL');
  await start();
}

/** Resolves when the change that was cut off has been taken up and has ended. */
async function settled(): Promise<readonly TaskEntity[]> {
  for (;;) {
    const { body } = await boss.get<{ list: readonly TaskEntity[] }>(`${store}/tasks`);
    if (body.list.every(({ state }) => state === 'failed')) return body.list;
    await delay(100);
  }
}

/** Nothing of a change is left half done. */
async function expectWhole(version: string | undefined): Promise<void> {
  const found = await card();
  expect(found?.version).toBe(version);
  if (version === undefined) {
    expect(await readdir(join(dataDir, 'plugins'))).not.toContain('acme');
    return;
  }
  const home = join(dataDir, 'plugins/acme');
  const note = JSON.parse(await readFile(join(home, 'install.json'), 'utf8')) as {
    readonly inUse: string;
    readonly versions: object;
  };
  expect(note).not.toHaveProperty('pending');
  expect(note.inUse).toBe(version);
  const folders = (await readdir(home)).filter((name) => name !== 'install.json');
  expect(Object.keys(note.versions).toSorted()).toEqual(folders.toSorted());
  expect(found?.versions?.toSorted()).toEqual(folders.toSorted());
}

async function installAndEnable(): Promise<void> {
  expect((await install('1.0.0')).status).toBe(200);
  expect((await boss.post(`${store}/plugins/acme/enable`, {})).status).toBe(200);
}

test('An update that is killed while the new version starts leaves the former one running, at once and for good', async () => {
  await installAndEnable();
  const answer = install('2.0.0', "writeSync(1, 'two begins'); await new Promise(() => undefined);");
  answer.catch(() => undefined);
  await server.said(/two begins/);
  await killAndStart();
  await server.said(/listens on/);
  while ((await card())?.state === 'starting');
  expect([await running(), (await card())?.state]).toEqual(['1.0.0', 'enabled']);
  expect(await settled()).toMatchObject([
    { state: 'failed', error: expect.stringContaining('version 1.0.0 is in use again') },
  ]);
  expect(await running()).toBe('1.0.0');
  await expectWhole('1.0.0');
  // And another try, with a version that starts.
  expect((await install('2.1.0')).status).toBe(200);
  expect(await running()).toBe('2.1.0');
});

const moments = momentsOf(seed);
const rounds = Array.from({ length: kills }, () => [moments()] as const);

test.each(rounds)(
  'An update that is killed after %d ms leaves one of the versions, whole',
  async (moment) => {
    await installAndEnable();
    const ticket = await bring('2.0.0', 'await new Promise((done) => setTimeout(done, 200));');
    boss.post(`${store}/proposals/${ticket}/install`).catch(() => undefined);
    await delay(moment);
    await killAndStart();
    await settled();
    while ((await card())?.state === 'starting');
    const version = await running();
    expect(['1.0.0', '2.0.0']).toContain(version);
    await expectWhole(version);
  },
);

test.each(rounds)(
  'An installation that is killed after %d ms leaves all of it or nothing',
  async (moment) => {
    const ticket = await bring('1.0.0');
    boss.post(`${store}/proposals/${ticket}/install`).catch(() => undefined);
    await delay(moment / 4);
    await killAndStart();
    await settled();
    const found = await card();
    await expectWhole(found?.version);
    if (found === undefined) expect((await install('1.0.0')).status).toBe(200);
    expect((await boss.post(`${store}/plugins/acme/enable`, {})).status).toBe(200);
    expect(await running()).toBe('1.0.0');
  },
);

test.each(rounds)('A removal that is killed after %d ms leaves all of it or nothing', async (moment) => {
  await installAndEnable();
  boss.post(`${store}/plugins/acme/remove`).catch(() => undefined);
  await delay(moment / 4);
  await killAndStart();
  await settled();
  while ((await card())?.state === 'starting');
  const found = await card();
  await expectWhole(found?.version);
  expect(await running()).toBe(found === undefined ? undefined : '1.0.0');
});
