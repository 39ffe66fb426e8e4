import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineRoute } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import {
  createTestServer,
  pluginState as stateOf,
  testPlugin as plugin,
  testRoute as route,
  type TestClient,
  type TestPlugin,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { openDatabase } from '../databases/index.ts';
import { validatorsOf } from '../http/validation.ts';

/** Starts a server with these plugins and looks at one of them. */
async function outcome(id: string, ...plugins: readonly TestPlugin[]) {
  const server = await createTestServer({ plugins });
  try {
    return await stateOf(server, id);
  } finally {
    await server.dispose();
  }
}

describe('a plugin that goes wrong harms itself alone', () => {
  test('when its setup throws', async () => {
    const state = await outcome(
      'throws',
      plugin('throws', (ctx) => {
        ctx.routes(route('hello'));
        throw new Error('out of paper');
      }),
    );
    expect(state).toEqual(['failed', expect.stringContaining('out of paper')]);
  });

  test('when a route asks for a permission that nobody registered', async () => {
    const state = await outcome(
      'unknown-permission',
      plugin('unknown-permission', (ctx) => void ctx.routes(route('hello', undefined, 'flyToTheMoon'))),
    );
    expect(state).toEqual(['failed', expect.stringContaining('flyToTheMoon')]);
  });

  test('when a permission of it does not say who has it', async () => {
    const state = await outcome(
      'half-permission',
      plugin('half-permission', (ctx) => void ctx.register('permissions', { id: 'flyHome' } as never)),
    );
    expect(state).toEqual([
      'failed',
      expect.stringMatching(
        /'flyHome' cannot be used: 'label' is missing; .*'roles' is missing; .*'scope' is/,
      ),
    ]);
  });

  test('when nobody could make views of its type', async () => {
    const state = await outcome(
      'no-board',
      plugin('no-board', (ctx) => void ctx.register('viewTypes', { id: 'board', label: 'Board' })),
    );
    expect(state).toEqual(['failed', expect.stringContaining("the permission 'boardViewCreate' is missing")]);
  });

  test('when it and another one need each other, which the log tells of too', async () => {
    const lines: unknown[][] = [];
    const needing = (id: string, other: string) =>
      plugin(id, () => undefined, { dependencies: { [other]: '*' } });
    const server = await createTestServer({
      plugins: [needing('hen', 'egg'), needing('egg', 'hen')],
      onLog: (...line) => lines.push(line),
    });
    expect(await stateOf(server, 'hen')).toEqual(['incompatible', expect.stringContaining('in a circle')]);
    expect(JSON.stringify(lines)).toContain('Plugins need each other in a circle');
    await server.dispose();
  });

  test('when it serves a product path that its manifest does not list', async () => {
    const state = await outcome(
      'unlisted',
      plugin('unlisted', (ctx) => void ctx.routes(route('/api/v1/somewhere'))),
    );
    expect(state).toEqual(['failed', expect.stringContaining('contributes.routes')]);
  });

  test('when a schema of a route means nothing', async () => {
    const schemas = {
      body: { type: 'object', properties: { name: { type: 'strin' as 'string' } } },
    } as const;
    const state = await outcome(
      'no-schema',
      plugin('no-schema', (ctx) => void ctx.routes({ ...route('names'), method: 'POST', schemas })),
    );
    expect(state).toEqual(['failed', expect.stringContaining('A schema of POST names cannot be used')]);
  });

  test.each(['notificationChannels', 'baseKinds', 'operations'] as const)(
    'when a schema of what it registers under %s means nothing',
    async (registry) => {
      const settings = {
        type: 'object',
        properties: {
          pin: { type: 'string', format: 'secert' },
          number: { type: 'string', pattern: '^[0-9+$' },
        },
      };
      const item = {
        id: 'pager',
        label: 'Pager',
        permission: 'tableGet',
        ...(registry === 'operations' ? { input: settings } : { settings }),
        ...Object.fromEntries(['send', 'run', 'fromConfig', 'target'].map((key) => [key, () => undefined])),
      };
      const id = `misspelt-${registry.toLowerCase()}`;
      const [state, problem] = await outcome(
        id,
        plugin(id, (ctx) => void ctx.register(registry, item as never)),
      );
      expect(state).toBe('failed');
      expect(problem).toContain(`'pager' in ${registry} cannot be used: `);
      expect(problem).toContain(
        '/properties/pin/format names the unknown format "secert"; use one of secret,',
      );
      expect(problem).toContain(
        '/properties/number has the pattern "^[0-9+$", which is not a regular expression',
      );
    },
  );

  test('when a path of it is none', async () => {
    const state = await outcome(
      'no-path',
      plugin('no-path', (ctx) => void ctx.routes(route('names/:id([')), {}),
    );
    expect(state).toEqual(['failed', expect.stringContaining('names/:id([')]);
  });

  test('when it serves what another one serves, by whatever parameter names', async () => {
    const state = await outcome(
      'clash',
      plugin('clash', (ctx) => void ctx.routes(route('/api/v1/db/meta/tables/:other')), {
        contributes: { routes: ['/api/v1/db/meta/tables'] },
        dependencies: { 'sys-tables': '*' },
      }),
    );
    expect(state).toEqual(['failed', expect.stringMatching(/'clash' and 'sys-tables'/)]);
  });

  test('when it registers an id that is taken', async () => {
    const state = await outcome(
      'twin',
      plugin(
        'twin',
        (ctx) => {
          ctx.register('viewTypes', { id: 'of-twin', label: 'Twin' });
          ctx.register('viewTypes', { id: 'grid', label: 'Another grid' });
        },
        { dependencies: { 'view-grid': '*' } },
      ),
    );
    expect(state).toEqual([
      'failed',
      expect.stringContaining("already registered in 'viewTypes' by 'view-grid'"),
    ]);
  });

  test('when it asks for a host or an SDK that this is not', async () => {
    expect(
      await outcome(
        'future',
        plugin('future', () => {}, { engines: { trellis: '>=99' } }),
      ),
    ).toEqual(['incompatible', expect.stringContaining('asks for Trellis >=99')]);
    expect(
      await outcome(
        'contract',
        plugin('contract', () => {}, { sdk: 7 }),
      ),
    ).toEqual(['incompatible', expect.stringContaining('SDK contract 7')]);
  });
});

describe('a running server', () => {
  let server: TestServer;
  let boss: TestClient;
  const log: string[] = [];

  beforeAll(async () => {
    server = await createTestServer({
      plugins: [
        plugin(
          'shop',
          (ctx) => {
            ctx.register('permissions', { id: 'shopRead', label: 'Read', roles: ['user'], scope: 'account' });
            ctx.routes(
              route('/api/v1/shop/open'),
              route('/api/v1/shop/members', undefined, 'shopRead'),
              route('own'),
              route('late', async () => {
                void Promise.reject(new Error('a late error of the shop'));
                return 'served';
              }),
            );
          },
          { contributes: { routes: ['/api/v1/shop'], permissions: [{ id: 'shopRead' }] } },
        ),
        plugin('cashier', (ctx) => void ctx.routes(route('pay')), { dependencies: { shop: '*' } }),
        plugin('noisy', (ctx) => {
          ctx.tap('schema.didChange', () => {
            throw new Error('a hook that always fails');
          });
        }),
        plugin(
          'keeper',
          {
            migrations: [
              {
                id: '001-notes',
                up: (schema) =>
                  schema.createTable('note', {
                    columns: { id: { kind: 'string', length: 40, required: true }, text: { kind: 'text' } },
                    key: ['id'],
                  }),
              },
            ],
            setup(ctx) {
              ctx.routes(
                defineRoute({
                  method: 'POST',
                  path: 'notes',
                  permission: 'public',
                  summary: 'Keep a note',
                  async handle() {
                    await ctx.db.write((unit) =>
                      unit.run(unit.table('note').insert({ id: 'n1', text: 'kept' })),
                    );
                    await ctx.kv.set('count', { notes: 1 });
                    return null;
                  },
                }),
                route('notes', async () => ({
                  notes: await ctx.db.read((unit) => unit.all(unit.table('note').select('id', 'text'))),
                  count: await ctx.kv.get('count'),
                })),
              );
            },
          },
          { contributes: { tables: ['note'] } },
        ),
      ],
      onLog: (level, message, details) => log.push(`${level} ${message} ${JSON.stringify(details)}`),
    });
    boss = await server.signUp();
  });
  afterAll(() => server.dispose());

  const enable = (id: string) => boss.post(`/api/v1/app-store/plugins/${id}/enable`);
  const disable = (id: string, cascade: readonly string[] = []) =>
    boss.post<{ code?: string; msg: string }>(`/api/v1/app-store/plugins/${id}/disable`, { cascade });

  test('switches a plugin off and on without a restart; its paths say who served them', async () => {
    expect((await boss.get('/api/v1/shop/open')).body).toBe('served');
    const refused = await disable('shop');
    expect([refused.status, refused.body.code]).toEqual([409, 'PLUGIN_HAS_DEPENDENTS']);
    expect((await disable('shop', ['cashier'])).status).toBe(200);
    expect(await boss.get('/api/v1/shop/open')).toMatchObject({
      status: 501,
      body: { code: 'PLUGIN_DISABLED', msg: expect.stringContaining('The shop') },
    });
    expect((await boss.get('/api/v1/plugins/cashier/pay')).status).toBeGreaterThanOrEqual(404);
    expect((await enable('shop')).status).toBe(200);
    expect((await enable('cashier')).status).toBe(200);
    expect((await boss.get('/api/v1/shop/open')).body).toBe('served');
    expect((await boss.get('/api/v1/plugins/cashier/pay')).body).toBe('served');
  });

  test('can compile each schema of its routes, which it does when the first request comes', () => {
    const routes = server.host.routes.list().map((entry) => entry.route);
    expect(routes.length).toBeGreaterThan(50);
    for (const of of routes) expect(() => validatorsOf(of)).not.toThrow();
  });

  test('tells browsers a generation only once it is in service', async () => {
    type List = { generation: number; plugins: { id: string }[] };
    const before = (await boss.get<List>('/api/v1/plugins/web')).body;
    await disable('noisy');
    const off = (await boss.get<List>('/api/v1/plugins/web')).body;
    expect(off.generation).toBeGreaterThan(before.generation);
    expect(off.plugins.map(({ id }) => id)).not.toContain('noisy');
    await enable('noisy');
  });

  test('lets only the super admin see and switch plugins', async () => {
    const other = await server.signUp();
    for (const call of [
      other.get('/api/v1/app-store/plugins'),
      other.post('/api/v1/app-store/plugins/shop/disable', { cascade: [] }),
    ]) {
      expect((await call).status).toBe(403);
    }
    expect((await server.client.post('/api/v1/app-store/plugins/shop/disable', {})).status).toBe(401);
  });

  test('says what people call that which a plugin brings: by its manifest, or by what it registers', async () => {
    const { body } = await boss.get<{ list: readonly PluginEntity[] }>('/api/v1/app-store/plugins');
    const labelsOf = (id: string) => body.list.find((plugin) => plugin.id === id)?.labels;
    expect(labelsOf('columns-select')).toMatchObject({
      columnTypes: { SingleSelect: 'Single select', MultiSelect: 'Multiple select' },
      filterOperators: { anyof: expect.any(String) },
    });
    expect(labelsOf('column-attachment')?.['permissions']).toMatchObject({ upload: 'Upload files' });
  });

  test('survives a hook that always fails, and suspends it after twenty times', async () => {
    const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Noise' });
    for (let count = 0; count < 20; count += 1) {
      const made = await boss.post(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
        title: `T${count}`,
        columns: [{ title: 'Id', uidt: 'ID', pk: true, ai: true }],
      });
      expect(made.status).toBe(200);
    }
    expect(await stateOf(server, 'noisy')).toEqual(['degraded', expect.stringContaining('schema.didChange')]);
    expect((await enable('noisy')).status).toBe(200);
    expect(await stateOf(server, 'noisy')).toEqual(['enabled', undefined]);
  });

  test("keeps a plugin's tables and values while it is off", async () => {
    await boss.post('/api/v1/plugins/keeper/notes');
    await disable('keeper');
    await enable('keeper');
    expect((await boss.get('/api/v1/plugins/keeper/notes')).body).toEqual({
      notes: [{ id: 'n1', text: 'kept' }],
      count: { notes: 1 },
    });
  });
});

