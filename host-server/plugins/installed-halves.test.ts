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

/** Builds the plugin: the web half says this text, and so does the server half, whose setup reads it. */
async function build(text: string): Promise<void> {
  const dist = join(dataDir, 'plugins/acme/1.0.0/dist');
  const route = `{ method: 'GET', path: 'text', permission: 'public', summary: '', handle: async () => ({ text }) }`;
  const setup = `setup(ctx) { const text = readFileSync(new URL('text', import.meta.url), 'utf8'); ctx.routes(${route}); }`;
  for (const [file, content] of [
    ['server/index.js', `import { readFileSync } from 'node:fs'; export default { ${setup} };`],
    ['server/text', text],
    ['web/index.js', `export const text = '${text}';`],
  ] as const) {
    await mkdir(join(dist, file, '..'), { recursive: true });
    await writeFile(join(dist, file), content);
    // As archives leave it, whose files all have the same time.
    await utimes(join(dist, file), 0, 0);
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

test('A build of the same length and times is another one for browsers and for the server', async () => {
  const said = async () => (await owner.get<{ text: string }>('/api/v1/plugins/acme/text')).body.text;
  const rescan = async () => (await owner.post('/api/v1/app-store/rescan')).body;
  await build('third');
  await rescan();
  expect(await said()).toBe('third');
  const before = await webHalf();
  expect(await rescan()).toMatchObject({ changed: [], failed: [] });
  expect(await webHalf()).toBe(before);
  await build('other');
  expect(await rescan()).toMatchObject({ changed: ['acme'], failed: [] });
  const after = await webHalf();
  expect(after).not.toBe(before);
  expect((await owner.get(after)).body).toBe("export const text = 'other';");
  expect(await said()).toBe('other');
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
