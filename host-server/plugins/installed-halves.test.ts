import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const manifest = {
  id: 'acme',
  name: 'Acme',
  version: '1.0.0',
  category: 'app',
  engines: { trellis: '*' },
  sdk: 1,
  enabledByDefault: true,
};

let dataDir: string;
let server: TestServer;
let owner: TestClient;

let builds = 0;
/** Builds the plugin: both halves say this text. */
async function build(text: string): Promise<void> {
  const dist = join(dataDir, 'plugins/acme/1.0.0/dist');
  const route = `{ method: 'GET', path: 'text', permission: 'public', summary: '', handle: async () => ({ text: '${text}' }) }`;
  builds += 1;
  for (const [half, code] of [
    ['server', `export default { setup(ctx) { ctx.routes(${route}); } };`],
    ['web', `export const text = '${text}';`],
  ] as const) {
    await mkdir(join(dist, half), { recursive: true });
    await writeFile(join(dist, half, 'index.js'), code);
    // Two builds within one tick of the clock of files are told apart all the same.
    await utimes(join(dist, half, 'index.js'), builds, builds);
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-halves-'));
  await mkdir(join(dataDir, 'plugins/acme/1.0.0'), { recursive: true });
  await writeFile(join(dataDir, 'plugins/acme/1.0.0/plugin.json'), JSON.stringify(manifest));
  await build('first');
  server = await createTestServer({ dataDir, env: { TRELLIS_PLUGINS_ENABLED: 'acme' } });
  owner = await server.signUp();
});
afterAll(async () => {
  await server?.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

async function webHalf() {
  const { body } = await owner.get<{ plugins: readonly { id: string; url: string }[] }>(
    '/api/v1/plugins/web',
  );
  return body.plugins.find(({ id }) => id === 'acme')?.url ?? '';
}

test('A web half that is built anew under the same version has another address, and the former one is kept by nobody', async () => {
  const first = await webHalf();
  const kept = await owner.get(first);
  expect(kept).toMatchObject({ status: 200, body: "export const text = 'first';" });
  expect(kept.headers.get('cache-control')).toContain('immutable');
  await build('second');
  // As some editors mark a file that is open: a link that leads nowhere.
  await symlink('ada@example.1234', join(dataDir, 'plugins/acme/1.0.0/dist/web/.#index.js'));
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2000);
  const second = await webHalf();
  expect(second).not.toBe(first);
  expect((await owner.get(second)).body).toBe("export const text = 'second';");
  const stale = await owner.get(first);
  expect(stale.headers.get('cache-control')).toBe('no-cache');
});

test('An error that a browser reports with its place in a built file is shown with the place in the sources', async () => {
  const url = await webHalf();
  const mapped = { version: 3, names: [], sources: ['../../web/index.tsx'], mappings: 'AAEQ' };
  await writeFile(join(dataDir, 'plugins/acme/1.0.0/dist/web/index.js.map'), JSON.stringify(mapped));
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2000);
  const report = (thrownAt: string) =>
    owner.post('/api/v1/plugins/client-errors', {
      pluginId: 'acme',
      where: 'start',
      message: thrownAt,
      thrownAt,
    });
  expect((await report(`${url}:1:1`)).body).toEqual({});
  const current = await webHalf();
  expect((await report(`${current}:1:1`)).body).toEqual({ place: 'web/index.tsx:3:9' });
  const [{ message } = { message: '' }] =
    server.host.plugins.list().find(({ id }) => id === 'acme')?.errors ?? [];
  expect(message).toBe(`${current}:1:1 (web/index.tsx:3:9)`);
  // Neither another plugin's files nor what lies outside of them.
  for (const path of [
    current.replace('/acme/', '/sys-rows/'),
    current.replace('index.js', '../../../../../secret'),
  ])
    expect((await report(`${path}:1:1`)).body).toEqual({});
});