describe('a plugin that is slow to start', () => {
  test('keeps nobody from the server, and is announced once it is there', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = plugin(
      'slow',
      async (ctx) => {
        ctx.routes(route('/api/v1/slow'), route('own'));
        await finished;
      },
      { contributes: { routes: ['/api/v1/slow'] } },
    );
    const next = plugin('slower', (ctx) => void ctx.routes(route('own')));
    const server = await createTestServer({ plugins: [slow, next], listensEarly: true });
    try {
      const boss = await server.signUp();
      type List = { generation: number; plugins: { id: string }[] };
      const listed = async () => (await boss.get<List>('/api/v1/plugins/web')).body;
      const before = await listed();
      expect(before.plugins.map(({ id }) => id)).toContain('view-grid');
      expect(before.plugins.map(({ id }) => id)).not.toContain('slow');
      expect((await stateOf(server, 'slow'))[0]).toBe('starting');
      expect((await stateOf(server, 'slower'))[0]).toBe('starting');
      for (const path of ['/api/v1/slow', '/api/v1/plugins/slow/own', '/api/v1/plugins/slower/own']) {
        const answer = await boss.get(path);
        expect(answer).toMatchObject({ status: 503, body: { code: 'PLUGIN_STARTING' } });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const told = new Promise<number>((resolve) => {
        server.host.hooks.tap('test', 'plugins.didChange', ({ id, generation }) => {
          if (id === 'slower') resolve(generation);
        });
      });
      finish();
      expect(await told).toBeGreaterThan(before.generation);
      expect((await listed()).plugins.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['slow', 'slower']),
      );
      for (const path of ['/api/v1/slow', '/api/v1/plugins/slow/own', '/api/v1/plugins/slower/own']) {
        expect((await boss.get(path)).body).toBe('served');
      }
      expect((await boss.get('/api/v1/plugins/slow/elsewhere')).status).toBe(404);
    } finally {
      finish();
      await server.dispose();
    }
  });

  test('is in service after the next start where the server was stopped meanwhile', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-stopped-'));
    let isSlow = true;
    const plugins = [
      plugin('slow', () => (isSlow ? new Promise(() => undefined) : undefined)),
      plugin('slower', () => undefined),
    ];
    const first = await createTestServer({ dataDir, plugins, listensEarly: true });
    expect((await stateOf(first, 'slow'))[0]).toBe('starting');
    await first.dispose();
    isSlow = false;
    const second = await createTestServer({ dataDir, plugins });
    expect([await stateOf(second, 'slow'), await stateOf(second, 'slower')]).toEqual([
      ['enabled', undefined],
      ['enabled', undefined],
    ]);
    await second.dispose();
    await rm(dataDir, { recursive: true });
  });
});

