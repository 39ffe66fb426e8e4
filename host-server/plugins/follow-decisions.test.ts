import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestServer, pluginState, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { createTestDatabases, describeEachServer } from '../databases/testing.ts';

describeEachServer('two servers on one disk', (dialect) => {
  const databases = createTestDatabases(dialect);
  let dataDir: string;
  let here: TestServer;
  let there: TestServer;
  let owner: TestClient;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trellis-follow-'));
    const options = {
      dataDir,
      database: await databases.url(),
      env: { TRELLIS_SECRET: 'the same for both of them' },
    };
    here = await createTestServer(options);
    there = await createTestServer(options);
    owner = await here.signUp();
  });
  afterEach(async () => {
    await there?.dispose();
    await here?.dispose();
    await rm(dataDir, { recursive: true, force: true });
  });
  afterAll(() => databases.dropAll());

  async function copy(version: string): Promise<void> {
    const folder = join(dataDir, 'plugins/acme', version);
    await mkdir(join(folder, 'dist/server'), { recursive: true });
    const manifest = {
      id: 'acme',
      name: 'Acme',
      version,
      category: 'app',
      engines: { trellis: '*' },
      sdk: 1,
    };
    await writeFile(join(folder, 'plugin.json'), JSON.stringify(manifest));
    const route = `{ method: 'GET', path: 'version', permission: 'public', summary: '', handle: async () => ({ version: '${version}' }) }`;
    await writeFile(
      join(folder, 'dist/server/index.js'),
      `export default { setup(ctx) { ctx.routes(${route}); } };`,
    );
  }

  /** Resolves once the other server says so after a change of its plugins. */
  async function saidThere(isSo: () => Promise<boolean>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = () =>
        isSo().then((so) => {
          if (so) resolve();
        }, reject);
      there.host.hooks.tap('test', 'plugins.didChange', look);
      void look();
    });
  }

  const version = async () =>
    (await there.client.get<{ version?: string }>('/api/v1/plugins/acme/version')).body.version;

  test('what is installed, updated and removed on one is so on the other', async () => {
    const store = '/api/v1/app-store';
    const ask = async (path: string) =>
      expect(await owner.post(`${store}/${path}`)).toMatchObject({ status: 200 });
    await copy('1.0.0');
    await ask('rescan');
    await ask('plugins/acme/enable');
    await saidThere(async () => (await version()) === '1.0.0');
    await copy('1.1.0');
    await ask('rescan');
    await saidThere(async () => (await version()) === '1.1.0');
    await ask('plugins/acme/remove');
    await saidThere(async () => (await pluginState(there, 'acme'))[0] === undefined);
    expect((await there.client.get('/api/v1/plugins/acme/version')).status).toBe(404);
  });
});
