import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { SECRET_MASK } from '@trellis/core';
import { defineRoute, defineServerPlugin } from '@trellis/sdk/server';
import {
  createTestServer,
  type TestClient,
  type TestPlugin,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { openDatabase } from '../databases/index.ts';

/** Tells over a route what it sees, and whenever it is told of new settings. */
function mailer(
  onChange: (settings: Record<string, unknown>) => void = () => {},
  { version = '1.0.0', additional = {} } = {},
): TestPlugin {
  return {
    manifest: {
      id: 'mailer',
      name: 'Mailer',
      version,
      category: 'app',
      engines: { trellis: '*' },
      sdk: 1,
      enabledByDefault: true,
      settings: {
        type: 'object',
        additionalProperties: false,
        required: ['host'],
        properties: {
          host: { type: 'string', title: 'Server', minLength: 1 },
          port: { type: 'integer', minimum: 1, maximum: 65_535, default: 587 },
          from: { type: 'string', 'x-page': true },
          password: { type: 'string', format: 'secret' },
          ...additional,
        },
      },
    },
    server: defineServerPlugin({
      setup(ctx) {
        ctx.settings.onDidChange(onChange);
        ctx.routes(
          defineRoute({
            method: 'GET',
            path: 'seen',
            permission: 'public',
            summary: 'For the test',
            handle: async () => ctx.settings.current,
          }),
        );
      },
      async test(_, settings) {
        if (settings.host === 'down') throw new Error('nobody answers');
        if (settings.host === 'junk') return 'junk' as never;
        return { ok: settings.password === 'hush', message: `tried ${String(settings.host)}` };
      },
    }),
  };
}

const path = '/api/v1/app-store/plugins/mailer/settings';
const seen = '/api/v1/plugins/mailer/seen';

describe('the settings of a plugin', () => {
  let server: TestServer;
  let boss: TestClient;
  let heard: Record<string, unknown>[] = [];

  beforeAll(async () => {
    server = await createTestServer({ plugins: [mailer((settings) => void heard.push(settings))] });
    boss = await server.signUp();
  });
  afterEach(() => {
    heard = [];
  });
  afterAll(() => server.dispose());

  const save = (input: object) => boss.put<{ code?: string; msg: string }>(path, { input });

  test('are its defaults until somebody saves others', async () => {
    expect((await boss.get(seen)).body).toEqual({ port: 587 });
    expect((await boss.get(path)).body).toMatchObject({
      values: { port: 587 },
      isSet: false,
      testable: true,
    });
    expect((await boss.get('/api/v1/db/meta/plugins/mailer')).body).toMatchObject({ input: null });
    const list = await boss.get<{ list: { id: string }[] }>('/api/v1/app-store/plugins');
    const flags = list.body.list.filter(({ id }) => ['mailer', 'sys-rows'].includes(id));
    expect(flags).toMatchObject([{ hasSettings: true }, { hasSettings: false }]);
  });

  test('reach the running plugin as soon as they are saved, and nobody reads a secret of them again', async () => {
    const saved = await save({ host: 'a.example', password: 'hush' });
    expect(saved).toMatchObject({
      status: 200,
      body: { values: { host: 'a.example', port: 587, password: SECRET_MASK } },
    });
    const whole = { host: 'a.example', port: 587, password: 'hush' };
    expect((await boss.get(seen)).body).toEqual(whole);
    expect(heard).toEqual([whole]);
    for (const at of [path, '/api/v1/app-store/plugins', '/api/v1/db/meta/plugins/mailer']) {
      expect(JSON.stringify((await boss.get(at)).body)).not.toContain('hush');
    }
    for (const file of ['trellis.db', 'trellis.db-wal']) {
      expect((await readFile(join(server.dataDir, file))).includes('hush')).toBe(false);
    }
  });

  test('keep a secret that comes back masked, and forget one that comes back empty', async () => {
    await save({ host: 'a.example', from: 'me', password: SECRET_MASK });
    const kept = { host: 'a.example', port: 587, from: 'me', password: 'hush' };
    expect((await boss.get(seen)).body).toEqual(kept);
    await save({ host: 'b.example' });
    expect((await boss.get(seen)).body).toEqual({ host: 'b.example', port: 587 });
    await save({ host: 'a.example', password: 'hush' });
  });

  test('send no stored secret to a place that was just typed in: it must be entered again', async () => {
    for (const elsewhere of [{ host: 'mine.example' }, { host: 'a.example', port: 25 }]) {
      const input = { ...elsewhere, password: SECRET_MASK };
      const refusal = {
        status: 400,
        body: {
          code: 'SETTINGS_INVALID',
          params: { problems: { '/password': expect.stringContaining('must be entered again') } },
        },
      };
      expect(await boss.post(`${path}/test`, { input })).toMatchObject(refusal);
      expect(await save(input)).toMatchObject(refusal);
    }
    expect((await boss.get(seen)).body).toMatchObject({ host: 'a.example', password: 'hush' });
    expect(heard).toEqual([]);
  });

  test('are refused with the field and what is wrong with it, and then nothing changes', async () => {
    const refused = await save({ port: 70_000, colour: 'red' });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'SETTINGS_INVALID',
        msg: expect.stringContaining('/port must be at most 65535'),
        params: { problems: { '/port': 'must be at most 65535', '/host': 'is required' } },
      },
    });
    expect((await boss.get(seen)).body).toMatchObject({ host: 'a.example', port: 587 });
    expect(heard).toEqual([]);
    const none = await boss.put<{ code: string }>('/api/v1/app-store/plugins/sys-rows/settings', {
      input: {},
    });
    expect([none.status, none.body.code]).toEqual([404, 'PLUGIN_HAS_NO_SETTINGS']);
  });

  test('that the plugin does not have are refused by name, and left out where a client of the v1 API sends them', async () => {
    const refusal = {
      status: 400,
      body: {
        code: 'SETTINGS_INVALID',
        msg: expect.stringContaining("/prot is not known here; did you mean 'port'?"),
        params: { problems: { '/prot': "is not known here; did you mean 'port'?" } },
      },
    };
    const input = { host: 'a.example', prot: 25, password: SECRET_MASK };
    expect(await save(input)).toMatchObject(refusal);
    expect(await boss.post(`${path}/test`, { input })).toMatchObject(refusal);
    const before = { host: 'a.example', port: 587, password: 'hush' };
    expect((await boss.get(seen)).body).toEqual(before);
    const sent = { input: JSON.stringify({ ...input, bucket_acl: 'public', from: 'v1' }) };
    expect((await boss.patch('/api/v1/db/meta/plugins/mailer', sent)).status).toBe(200);
    expect((await boss.get(seen)).body).toEqual({ ...before, from: 'v1' });
    await save({ host: 'a.example', password: SECRET_MASK });
    heard = [];
  });

  test('can be tried out before they are saved', async () => {
    const trying = async (input: object) => (await boss.post(`${path}/test`, { input })).body;
    expect(await trying({ host: 'a.example', from: 'you', password: SECRET_MASK })).toEqual({
      ok: true,
      message: 'tried a.example',
    });
    expect(await trying({ host: 'c.example', password: 'wrong' })).toMatchObject({ ok: false });
    expect(await trying({ host: 'down' })).toEqual({ ok: false, message: 'nobody answers' });
    expect(await trying({ host: 'junk' })).toEqual({
      ok: false,
      message: expect.stringContaining('answered "junk", which does not say whether the settings work'),
    });
    expect(await trying({ host: '' })).toMatchObject({ code: 'SETTINGS_INVALID' });
    expect((await boss.get(seen)).body).toMatchObject({ host: 'a.example' });
  });

  test('reach pages as far as the schema marks them, and pages are told when these change', async () => {
    const generationOf = async () =>
      (await boss.get<{ generation: number }>('/api/v1/plugins/web')).body.generation;
    const inPages = async () =>
      (
        await server.client.get<{ plugins: readonly { id: string; settings?: object }[] }>(
          '/api/v1/plugins/web',
        )
      ).body.plugins.find(({ id }) => id === 'mailer');
    const told: unknown[] = [];
    let tell = (): void => {};
    const isTold = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const tap = server.host.hooks.tap('test', 'plugins.didChange', (event) => {
      told.push(event);
      tell();
    });
    const before = await generationOf();
    await save({ host: 'a.example', password: 'hush', port: 26 });
    expect([await inPages(), await generationOf(), told]).toEqual([
      expect.not.objectContaining({ settings: expect.anything() }),
      before,
      [],
    ]);
    await save({ host: 'a.example', password: SECRET_MASK, port: 26, from: 'us' });
    await isTold;
    expect(told).toEqual([{ id: 'mailer', state: 'enabled', generation: before + 1 }]);
    expect([(await inPages())?.settings, await generationOf()]).toEqual([{ from: 'us' }, before + 1]);
    await save({ host: 'a.example', password: 'hush' });
    await tap.dispose();
  });

  test('are the same over the calls of the v1 API', async () => {
    const at = '/api/v1/db/meta/plugins/mailer';
    type Plugin = { input: string; input_schema: string };
    const { input, input_schema: schema } = (await boss.get<Plugin>(at)).body;
    expect(JSON.parse(input)).toEqual({ host: 'a.example', port: 587, password: SECRET_MASK });
    expect(JSON.parse(schema)).toMatchObject({
      items: [
        { key: 'host', label: 'Server', type: 'SingleLineText', required: true },
        { key: 'port', type: 'Number', required: false },
        { key: 'from', type: 'SingleLineText' },
        { key: 'password', type: 'Password' },
      ],
    });
    const changed = await boss.patch<Plugin>(at, { input: JSON.stringify({ host: 'd.example', port: 26 }) });
    expect(JSON.parse(changed.body.input)).toEqual({ host: 'd.example', port: 26 });
    const trying = (given: object) =>
      boss.post('/api/v1/db/meta/plugins/test', { title: 'Mailer', category: 'Email', input: given });
    expect(await trying({ host: 'e', password: 'hush' })).toMatchObject({ status: 200, body: true });
    expect(await trying({ host: 'down' })).toMatchObject({ status: 400, body: { msg: 'nobody answers' } });
    expect((await boss.get('/api/v1/db/meta/plugins/nobody')).status).toBe(200);
  });

  /** The notes of the audit about settings, the oldest first. */
  async function notesOf(): Promise<readonly string[]> {
    const file = join(server.dataDir, 'trellis.db');
    const database = await openDatabase({ kind: 'sqlite', file }, { name: 'audit' });
    try {
      const rows = await database.read((unit) => unit.all(unit.knex('trellis_log_entry').select('*')));
      return rows.map((row) => JSON.stringify(row)).filter((row) => row.includes('the settings of'));
    } finally {
      await database.close();
    }
  }
  const turn = (to: 'enable' | 'disable') => boss.post(`/api/v1/app-store/plugins/mailer/${to}`, {});

  test('are cleared with their secrets, but not while the plugin is on and needs one of them', async () => {
    await save({ host: 'cleared.example', password: 'hush' });
    const needed = {
      status: 409,
      body: { code: 'PLUGIN_NEEDS_SETTINGS', params: { plugin: 'Mailer', settings: 'Server' } },
    };
    expect(await boss.delete(path)).toMatchObject(needed);
    expect(await boss.patch('/api/v1/db/meta/plugins/mailer', { input: null })).toMatchObject(needed);
    expect((await boss.get(seen)).body).toMatchObject({ host: 'cleared.example', password: 'hush' });
    expect((await turn('disable')).status).toBe(200);
    expect(await boss.delete(path)).toMatchObject({ status: 200, body: { values: { port: 587 } } });
    expect((await boss.get(path)).body).toMatchObject({ values: { port: 587 } });
    const file = join(server.dataDir, 'trellis.db');
    const database = await openDatabase({ kind: 'sqlite', file }, { name: 'settings' });
    const stored = await database.read((unit) =>
      unit.first(unit.knex('trellis_plugin').where({ id: 'mailer' }).select('settings', 'enabled')),
    );
    await database.close();
    expect(stored).toMatchObject({ settings: null });
    expect((await turn('enable')).status).toBe(200);
    expect((await boss.get(seen)).body).toEqual({ port: 587 });
    expect((await notesOf()).at(-1)).toContain(
      'person1@example.com cleared the settings of the plugin Mailer',
    );
  });

  test('are cleared by the v1 API for null, together with the switch', async () => {
    const at = '/api/v1/db/meta/plugins/mailer';
    await save({ host: 'a.example', password: 'hush' });
    const cleared = await boss.patch(at, { input: null, active: false });
    expect(cleared).toMatchObject({ status: 200, body: { active: false, input: null } });
    expect(await boss.patch(at, { active: true })).toMatchObject({ status: 200, body: { active: true } });
    expect((await boss.get(seen)).body).toEqual({ port: 587 });
    // One that has no settings has nothing to clear.
    expect(await boss.patch('/api/v1/db/meta/plugins/sys-rows', { input: null })).toMatchObject({
      status: 200,
      body: { input: null, active: true },
    });
    await save({ host: 'a.example', password: 'hush' });
  });

  test('stay when a client of the v1 API sends a plugin back as it read it, alone or in the list', async () => {
    const all = '/api/v1/db/meta/plugins';
    type Plugin = { id: string; input: string | null };
    const whole = { host: 'kept.example', port: 587, password: 'hush' };
    await save(whole);
    const { list } = (await boss.get<{ list: readonly Plugin[] }>(all)).body;
    const listed = list.find(({ id }) => id === 'mailer');
    expect(listed).toEqual((await boss.get(`${all}/mailer`)).body);
    expect(JSON.stringify(list)).not.toContain('hush');
    const before = await notesOf();
    for (const active of [false, true]) {
      const changed = await boss.patch<Plugin>(`${all}/mailer`, { ...listed, active });
      expect(changed).toMatchObject({ status: 200, body: { active, input: listed?.input } });
    }
    expect((await boss.get(seen)).body).toEqual(whole);
    // Nothing of the settings was said to be changed.
    expect(await notesOf()).toEqual(before);
    // Settings are forgotten with the plugin off, or alone: whoever puts it into use has never read that it has none.
    expect(await boss.patch(`${all}/mailer`, { active: true, input: null })).toMatchObject({ status: 200 });
    expect((await boss.get(seen)).body).toEqual(whole);
  });

  test('that are not whole yet go back with the plugin as they were read, too', async () => {
    const at = '/api/v1/db/meta/plugins/mailer';
    expect(await boss.patch(at, { active: false, input: null })).toMatchObject({ status: 200 });
    const read = (await boss.get<object>(at)).body;
    expect(await boss.patch(at, { ...read, active: true })).toMatchObject({ status: 200 });
    expect((await boss.get(seen)).body).toEqual({ port: 587 });
  });

  test('leave a note of who changed them, without their values', async () => {
    await save({ host: 'noted.example', password: 'hush' });
    const notes = await notesOf();
    expect(notes.at(-1)).toContain('person1@example.com changed the settings of the plugin Mailer');
    expect(notes.join()).not.toMatch(/noted\.example|hush/);
  });

  test('are read, changed and tried by the super admin alone', async () => {
    const other = await server.signUp();
    for (const [client, status] of [
      [other, 403],
      [server.client, 401],
    ] as const) {
      for (const call of [
        client.get(path),
        client.put(path, { input: { host: 'x' } }),
        client.delete(path),
        client.post(`${path}/test`, { input: { host: 'x' } }),
        client.get('/api/v1/db/meta/plugins/mailer'),
        client.patch('/api/v1/db/meta/plugins/mailer', { input: '{}' }),
      ]) {
        expect((await call).status).toBe(status);
      }
    }
  });
});

