import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';
import type { LiveEvent, PluginEntity, PluginProposal, TaskEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io, type Socket } from 'socket.io-client';
import type { StoreTask, StoreTaskList } from '../../plugins/sys-app-store/shared/index.ts';

let dataDir: string;
let server: TestServer;
let owner: TestClient;
let sockets: Socket[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-changes-'));
  server = await createTestServer({ dataDir });
  owner = await server.signUp();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.disconnect();
  await server.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

const store = '/api/v1/app-store';

/** Brings a version whose setup waits until the test lets it go, or that is set up at once. */
async function bring(version: string, setup = ''): Promise<string> {
  const manifest = { id: 'acme', name: 'Acme', version, category: 'app', engines: { trellis: '*' }, sdk: 1 };
  const archive = await writeArchive(
    new Map([
      ['plugin.json', Buffer.from(JSON.stringify(manifest))],
      ['dist/server/index.js', Buffer.from(`export default { async setup() { ${setup} } };`)],
      ['dist/package.json', Buffer.from('{"type":"module"}')],
    ]),
  );
  const body = new FormData();
  body.append('archive', new Blob([archive as BlobPart]), 'acme.tgz');
  const headers = { 'xc-auth': owner.token ?? '' };
  const answer = await fetch(`${owner.url}${store}/proposals`, { method: 'POST', headers, body });
  return ((await answer.json()) as PluginProposal).ticket;
}

const install = (ticket: string) =>
  owner.post<{ code?: string; msg?: string }>(`${store}/proposals/${ticket}/install`);
const tasks = async (client = owner) => (await client.get<StoreTaskList>(`${store}/tasks`)).body.list;
const card = async () => {
  const { body } = await owner.get<{ list: readonly PluginEntity[] }>(`${store}/plugins`);
  return body.list.find(({ id }) => id === 'acme');
};

/** What a browser of this person hears of tasks. */
async function listen(client: TestClient): Promise<{
  readonly heard: TaskEntity[];
  until(is: (task: TaskEntity) => boolean): Promise<TaskEntity>;
}> {
  const options = { auth: { token: client.token }, transports: ['websocket'], forceNew: true };
  const socket = io(`${server.url}/live`, options);
  sockets.push(socket);
  await once(socket as never, 'connect');
  const heard: TaskEntity[] = [];
  const looks = new Set<() => void>();
  socket.on('event', (event: LiveEvent) => {
    if (event.kind !== 'task') return;
    heard.push(event.task);
    for (const look of looks) look();
  });
  return {
    heard,
    until: (is) =>
      new Promise((resolve) => {
        const look = () => {
          const found = heard.find(is);
          if (found !== undefined) resolve(found);
        };
        looks.add(look);
        look();
      }),
  };
}

/** The setup of the test's plugin waits for this. */
function gate(): { readonly waits: string; open(): void } {
  let open = (): void => undefined;
  const name = `gate${Math.random()}`;
  Object.assign(globalThis, { [name]: new Promise<void>((resolve) => (open = resolve)) });
  return { waits: `await globalThis['${name}'];`, open: () => open() };
}

test('An update is a task that every super admin sees, in each of their browsers, and nobody else', async () => {
  await install(await bring('1.0.0'));
  await owner.post(`${store}/plugins/acme/enable`, {});
  const stranger = await server.signUp('stranger@example.com');
  const [second, other] = [await listen(owner), await listen(stranger)];
  const { waits, open } = gate();
  const answer = install(await bring('2.0.0', waits));
  const told = await second.until(({ progress }) => progress.note === 'Starting and stopping plugins');
  expect(told).toMatchObject({
    title: 'Installation of Acme 2.0.0',
    project_id: '',
    state: 'running',
    progress: { done: 2, total: 4 },
  });
  const [listed] = await tasks();
  expect(listed).toMatchObject({ id: told.id, can_stop: false });
  expect(await owner.post(`${store}/tasks/${told.id}/cancel`)).toMatchObject({
    status: 409,
    body: { code: 'PLUGIN_CHANGE_LATE' },
  });
  expect(await stranger.get(`${store}/tasks`)).toMatchObject({ status: 403 });
  open();
  expect(await answer).toMatchObject({ status: 200, body: { version: '2.0.0' } });
  await second.until(({ state }) => state === 'done');
  expect(await tasks()).toEqual([]);
  expect(other.heard).toEqual([]);
});

test('One that waits for another is cancelled, and then nothing of it has happened', async () => {
  await install(await bring('1.0.0'));
  await owner.post(`${store}/plugins/acme/enable`, {});
  const browser = await listen(owner);
  const { waits, open } = gate();
  const first = install(await bring('2.0.0', waits));
  await browser.until(({ progress }) => progress.note === 'Starting and stopping plugins');
  const ticket = await bring('3.0.0');
  const second = install(ticket);
  const { id } = await browser.until(({ title }) => title.endsWith('3.0.0'));
  const cancelled = await owner.post<StoreTask>(`${store}/tasks/${id}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, body: { is_cancelling: true } });
  open();
  expect((await first).status).toBe(200);
  expect(await second).toMatchObject({ status: 409, body: { code: 'PLUGIN_CHANGE_STOPPED' } });
  expect(await card()).toMatchObject({ version: '2.0.0', state: 'enabled', versions: ['2.0.0', '1.0.0'] });
  // What was brought waits for another try.
  expect((await install(ticket)).status).toBe(200);
  expect(await card()).toMatchObject({ version: '3.0.0', state: 'enabled' });
});

test('What failed is listed with the reason, and is no fault of the app store', async () => {
  await install(await bring('1.0.0'));
  await owner.post(`${store}/plugins/acme/enable`, {});
  const refused = await install(await bring('2.0.0', "throw new Error('out of paper');"));
  expect(refused).toMatchObject({ status: 500, body: { code: 'PLUGIN_FAILED' } });
  expect(await tasks()).toMatchObject([{ state: 'failed', error: expect.stringContaining('out of paper') }]);
  const { body } = await owner.get<{ list: readonly PluginEntity[] }>(`${store}/plugins`);
  expect(body.list.find(({ id }) => id === 'sys-app-store')?.errors).toEqual([]);
  expect(await readdir(join(dataDir, 'plugins/acme'))).toEqual(['1.0.0', 'install.json']);
});

test('What an author works on is loaded where the operator allows it, beside what was released before', async () => {
  const load = async (client: TestClient, version: string, agree?: 'all') => {
    const contributes = { routes: ['/api/v1/weather'] };
    const manifest = {
      id: 'acme',
      name: 'Acme',
      version,
      category: 'app',
      engines: { trellis: '*' },
      sdk: 1,
    };
    const archive = await writeArchive(
      new Map([
        ['plugin.json', Buffer.from(JSON.stringify({ ...manifest, contributes }))],
        ['dist/server/index.js', Buffer.from('export default { setup() {} };')],
        ['dist/package.json', Buffer.from('{"type":"module"}')],
      ]),
    );
    const body = new FormData();
    if (agree !== undefined) body.append('agree', agree);
    body.append('archive', new Blob([archive as BlobPart]), 'acme.tgz');
    const headers = { 'xc-auth': client.token ?? '' };
    const answer = await fetch(`${client.url}${store}/dev`, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as { code?: string; version?: string } };
  };
  expect(await load(owner, '1.1.0-dev.1')).toMatchObject({ status: 403, body: { code: 'PLUGIN_DEV_OFF' } });
  await install(await bring('1.0.0'));
  await owner.post(`${store}/plugins/acme/enable`, {});
  await server.dispose();
  server = await createTestServer({ dataDir, env: { TRELLIS_PLUGINS_DEV: '1' } });
  owner = server.client.with({ token: owner.token ?? '' });
  const stranger = await server.signUp('stranger@example.com');
  expect((await load(stranger, '1.1.0-dev.1')).status).toBe(403);
  expect(await load(owner, '1.1.0')).toMatchObject({ status: 400, body: { code: 'PLUGIN_NOT_DEV' } });
  expect(await load(owner, '1.1.0-dev.1')).toMatchObject({
    status: 409,
    body: { code: 'PLUGIN_DEV_CONSENT' },
  });
  for (const build of [1, 2, 3])
    expect(await load(owner, `1.1.0-dev.${build}`, 'all')).toMatchObject({
      status: 200,
      body: { version: `1.1.0-dev.${build}` },
    });
  expect(await card()).toMatchObject({ state: 'enabled', versions: ['1.1.0-dev.3', '1.0.0'] });
  expect(await readdir(join(dataDir, 'plugins/.staging'))).toEqual([]);
});
