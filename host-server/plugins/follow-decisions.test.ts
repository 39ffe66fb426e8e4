import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  askUntil,
  createTestServer,
  pluginState,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { ServersToken } from '@trellis/sdk/server';
import { createTestDatabases, describeEachServer } from '../databases/testing.ts';
import { writeSetting } from '../metadata/settings.ts';
import { MetadataToken } from '../metadata/tokens.ts';

describeEachServer('two servers on one disk', (dialect) => {
  const databases = createTestDatabases(dialect);
  let dataDir: string;
  let here: TestServer;
  let there: TestServer;
  let owner: TestClient;
  let onLogThere: (message: string) => void = () => undefined;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trellis-follow-'));
    const options = {
      dataDir,
      database: await databases.url(),
      env: { TRELLIS_SECRET: 'the same for both of them' },
    };
    here = await createTestServer(options);
    there = await createTestServer({ ...options, onLog: (_, message) => onLogThere(message) });
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

  /** A plugin that reads its motto when it is switched on, and goes by that. */
  async function copyWithMotto(): Promise<void> {
    await copy('1.0.0');
    await writeFile(
      join(dataDir, 'plugins/acme/1.0.0/dist/server/index.js'),
      `export default { async setup(ctx) {
        const motto = (await ctx.kv.get('motto')) ?? 'none';
        ctx.routes({ method: 'GET', path: 'motto', permission: 'public', summary: '', handle: async () => ({ motto }) });
      } };`,
    );
  }

  async function restore(motto: string) {
    const form = new FormData();
    const data = { plugin: 'acme', version: '1.0.0', values: { motto }, tables: {} };
    form.append('archive', new Blob([JSON.stringify(data)]), 'acme-data.json');
    const answer = await fetch(`${here.url}/api/v1/app-store/plugins/acme/data`, {
      method: 'POST',
      headers: { 'xc-auth': owner.token ?? '' },
      body: form,
    });
    return { status: answer.status, body: (await answer.json()) as { readonly code?: string } };
  }

  /** Asked again and again: what is said of a change may come before what this change does is done. */
  const saidThere = (isSo: () => Promise<boolean>) => askUntil(isSo, (so) => so);

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

  test('what nobody has decided about is known to both: a plugin, another version of it, and that it is gone', async () => {
    const store = '/api/v1/app-store';
    const ask = async ({ client }: TestServer, path: string, body?: object) =>
      expect(await client.with({ token: owner.token ?? '' }).post(`${store}/${path}`, body)).toMatchObject({
        status: 200,
      });
    const cardThere = () => there.host.plugins.list().find(({ id }) => id === 'acme');
    await copy('1.0.0');
    await ask(here, 'rescan');
    await saidThere(async () => cardThere()?.version === '1.0.0');
    await copy('1.1.0');
    await ask(here, 'rescan');
    await saidThere(async () => cardThere()?.version === '1.1.0');
    await ask(here, 'plugins/acme/remove');
    await saidThere(async () => cardThere() === undefined);
    await copy('1.2.0');
    await ask(here, 'rescan');
    await saidThere(async () => cardThere() !== undefined);
    await ask(there, 'plugins/acme/enable');
    expect(await version()).toBe('1.2.0');
    // One goes while the other still knows of it.
    await ask(there, 'plugins/acme/disable', { cascade: [] });
    await rm(join(dataDir, 'plugins/acme'), { recursive: true });
    await ask(here, 'rescan');
    await saidThere(async () => cardThere()?.state === 'missing');
    await ask(here, 'plugins/acme/remove');
    await saidThere(async () => cardThere() === undefined);
  });

  test('what one cannot read when it is decided is so there as soon as it can', async () => {
    await copy('1.0.0');
    await owner.post('/api/v1/app-store/rescan');
    const { database } = there.host.container.get(MetadataToken);
    const heard = new Promise<void>((resolve) => {
      onLogThere = (message) => {
        if (message === 'The decisions about plugins could not be followed') resolve();
      };
    });
    // Only what the plugins read is away: where no bus tells of it, the other server finds the new number by itself.
    const read = database.read.bind(database);
    const away = jest.spyOn(database, 'read').mockImplementation((work, options) => {
      const isOfPlugins = /plugin-(?:settings|rows)/.test(new Error('asked').stack ?? '');
      return isOfPlugins ? Promise.reject(new Error('no database')) : read(work, options);
    });
    expect((await owner.post('/api/v1/app-store/plugins/acme/enable')).status).toBe(200);
    await heard;
    away.mockRestore();
    await saidThere(async () => (await version()) === '1.0.0');
  });

  test('a plugin runs on neither while one puts its data back, and goes on with that on both', async () => {
    await copyWithMotto();
    await owner.post('/api/v1/app-store/rescan');
    expect((await owner.post('/api/v1/app-store/plugins/acme/enable')).status).toBe(200);
    const motto = async ({ client }: TestServer) =>
      (await client.get<{ motto?: string }>('/api/v1/plugins/acme/motto')).body.motto;
    await saidThere(async () => (await motto(there)) === 'none');

    expect((await restore('blue')).status).toBe(200);
    // It is off yet, or on again with what was put back.
    expect([undefined, 'blue']).toContain(await motto(there));
    await saidThere(async () => (await motto(there)) === 'blue');
    expect(await motto(here)).toBe('blue');

    const { database } = here.host.container.get(MetadataToken);
    const leaveTurn = (server: string) =>
      database.write((unit) => writeSetting(unit, 'plugin.restoring', `${server} acme`));
    await leaveTurn(there.host.container.get(ServersToken).id);
    expect(await restore('green')).toMatchObject({ status: 409, body: { code: 'PLUGIN_DATA_BUSY' } });
    expect(await motto(here)).toBe('blue');
    // One that was killed in the middle keeps nobody back.
    await leaveTurn('server:elsewhere:1:killed');
    expect((await restore('green')).status).toBe(200);
    await saidThere(async () => (await motto(there)) === 'green');
  });
});