test('settings reach the other servers, and are there after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-settings-'));
  try {
    let tell = (_: Record<string, unknown>): void => {};
    const told = new Promise<Record<string, unknown>>((resolve) => {
      tell = resolve;
    });
    const one = await createTestServer({ dataDir, plugins: [mailer()] });
    const two = await createTestServer({ dataDir, plugins: [mailer((settings) => tell(settings))] });
    const boss = await one.signUp();
    const settings = { host: 'a.example', port: 25, from: 'us', password: 'hush' };
    const toldPages = new Promise<void>((resolve) => {
      two.host.hooks.tap('test', 'plugins.didChange', () => resolve());
    });
    await boss.put(path, { input: settings });
    await toldPages;
    expect(two.host.plugins.webPlugins().plugins.find(({ id }) => id === 'mailer')?.settings).toEqual({
      from: 'us',
    });
    expect(await told).toEqual(settings);
    expect((await two.client.get(seen)).body).toEqual(settings);
    await Promise.all([one.dispose(), two.dispose()]);
    const later = await createTestServer({ dataDir, plugins: [mailer()] });
    expect((await later.client.get(seen)).body).toEqual(settings);
    await later.dispose();
    // What an earlier version kept is sent back with the form, and goes with the next saving.
    const formerly = { version: '0.9.0', additional: { greeting: { type: 'string' } } };
    const former = await createTestServer({ dataDir, plugins: [mailer(undefined, formerly)] });
    const form = { ...settings, greeting: 'Hello', password: SECRET_MASK };
    const again = (client: TestClient) => client.put<{ values: object }>(path, { input: form });
    expect((await again(former.client.with({ token: boss.token }))).body.values).toMatchObject({
      greeting: 'Hello',
    });
    await former.dispose();
    const updated = await createTestServer({ dataDir, plugins: [mailer()] });
    const saved = await again(updated.client.with({ token: boss.token }));
    expect([saved.status, saved.body.values]).toEqual([200, { ...settings, password: SECRET_MASK }]);
    expect((await updated.client.get(seen)).body).toEqual(settings);
    await updated.dispose();
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('secrets of list items stay with their items where an update drops a key of them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-dropped-key-'));
  const chat = (version: string, item: object) => {
    const token = { type: 'string', format: 'secret' };
    const items = { type: 'object', properties: { channel: { type: 'string' }, token, ...item } };
    return mailer(undefined, { version, additional: { channels: { type: 'array', items } } });
  };
  try {
    const former = await createTestServer({
      dataDir,
      plugins: [chat('0.9.0', { note: { type: 'string' } })],
    });
    const boss = await former.signUp();
    const channels = ['a', 'b'].map((channel) => ({
      channel,
      note: `of ${channel}`,
      token: `to ${channel}`,
    }));
    expect((await boss.put(path, { input: { host: 'one', channels } })).status).toBe(200);
    await former.dispose();
    const updated = await createTestServer({ dataDir, plugins: [chat('1.0.0', {})] });
    const owner = updated.client.with({ token: boss.token });
    const form = (await owner.get<{ values: { channels: object[] } }>(path)).body.values;
    // The form shows nothing that nobody would read any more.
    expect(form.channels).toEqual(['a', 'b'].map((channel) => ({ channel, token: SECRET_MASK })));
    const turned = { ...form, channels: form.channels.toReversed() };
    expect((await owner.put(path, { input: turned })).status).toBe(200);
    expect((await updated.client.get<{ channels: object[] }>(seen)).body.channels).toEqual(
      ['b', 'a'].map((channel) => ({ channel, token: `to ${channel}` })),
    );
    await updated.dispose();
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
