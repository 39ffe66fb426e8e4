import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineRoute, defineServerPlugin, PasswordHasherToken } from '@trellis/sdk/server';
import { openDatabase } from './databases/index.ts';
import { createHost } from './host.ts';
import { migrate } from './metadata/migrate.ts';
import { migrations } from './metadata/migrations.ts';
import { MetadataToken } from './metadata/tokens.ts';
import { loadConfig } from './runtime/config/config.ts';
import { createLeases } from './runtime/leases.ts';
import { askUntil, createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

describe('a fresh server', () => {
  let server: TestServer;
  /** The first one, who administers it. */
  let ann: TestClient;
  const log: string[] = [];
  beforeAll(async () => {
    server = await createTestServer({ onLog: (level, message) => level !== 'debug' && log.push(message) });
  });
  afterAll(() => server.dispose());

  test('runs every built-in plugin that is not off until wanted, and logs no complaint', () => {
    const plugins = server.host.plugins.list();
    expect(plugins.length).toBeGreaterThanOrEqual(9);
    const others = plugins.filter(({ state }) => state !== 'enabled');
    const offUntilWanted = [
      'discord',
      'matrix',
      'mattermost',
      'slack',
      'teams',
      'telegram',
      'twilio',
      'whatsapp',
    ];
    expect(others.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      ...['mailgun', 'postmark', 'sendgrid', 'ses'].map((mail) => [`app-${mail}`, 'discovered', undefined]),
      ...offUntilWanted.map((chat) => [`channel-${chat}`, 'discovered', undefined]),
      ['storage-azure', 'discovered', undefined],
      ['storage-s3', 'discovered', undefined],
      ['two-factor', 'discovered', undefined],
    ]);
    expect(log).toEqual([]);
  });

  test('tells everybody its health, and only members its version', async () => {
    expect(await server.client.get('/api/v1/health')).toMatchObject({ status: 200, body: { message: 'OK' } });
    const { body } = await server.client.get<Record<string, unknown>>('/api/v1/db/meta/nocodb/info');
    expect(body).toMatchObject({ authType: 'jwt', firstUser: true, projectHasAdmin: false });
    expect(body).not.toHaveProperty('version');
  });

  test('looks at its health once for many who ask, so that nobody can keep it busy', async () => {
    let looks = 0;
    const check = server.host.registries.get('healthChecks').register(
      {
        id: 'counted',
        check: () => {
          looks += 1;
          return Promise.resolve({ ok: true });
        },
      },
      'test',
    );
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.client.get('/api/v1/health')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // A look is good for a second, and a busy machine may take longer than that for fifty answers.
    expect(looks).toBeLessThan(25);
    await check.dispose();
  });

  test('takes a person from sign-up to rows', async () => {
    ann = await server.signUp('ann@example.com');
    expect((await ann.get('/api/v1/auth/user/me')).body).toMatchObject({
      email: 'ann@example.com',
      roles: { user: true, super: true },
    });
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Orders' });
    expect(project.status).toBe(200);
    const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Customers',
      table_name: 'Customers',
      columns: [
        { title: 'Id', column_name: 'id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', column_name: 'name', uidt: 'SingleLineText' },
      ],
    });
    expect(table).toMatchObject({ status: 200, body: { title: 'Customers' } });
    const rows = '/api/v1/db/data/noco/Orders/Customers';
    expect(await ann.post(rows, { Name: 'Ida' })).toMatchObject({ status: 200, body: { Name: 'Ida' } });
    expect((await ann.get(rows)).body).toMatchObject({
      list: [{ Name: 'Ida' }],
      pageInfo: { totalRows: 1 },
    });
    expect((await ann.get('/api/v1/db/meta/nocodb/info')).body).toMatchObject({ firstUser: false });
  });

  test('tells everybody what keeps it from its work, and those who administer it what is said of that', async () => {
    const check = { id: 'mail', check: async () => ({ ok: false, message: 'No paper.' }) };
    const ill = server.host.registries.get('healthChecks').register(check, 'acme-mail');
    // One look is good for a second.
    const health = (who: TestClient) =>
      askUntil(
        () => who.get('/api/v1/health'),
        ({ status }) => status === 503,
      );
    const causes = ['plugin acme-mail'];
    const told = await health(server.client);
    expect(told.body).toEqual({
      code: 'NOT_HEALTHY',
      msg: 'This server cannot do its work at the moment, because of: plugin acme-mail',
      params: { causes },
    });
    const problems = [{ kind: 'check', plugin: 'acme-mail', check: 'mail', message: 'No paper.' }];
    expect((await health(ann)).body).toMatchObject({ params: { causes, problems } });
    await ill.dispose();
  });

  test('keeps small values of a person, and nobody else sees them', async () => {
    const [one, two] = [await server.signUp(), await server.signUp()];
    await one.put('/api/v1/user-storage', { 'shell.theme': 'dark', 'shell.tabs': [1] });
    await one.put('/api/v1/user-storage', { 'shell.tabs': null });
    expect((await one.get('/api/v1/user-storage')).body).toEqual({ 'shell.theme': 'dark' });
    expect((await two.get('/api/v1/user-storage')).body).toEqual({});
    expect((await one.put('/api/v1/user-storage', { a: 'x'.repeat(50_000) })).status).toBe(400);
    for (let part = 0; part < 10; part += 1) {
      const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${part}.${index}`, 1]));
      expect((await two.put('/api/v1/user-storage', many)).status).toBe(200);
    }
    expect(await two.put('/api/v1/user-storage', { more: 1 })).toMatchObject({
      status: 400,
      body: { code: 'STORAGE_TOO_MANY', msg: 'At most 500 values are kept for one person.' },
    });
    expect((await server.client.get('/api/v1/user-storage')).status).toBe(401);
    const chunk = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, 'x'.repeat(20_000)]));
    const kept = [];
    for (let index = 0; index < 20; index += 1) {
      const values = Object.fromEntries(Object.entries(chunk).map(([key, text]) => [`${key}${index}`, text]));
      kept.push((await one.put('/api/v1/user-storage', values)).status);
    }
    expect(kept).toEqual([...Array<number>(17).fill(200), 413, 413, 413]);
    expect(await one.put('/api/v1/user-storage', { more: 'x'.repeat(30_000) })).toMatchObject({
      status: 413,
      body: { msg: expect.stringContaining('At most 1024 KB') },
    });
    expect((await one.put('/api/v1/user-storage', { a0: null })).status).toBe(200);
  });

  test('a browser that reports many errors of a plugin replaces neither those of others nor those of another plugin', async () => {
    const [loud, quiet] = [await server.signUp('loud@example.com'), await server.signUp('quiet@example.com')];
    const report = (client: TestClient, message: string, pluginId = 'sys-rows') =>
      client.post('/api/v1/plugins/client-errors', { pluginId, where: 'grid', message });
    const errorsOf = (plugin: string) => {
      const { errors = [] } = server.host.plugins.list().find(({ id }) => id === plugin) ?? {};
      return errors.map(({ message }) => message);
    };
    expect((await report(quiet, 'mine')).status).toBe(200);
    let kept = 0;
    // 30 at once, and one more for each two seconds that these take.
    while (kept < 200 && (await report(loud, `${kept}`)).status === 200) kept += 1;
    expect(kept).toBeGreaterThanOrEqual(30);
    expect(kept).toBeLessThan(200);
    const last = [1, 2, 3, 4, 5].map((back) => `${kept - back}`);
    expect(errorsOf('sys-rows')).toEqual([...last, 'mine']);
    for (const message of ['no tabs', 'no tabs', 'no menu', 'no tabs'])
      expect((await report(loud, message, 'sys-tables')).status).toBe(200);
    expect(errorsOf('sys-tables')).toEqual(['no tabs', 'no menu']);
  });

  test('a plugin whose page half did not start in a browser says so beside its state', async () => {
    const ann = await server.signUp('page-half@example.com');
    const noticesOf = (plugin: string) =>
      server.host.plugins.list().find(({ id }) => id === plugin)?.notices ?? [];
    expect(noticesOf('sys-views')).toEqual([]);
    const failure = { pluginId: 'sys-views', where: 'start', message: 'no luck' };
    expect((await ann.post('/api/v1/plugins/client-errors', failure)).status).toBe(200);
    expect(noticesOf('sys-views')).toEqual([
      'Its page half did not start in a browser: no luck; update it, or tell its author.',
    ]);
  });

  test('tells browsers which plugins run, and nothing that an administrator decides by', async () => {
    const { body } = await server.client.get<{ generation: number; plugins: Record<string, unknown>[] }>(
      '/api/v1/plugins/web',
    );
    expect(body.plugins.map(({ id }) => id)).toContain('sys-users');
    expect(JSON.stringify(body)).not.toMatch(/"permissions":\["/);
    expect(JSON.stringify(body.plugins.map(({ manifest }) => manifest))).not.toContain('"settings"');
    // What their schema lets the page know, and nothing else.
    const told = body.plugins.flatMap(({ id, settings }) => (settings === undefined ? [] : [[id, settings]]));
    expect(Object.fromEntries(told)).toEqual({
      'column-attachment': { maximumMegabytes: expect.any(Number) },
    });
  });

  test('keeps its secret to the owner of the process', async () => {
    expect((await stat(join(server.dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  });
});

describe('starting', () => {
  test('the same data serves the same people again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-again-'));
    const first = await createTestServer({ dataDir });
    const ann = await first.signUp('ann@example.com');
    await first.dispose();
    const second = await createTestServer({ dataDir });
    const me = await second.client.with({ token: ann.token }).get('/api/v1/auth/user/me');
    expect(me.body).toMatchObject({ email: 'ann@example.com' });
    await second.dispose();
    await rm(dataDir, { recursive: true });
  });

  test('passwords are hashed at their full cost unless somebody asks for less', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-full-cost-'));
    const { config } = loadConfig({ TRELLIS_DATA_DIR: dataDir, TRELLIS_LOG_LEVEL: 'silent' }, [], dataDir);
    const host = await createHost(config);
    const hash = await host.container.get(PasswordHasherToken).hash('Password-1');
    expect(hash.split('$').slice(0, 4)).toEqual(['scrypt', '32768', '8', '1']);
    await host.stop();
    await rm(dataDir, { recursive: true });
  });

  test('a file that is no database is refused in words and left as it is', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-damaged-'));
    const file = join(dataDir, 'trellis.db');
    await writeFile(file, 'no database at all'.repeat(1000));
    await expect(createTestServer({ dataDir })).rejects.toThrow(/not a SQLite database/);
    expect((await readFile(file, 'utf8')).startsWith('no database at all')).toBe(true);
    await rm(dataDir, { recursive: true });
  });

  test('an emptied metadata file is no new server: nobody may become its first administrator', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-emptied-'));
    const first = await createTestServer({ dataDir });
    await first.dispose();
    const file = join(dataDir, 'trellis.db');
    await writeFile(file, '');
    await expect(createTestServer({ dataDir })).rejects.toThrow(
      /trellis\.db is empty.*secret shows that this server has been used.*backup.*move the data folder away/,
    );
    expect((await stat(file)).size).toBe(0);
    await rm(dataDir, { recursive: true });
  });

  test('an empty file that nobody has used yet is a new server', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-touched-'));
    await writeFile(join(dataDir, 'trellis.db'), '');
    // A first start that was killed at its beginning leaves its lock behind.
    await mkdir(join(dataDir, 'trellis.db-servers'));
    await writeFile(join(dataDir, 'trellis.db-servers/killed'), '');
    const server = await createTestServer({ dataDir });
    expect((await server.signUp()).token).toBeDefined();
    await server.dispose();
    await rm(dataDir, { recursive: true });
  });

  test('a folder that cannot be written is named, with what to do', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-closed-'));
    await chmod(dataDir, 0o500);
    // Whoever may do everything is not kept out by a mode.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(createTestServer({ dataDir })).rejects.toThrow(
        `The folder ${dataDir} cannot be written (EACCES); make it writable, or set TRELLIS_DATA_DIR to another one.`,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    await rm(dataDir, { recursive: true });
  });

  test('metadata of a version before are copied before something is taken away from them', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-former-'));
    const file = join(dataDir, 'trellis.db');
    const former = await openDatabase({ kind: 'sqlite', file, create: true }, { name: 'former' });
    await migrate(former, createLeases(former), { migrations: migrations.slice(0, 2) });
    await former.close();
    const server = await createTestServer({ dataDir });
    await server.dispose();
    const copy = await openDatabase(
      { kind: 'sqlite', file: `${file}.before-003-change-log` },
      { name: 'copy' },
    );
    expect(await copy.schema((changer) => changer.hasTable('trellis_change'))).toBe(true);
    await copy.close();
    await rm(dataDir, { recursive: true });
  });

  test('a write to another database that was cut off is settled by the next start', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-cut-off-'));
    const former = await createTestServer({ dataDir });
    const { database } = former.host.container.get(MetadataToken);
    const entry = {
      projectId: 'p_gone',
      tableId: 'md_gone',
      kind: 'row',
      op: 'update',
      columns: [],
      rows: [],
    };
    const announced = {
      operation_id: 'op_1',
      part: 0,
      state: 'pending',
      at: Date.now(),
      entry: JSON.stringify(entry),
    };
    await database.write((unit) => unit.run(unit.knex('trellis_pending').insert(announced)));
    await former.dispose();
    const server = await createTestServer({ dataDir });
    const next = server.host.container.get(MetadataToken).database;
    const state = async () => {
      const row = await next.read((unit) =>
        unit.first<{ state: string }>(unit.knex('trellis_pending').select('state')),
      );
      return row?.state;
    };
    // Its table is gone, so nobody can tell whether it happened.
    expect(await askUntil(state, (now) => now !== 'pending')).toBe('unknown');
    await server.dispose();
    await rm(dataDir, { recursive: true });
  });

  test('a taken port is said in words, and nothing is left open', async () => {
    const one = await createTestServer();
    const port = new URL(one.url).port;
    await expect(createTestServer({ env: { PORT: port } })).rejects.toThrow(
      new RegExp(`Port ${port}.*is taken.*PORT`),
    );
    await one.dispose();
  });

  test('a failing system plugin stops the start with its reason', async () => {
    const broken = {
      manifest: {
        id: 'sys-broken',
        name: 'Broken',
        version: '1.0.0',
        category: 'system',
        engines: { trellis: '*' },
        sdk: 1,
        system: true,
      },
      origin: 'built-in' as const,
      server: defineServerPlugin({
        setup() {
          throw new Error('no flour left');
        },
      }),
    };
    await expect(createTestServer({ plugins: [broken] })).rejects.toThrow(/sys-broken.*no flour left/);
  });
});

describe('stopping', () => {
  function slowPlugin() {
    let finish: (() => void) | undefined;
    let began: (() => void) | undefined;
    const started = new Promise<void>((resolve) => {
      began = resolve;
    });
    const plugin = {
      manifest: {
        id: 'slow',
        name: 'Slow',
        version: '1.0.0',
        category: 'app',
        engines: { trellis: '*' },
        sdk: 1,
        enabledByDefault: true,
      },
      server: defineServerPlugin({
        setup(ctx) {
          ctx.routes(
            defineRoute({
              method: 'GET',
              path: 'slow',
              permission: 'public',
              summary: 'Answers when it is told to',
              async handle() {
                began?.();
                await new Promise<void>((resolve) => {
                  finish = resolve;
                });
                return 'done';
              },
            }),
          );
        },
      }),
    };
    return { plugin, started, finish: () => finish?.() };
  }

  test('a request that is running gets its answer; a new one is told to come back', async () => {
    const slow = slowPlugin();
    const server = await createTestServer({ plugins: [slow.plugin] });
    const answer = server.client.get('/api/v1/plugins/slow/slow');
    await slow.started;
    const stopped = server.dispose();
    // Requests that came before the server closed its door are answered.
    const isRefused = () =>
      fetch(`${server.url}/api/v1/version`).then(
        ({ ok }) => !ok,
        () => true,
      );
    while (!(await isRefused()));
    slow.finish();
    expect(await answer).toMatchObject({ status: 200, body: 'done' });
    await stopped;
  });

  test('a request that never ends is cut off after its time', async () => {
    const slow = slowPlugin();
    const server = await createTestServer({ plugins: [slow.plugin] });
    const answer = server.client.get('/api/v1/plugins/slow/slow');
    answer.catch(() => undefined);
    await slow.started;
    await Promise.all([server.dispose(), expect(answer).rejects.toThrow('fetch failed')]);
    slow.finish();
  });
});