describe('the operator', () => {
  test('can lock the plugins', async () => {
    const server = await createTestServer({ env: { TRELLIS_PLUGINS: 'locked' } });
    const boss = await server.signUp();
    const answer = await boss.post<{ code: string }>('/api/v1/app-store/plugins/column-rating/disable', {});
    expect([answer.status, answer.body.code]).toEqual([403, 'PLUGINS_LOCKED']);
    await server.dispose();
  });

  test('can start with the system plugins alone, without a decision being lost', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-safe-'));
    const bad = plugin('bad', () => {
      throw new Error('never reached in safe mode');
    });
    const safe = await createTestServer({ dataDir, argv: ['--safe-mode'], plugins: [bad] });
    const states = safe.host.plugins.list().filter(({ system }) => !system);
    expect(states.every(({ state }) => state !== 'enabled')).toBe(true);
    expect((await safe.signUp()).token).toBeDefined();
    await safe.dispose();
    const usual = await createTestServer({ dataDir });
    expect(await stateOf(usual, 'column-rating')).toEqual(['enabled', undefined]);
    await usual.dispose();
    await rm(dataDir, { recursive: true });
  });

  test('has nothing written about plugins that start as they did before, but the marks of those that could be left off', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-again-'));
    const run = async () => {
      const server = await createTestServer({ dataDir });
      const states = server.host.plugins.list().map(({ id, state }) => [id, state]);
      const systemIds = server.host.plugins.list().flatMap(({ id, system }) => (system ? [id] : []));
      await server.dispose();
      const file = join(dataDir, 'trellis.db');
      const database = await openDatabase({ kind: 'sqlite', file }, { name: 'again' });
      const rows = await database.read((unit) =>
        unit.all<Record<string, unknown>>(unit.knex('trellis_plugin').orderBy('id')),
      );
      await database.close();
      const ofSystem = rows.filter(({ id }) => systemIds.includes(String(id)));
      const others = rows.filter(({ id }) => !systemIds.includes(String(id)));
      return { states, ofSystem, others: others.map((row) => ({ ...row, updated_at: 0 })) };
    };
    const first = await run();
    expect(first.ofSystem.length).toBeGreaterThan(5);
    expect(first.others).toContainEqual(
      expect.objectContaining({ id: 'column-rating', enabled: 1, starting_since: null, reason: null }),
    );
    expect(await run()).toEqual(first);
    await rm(dataDir, { recursive: true });
  });

  test('is the only plugin that is marked as starting while it starts, at the first start and later ones', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-marked-'));
    const marked: unknown[] = [];
    const readMarked = async () => {
      const target = { kind: 'sqlite', file: join(dataDir, 'trellis.db') } as const;
      const database = await openDatabase(target, { name: 'marked' });
      const rows = await database.read((unit) =>
        unit.all<{ id: string }>(
          unit.knex('trellis_plugin').whereNotNull('starting_since').orderBy('id').select('id'),
        ),
      );
      await database.close();
      return rows.map(({ id }) => id);
    };
    const plugins = ['first', 'second'].map((id) =>
      plugin(id, async () => void marked.push([id, await readMarked()])),
    );
    for (let start = 0; start < 2; start += 1) {
      const server = await createTestServer({ dataDir, plugins });
      expect(marked.splice(0)).toEqual([
        ['first', ['first']],
        ['second', ['second']],
      ]);
      expect(await readMarked()).toEqual([]);
      await server.dispose();
    }
    await rm(dataDir, { recursive: true });
  });

  test.each([
    ['on another machine', '999999@elsewhere', 60_000],
    ['in a container whose process gets the same pid again', `${process.pid}@${hostname()}@earlier`, 0],
    ['in such a container, under a former version', `${process.pid}@${hostname()}`, 0],
  ])('finds a plugin off after it took the host down %s, and is told why', async (_, starter, age) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-crash-'));
    const risky = plugin('risky', () => {});
    const first = await createTestServer({ dataDir, plugins: [risky] });
    await first.dispose();
    // What a process leaves that died while it started the plugin.
    const database = await openDatabase(
      { kind: 'sqlite', file: join(dataDir, 'trellis.db') },
      { name: 'crash' },
    );
    await database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_plugin')
          .where({ id: 'risky' })
          .update({ starting_since: Date.now() - age, reason: starter }),
      ),
    );
    await database.close();
    const second = await createTestServer({ dataDir, plugins: [risky] });
    expect(await stateOf(second, 'risky')).toEqual([
      'disabled',
      expect.stringContaining('was starting when'),
    ]);
    await second.host.plugins.enable('risky');
    expect(await stateOf(second, 'risky')).toEqual(['enabled', undefined]);
    await second.dispose();
    await rm(dataDir, { recursive: true });
  });

  test('sees a broken folder with what is wrong in it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-broken-'));
    const folder = join(dataDir, 'plugins/wreck/1.0.0');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'plugin.json'), '{"id":"wreck","name":');
    const server = await createTestServer({ dataDir });
    expect((await stateOf(server, 'wreck'))[0]).toBe('incompatible');
    await server.dispose();
    await rm(dataDir, { recursive: true });
  });

  test('decides for two servers at once', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-two-'));
    const [one, two] = await Promise.all([createTestServer({ dataDir }), createTestServer({ dataDir })]);
    expect(await stateOf(two, 'column-rating')).toEqual(['enabled', undefined]);
    const followed = new Promise<void>((resolve) => {
      two.host.hooks.tap('test', 'plugins.didChange', ({ id, state }) => {
        if (id === 'column-rating' && state === 'disabled') resolve();
      });
    });
    await one.host.plugins.disable('column-rating', { cascade: [] });
    await followed;
    expect(await stateOf(two, 'column-rating')).toEqual(['disabled', undefined]);
    await Promise.all([one.dispose(), two.dispose()]);
    await rm(dataDir, { recursive: true });
  });

  test('loses no decision that another server took just before one of its own', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-crossed-'));
    const plugins = [plugin('left', () => {}), plugin('right', () => {})];
    const one = await createTestServer({ dataDir, plugins });
    const two = await createTestServer({ dataDir, plugins });
    const switchedOff = (server: TestServer, wanted: string) =>
      new Promise<void>((resolve) => {
        server.host.hooks.tap('test', 'plugins.didChange', ({ id, state }) => {
          if (id === wanted && state === 'disabled') resolve();
        });
      });
    const both = [switchedOff(two, 'left'), switchedOff(one, 'right')];
    await one.host.plugins.disable('left', { cascade: [] });
    await two.host.plugins.disable('right', { cascade: [] });
    await Promise.all(both);
    expect(await stateOf(two, 'left')).toEqual(['disabled', undefined]);
    expect(await stateOf(one, 'right')).toEqual(['disabled', undefined]);
    await Promise.all([one.dispose(), two.dispose()]);
    await rm(dataDir, { recursive: true });
  });
});
