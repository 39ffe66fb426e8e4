import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RescanReport, WebPluginEntry } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let dataDir: string;
let server: TestServer;
let owner: TestClient;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-rescan-'));
  server = await createTestServer({ dataDir });
  owner = await server.signUp();
});
afterEach(async () => {
  await server.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

/** Puts a plugin into its folder that answers with a text that its setup reads; with the code of a setup, that one runs instead. */
async function copy(
  id: string,
  version: string,
  text: string,
  setup?: string,
  more: object = {},
): Promise<void> {
  const folder = join(dataDir, 'plugins', id, version);
  await mkdir(join(folder, 'dist/server'), { recursive: true });
  const manifest = {
    id,
    name: 'Acme',
    version,
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: true,
    ...more,
  };
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(manifest));
  const route = `{ method: 'GET', path: 'text', permission: 'public', summary: '', handle: async () => ({ text }) }`;
  const answering = `const text = readFileSync(new URL('text', import.meta.url), 'utf8'); ctx.routes(${route});`;
  const code = `import { readFileSync } from 'node:fs'; export default { setup(ctx) { ${setup ?? answering} } };`;
  await writeFile(join(folder, 'dist/server/index.js'), code);
  await writeFile(join(folder, 'dist/server/text'), text);
}

async function rescan(): Promise<RescanReport> {
  const { body, status } = await owner.post<RescanReport>('/api/v1/app-store/rescan');
  expect(status).toBe(200);
  return body;
}

async function card(id: string): Promise<PluginEntity | undefined> {
  const { body } = await owner.get<{ list: readonly PluginEntity[] }>('/api/v1/app-store/plugins');
  return body.list.find((of) => of.id === id);
}

const said = async () => (await owner.get<{ text: string }>('/api/v1/plugins/acme/text')).body.text;
const enable = () => owner.post('/api/v1/app-store/plugins/acme/enable');
const nothing = { added: [], changed: [], gone: [], failed: [] };

test('A folder that was copied is listed without a restart, and runs once somebody switches it on', async () => {
  await copy('acme', '1.0.0', 'first');
  expect(await rescan()).toEqual({ ...nothing, added: ['acme'] });
  expect(await card('acme')).toMatchObject({ state: 'disabled', version: '1.0.0', versions: ['1.0.0'] });
  expect((await owner.get('/api/v1/plugins/acme/text')).status).toBe(501);
  await enable();
  expect(await said()).toBe('first');
  expect(await rescan()).toEqual(nothing);
});

test('Builds of a web half that follow each other at once have addresses of their own', async () => {
  await copy('acme', '1.0.0', 'first');
  const web = join(dataDir, 'plugins/acme/1.0.0/dist/web');
  await mkdir(web);
  const build = async (text: string) => {
    await writeFile(join(web, 'index.js'), `export default { setup() { return '${text}'; } };`);
    await rescan();
  };
  const address = async () => {
    const { body } = await owner.get<{ plugins: readonly WebPluginEntry[] }>('/api/v1/plugins/web');
    return body.plugins.find(({ id }) => id === 'acme')?.url;
  };
  await build('1');
  await enable();
  const addresses = [await address()];
  for (const text of ['22', '333']) {
    await build(text);
    addresses.push(await address());
  }
  expect(new Set(addresses).size).toBe(3);
});

test('What was copied while the server was down waits for somebody as well', async () => {
  await server.dispose();
  await copy('acme', '1.0.0', 'first');
  const startAgain = async () => {
    server = await createTestServer({ dataDir });
    owner = server.client.with({ token: owner.token ?? '' });
  };
  await startAgain();
  expect(await card('acme')).toMatchObject({ state: 'disabled' });
  await server.dispose();
  await startAgain();
  expect(await card('acme')).toMatchObject({ state: 'disabled' });
  await enable();
  await server.dispose();
  await startAgain();
  expect(await said()).toBe('first');
});

test('The operator may enable plugins by the configuration; what somebody switched off stays off', async () => {
  await server.dispose();
  await copy('acme', '1.0.0', 'first');
  const startAgain = async () => {
    server = await createTestServer({ dataDir, env: { TRELLIS_PLUGINS_ENABLED: 'acme, other' } });
    owner = server.client.with({ token: owner.token ?? '' });
  };
  await startAgain();
  expect(await said()).toBe('first');
  await owner.post('/api/v1/app-store/plugins/acme/disable', { cascade: [] });
  await server.dispose();
  await startAgain();
  expect(await card('acme')).toMatchObject({ state: 'disabled' });
});

test('One that the operator names and that would serve addresses of the product waits for consent, and its card and the log say so', async () => {
  const routes = ['/api/v1/weather'];
  const contributes = { routes, hosts: ['api.acme.test'] };
  await server.dispose();
  await copy('acme', '1.0.0', 'first', undefined, { contributes });
  const start = async (named: string) => {
    server = await createTestServer({ dataDir, env: { TRELLIS_PLUGINS_ENABLED: named } });
    owner = server.client.with({ token: owner.token ?? '' });
  };
  await start('acme');
  expect(await card('acme')).toMatchObject({
    state: 'disabled',
    unagreed: { paths: routes, hosts: ['api.acme.test'] },
    notices: [expect.stringMatching(/names it, and it stays off.*\/api\/v1\/weather.*'acme:\*'/)],
  });
  await server.dispose();
  await start('acme:*');
  expect(await said()).toBe('first');
  expect(await card('acme')).toMatchObject({
    state: 'enabled',
    unagreed: { paths: [], hosts: [] },
    notices: expect.arrayContaining([
      expect.stringMatching(
        /nobody was shown what it asks for.*may serve the addresses \/api\/v1\/weather and call the hosts api\.acme\.test/,
      ),
    ]),
  });
});

test('A newer version and a new build of the same one take the place of what runs', async () => {
  await copy('acme', '1.0.0', 'first');
  await rescan();
  await enable();
  await copy('acme', '1.0.0', 'rebuilt');
  expect(await rescan()).toEqual({ ...nothing, changed: ['acme'] });
  expect(await said()).toBe('rebuilt');
  await copy('acme', '1.1.0', 'second');
  expect(await rescan()).toEqual({ ...nothing, changed: ['acme'] });
  expect(await said()).toBe('second');
  expect(await card('acme')).toMatchObject({ state: 'enabled', versions: ['1.1.0', '1.0.0'] });
});

test('A newer version that would serve further addresses of the product waits for consent, also over a start of the server', async () => {
  await copy('acme', '1.0.0', 'first');
  await rescan();
  await enable();
  const contributes = { routes: ['/api/v1/weather'] };
  await copy('acme', '1.1.0', 'second', undefined, { contributes });
  expect(await rescan()).toMatchObject({
    changed: [],
    failed: [{ id: 'acme', reason: expect.stringContaining('/api/v1/weather') }],
  });
  expect(await said()).toBe('first');
  await server.dispose();
  server = await createTestServer({ dataDir });
  owner = server.client.with({ token: owner.token ?? '' });
  expect(await card('acme')).toMatchObject({
    state: 'disabled',
    version: '1.1.0',
    unagreed: { paths: ['/api/v1/weather'] },
  });
  const switched = (consent: object) => owner.post('/api/v1/app-store/plugins/acme/enable', consent);
  expect(await switched({})).toMatchObject({ status: 409, body: { code: 'PLUGIN_NEEDS_CONSENT' } });
  expect(await switched({ consent: { paths: ['/api/v1/weather'] } })).toMatchObject({ status: 200 });
  expect(await said()).toBe('second');
});

test('A newer version that fails leaves the one before it running, and the answer says why', async () => {
  await copy('acme', '1.0.0', 'first');
  await rescan();
  await enable();
  await copy('acme', '1.1.0', '', "throw new Error('out of paper');");
  expect(await rescan()).toMatchObject({
    failed: [{ id: 'acme', reason: expect.stringContaining('out of paper') }],
  });
  expect(await said()).toBe('first');
  expect(await card('acme')).toMatchObject({ state: 'enabled', version: '1.0.0' });
});

test('A plugin whose folder is gone keeps its name and version, and is back with its folder as it was', async () => {
  await copy('acme', '1.0.0', 'first');
  await rescan();
  await enable();
  await rename(join(dataDir, 'plugins/acme'), join(dataDir, 'away'));
  expect(await rescan()).toEqual({ ...nothing, gone: ['acme'] });
  expect(await card('acme')).toMatchObject({ state: 'missing', name: 'Acme', version: '1.0.0' });
  await rename(join(dataDir, 'away'), join(dataDir, 'plugins/acme'));
  expect(await rescan()).toEqual({ ...nothing, added: ['acme'] });
  expect(await said()).toBe('first');
});

test('A plugin that was never switched on keeps its place, name and version when its folder is gone, until somebody removes it', async () => {
  await copy('acme', '1.0.0', 'first', undefined, {
    enabledByDefault: false,
    description: 'Tells a text.',
  });
  await rescan();
  await rm(join(dataDir, 'plugins/acme'), { recursive: true });
  expect(await rescan()).toEqual({ ...nothing, gone: ['acme'] });
  const description = 'Tells a text.';
  const missing = { state: 'missing', name: 'Acme', version: '1.0.0', category: 'app', description };
  expect(await card('acme')).toMatchObject(missing);
  const startAgain = async () => {
    await server.dispose();
    server = await createTestServer({ dataDir });
    owner = server.client.with({ token: owner.token ?? '' });
  };
  await startAgain();
  expect(await card('acme')).toMatchObject(missing);
  expect(await rescan()).toEqual(nothing);
  expect(await card('acme')).toMatchObject(missing);
  const removed = await owner.post('/api/v1/app-store/plugins/acme/remove', { keepData: true });
  expect(removed.status).toBe(200);
  expect(await card('acme')).toBeUndefined();
  await startAgain();
  expect(await card('acme')).toBeUndefined();
});

test('A plugin that failed and then loses its folder keeps its reason, also over a start of the server', async () => {
  await copy('acme', '1.0.0', '', "throw new Error('out of paper');");
  await rescan();
  await enable();
  const reason = expect.stringContaining('out of paper');
  expect(await card('acme')).toMatchObject({ state: 'failed', reason });
  await rename(join(dataDir, 'plugins/acme'), join(dataDir, 'away'));
  await rescan();
  expect(await card('acme')).toMatchObject({ state: 'missing', name: 'Acme', version: '1.0.0', reason });
  await server.dispose();
  server = await createTestServer({ dataDir });
  owner = server.client.with({ token: owner.token ?? '' });
  expect(await card('acme')).toMatchObject({ state: 'missing', name: 'Acme', version: '1.0.0', reason });
  await rename(join(dataDir, 'away'), join(dataDir, 'plugins/acme'));
  await copy('acme', '1.0.0', 'mended');
  await rescan();
  expect((await card('acme'))?.reason).toBeUndefined();
});

test('The folder of an author that a link leads to stays where the plugin is removed', async () => {
  await copy('acme', '1.0.0', 'first');
  const [place, own] = [join(dataDir, 'plugins/acme/1.0.0'), join(dataDir, 'of-its-author')];
  await rename(place, own);
  await symlink(own, place, 'junction');
  await rescan();
  await enable();
  expect(await said()).toBe('first');
  expect((await owner.post('/api/v1/app-store/plugins/acme/remove')).status).toBe(200);
  expect(await card('acme')).toBeUndefined();
  expect(await readdir(join(dataDir, 'plugins'))).not.toContain('acme');
  expect(await readdir(own)).toEqual(['dist', 'plugin.json']);
});

test('It is the super admin who looks again, where the operator has not locked the plugins', async () => {
  const other = await server.signUp();
  expect((await other.post('/api/v1/app-store/rescan')).status).toBe(403);
  const locked = await createTestServer({ env: { TRELLIS_PLUGINS: 'locked' } });
  try {
    const answer = await (await locked.signUp()).post('/api/v1/app-store/rescan');
    expect(answer).toMatchObject({ status: 403, body: { code: 'PLUGINS_LOCKED' } });
  } finally {
    await locked.dispose();
  }
});
