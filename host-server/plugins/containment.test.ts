import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTestServer,
  pluginState as stateOf,
  testPlugin as plugin,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import type { ServerPlugin } from '@trellis/sdk/server';
import { DatabaseError } from '../databases/index.ts';
import { NotDecided, predicateOfStored, Veto, type LinkedFilterInput } from '@trellis/sdk/shared';

interface Refusal {
  readonly code: string;
  readonly msg: string;
  readonly params?: object;
}

describe('a plugin that is asked before rows are written', () => {
  let server: TestServer;
  let boss: TestClient;
  let tableId = '';
  /** What the guard does at its next call. */
  let behave: (rows: readonly object[]) => unknown = () => undefined;

  beforeAll(async () => {
    server = await createTestServer({
      plugins: [
        plugin(
          'guard',
          (ctx) => {
            ctx.tap('rows.willCreate', (rows) => behave(rows) as typeof rows);
          },
          { contributes: { hooks: ['rows.willCreate'] } },
        ),
      ],
    });
    boss = await server.signUp();
    const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Guarded' });
    const table = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Words',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Note', uidt: 'SingleLineText' },
      ],
    });
    tableId = table.body.id;
  });
  afterAll(() => server.dispose());

  const insert = (rows: readonly object[]) =>
    boss.post<Refusal>(`/api/v1/db/data/bulk/noco/Guarded/${tableId}`, rows);
  const count = async () =>
    (await boss.get<{ count: number }>(`/api/v1/db/data/noco/Guarded/${tableId}/count`)).body.count;
  const errorsOf = (id: string) => server.host.plugins.list().find((of) => of.id === id)?.errors ?? [];

  test.each<[string, typeof behave, string]>([
    ['fewer rows', (rows) => rows.slice(1), 'returned 1 of 2 rows'],
    ['more rows', (rows) => [...rows, { Name: 'mine' }], 'returned 3 of 2 rows'],
    ['no list', () => true, 'returned a boolean'],
    ['something that is no row', () => ['a', 'b'], 'number 1 is no object'],
    ['rows without what a person sent', (rows) => rows.map(() => ({ Name: 'x' })), "has lost 'Note'"],
    ['nothing, after it took rows away in place', (rows) => void (rows as object[]).pop(), 'Cannot delete'],
    ['an error', () => Promise.reject(new TypeError('flux')), 'flux'],
  ])('cannot lose rows by giving %s', async (_, does, reason) => {
    behave = does;
    const before = errorsOf('guard').length;
    const blamed = errorsOf('sys-rows');
    const refused = await insert([
      { Name: 'a', Note: 'one' },
      { Name: 'b', Note: 'two' },
    ]);
    expect(refused).toMatchObject({ status: 500, body: { code: 'HOOK_FAILED' } });
    expect(refused.body.msg).toContain('The guard');
    expect(await count()).toBe(0);
    expect(errorsOf('guard')).toHaveLength(before + 1);
    expect(errorsOf('guard')[0]?.where).toBe('rows.willCreate');
    expect(errorsOf('guard')[0]?.message).toContain(reason);
    expect(errorsOf('sys-rows')).toEqual(blamed);
  });

  test('holds up no row for longer than its time, and is told of as the one that never answered', async () => {
    behave = () => new Promise(() => {});
    const before = errorsOf('guard').length;
    const refused = await insert([{ Name: 'a' }]);
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'HOOK_TIMEOUT', msg: expect.stringContaining('The guard') },
    });
    expect(await count()).toBe(0);
    expect(errorsOf('guard')).toHaveLength(before + 1);
    expect(errorsOf('guard')[0]?.where).toBe('rows.willCreate');
  });

  test('names the row and the column of a veto', async () => {
    behave = () => {
      throw new Veto('BANNED', "'Name' must not be 'b'.", { row: 2, column: 'Name' });
    };
    expect(await insert([{ Name: 'a' }, { Name: 'b' }])).toMatchObject({
      status: 400,
      body: { code: 'BANNED', params: { row: 2, column: 'Name' } },
    });
  });

  test('is passed by nothing that it fails on, however often it failed, and by what it lets pass', async () => {
    behave = (rows) => {
      if (rows.some((row) => (row as { Name?: string }).Name === 'bad')) throw new TypeError('for ever');
    };
    for (let refused = 0; refused < 25; refused += 1) await insert([{ Name: 'bad' }]);
    expect(await insert([{ Name: 'bad' }])).toMatchObject({
      status: 503,
      body: { code: 'HOOK_OUT_OF_ORDER', msg: expect.stringContaining('The guard') },
    });
    expect(await count()).toBe(0);
    expect(await stateOf(server, 'guard')).toEqual(['degraded', expect.stringContaining('rows.willCreate')]);
    const card = server.host.plugins.list().find(({ id }) => id === 'guard');
    expect([card?.refusing, card?.suspended]).toEqual([['tap on rows.willCreate'], []]);
    expect((await insert([{ Name: 'good' }])).status).toBe(200);
    expect((await boss.post('/api/v1/app-store/plugins/guard/enable')).status).toBe(200);
    expect(await stateOf(server, 'guard')).toEqual(['enabled', undefined]);
    expect(await insert([{ Name: 'bad' }])).toMatchObject({ status: 500, body: { code: 'HOOK_FAILED' } });
    expect((await boss.post('/api/v1/app-store/plugins/guard/disable', {})).status).toBe(200);
    expect((await insert([{ Name: 'bad' }])).status).toBe(200);
  });
});

test.each<[string, () => unknown, string]>([
  [
    'throws',
    () => {
      throw new TypeError('no mercury');
    },
    'no mercury',
  ],
  ['answers with a text', () => 'warm', '\'parse\' gave "warm"; it answers { ok: true, value }'],
])(
  'a column type whose parse %s is an error of its plugin, and the write is refused',
  async (_, does, why) => {
    let behave: (input: unknown) => unknown = (input) => ({ ok: true, value: input ?? null });
    const type = {
      id: 'Warmth',
      label: 'Warmth',
      icon: 'sun',
      storage: 'string',
      accepts: ['string'],
      fallback: 'SingleLineText',
      operators: [],
      parse: (input: unknown) => behave(input),
      format: (value: string | null) => value ?? '',
      examples: [],
    };
    const server = await createTestServer({
      plugins: [plugin('weather', (ctx) => void ctx.register('columnTypes', type as never))],
    });
    try {
      const boss = await server.signUp();
      const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Sky' });
      const table = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
        title: 'Days',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Felt', uidt: 'Warmth' },
        ],
      });
      behave = does;
      const path = `/api/v1/db/data/noco/Sky/${table.body.id}`;
      expect(await boss.post<Refusal>(path, { Felt: 'warm' })).toMatchObject({
        status: 500,
        body: { code: 'COLUMN_TYPE_FAILED', msg: expect.stringContaining("'Warmth'") },
      });
      const errorsOf = (id: string) => server.host.plugins.list().find((of) => of.id === id)?.errors ?? [];
      expect(errorsOf('weather')[0]?.message).toContain(why);
      expect(errorsOf('sys-rows')).toEqual([]);
    } finally {
      await server.dispose();
    }
  },
);

describe('a column type that fails where others ask it', () => {
  let server: TestServer;
  let boss: TestClient;
  let projectId = '';
  let path = '';
  let columnId = '';
  /** What its functions do at their next call. */
  let behave: { parse?: () => unknown; format?: () => unknown; checkOptions?: () => unknown } = {};
  const fail = (): never => {
    throw new TypeError('no mercury');
  };

  beforeAll(async () => {
    const type = {
      id: 'Warmth',
      label: 'Warmth',
      icon: 'sun',
      storage: 'integer',
      accepts: ['integer'],
      fallback: 'Number',
      operators: ['eq'],
      options: { schema: { type: 'object', properties: { of: { type: 'string' } } }, defaults: { of: '' } },
      checkOptions: () => behave.checkOptions?.(),
      parse: (input: unknown) => behave.parse?.() ?? { ok: true, value: Number(input) },
      format: (value: number | null) => (behave.format ?? (() => `${value} K`))(),
      examples: [],
    };
    server = await createTestServer({
      plugins: [plugin('weather', (ctx) => void ctx.register('columnTypes', type as never))],
    });
    boss = await server.signUp();
    projectId = (await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Sky' })).body.id;
    const table = await boss.post<{ id: string; columns: readonly { id: string; title: string }[] }>(
      `/api/v1/db/meta/projects/${projectId}/tables`,
      {
        title: 'Days',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Felt', uidt: 'Warmth' },
        ],
      },
    );
    path = `/api/v1/db/data/noco/Sky/${table.body.id}`;
    columnId = table.body.columns.find(({ title }) => title === 'Felt')?.id ?? '';
    for (const Felt of [280, 290]) await boss.post(path, { Felt });
  });
  beforeEach(() => {
    behave = {};
  });
  afterAll(() => server.dispose());

  const told = () =>
    server.host.plugins
      .list()
      .flatMap(({ id, errors }) => errors.map(({ where, message }) => `${id} in ${where}: ${message}`));

  test.each<[string, () => unknown, string]>([
    ['throws', fail, 'no mercury'],
    ['gives nothing', () => ({ ok: false }), '\'parse\' gave {"ok":false}'],
    ['gives a promise', () => Promise.resolve({ ok: true, value: 1 }), "'parse' gave {}"],
  ])('whose parse %s refuses a filter by name', async (_, parse, why) => {
    behave = { parse };
    const refused = await boss.get<Refusal>(`${path}?where=(Felt,eq,280)`);
    expect(refused).toMatchObject({ status: 500, body: { code: 'COLUMN_TYPE_FAILED' } });
    expect(told()[0]).toContain(`weather in 'Warmth' in columnTypes: ${why}`);
    expect(told().filter((line) => !line.startsWith('weather '))).toEqual([]);
  });

  test.each<[string, () => unknown, string]>([
    ['throws', fail, 'no mercury'],
    ['gives no text', () => ({}), "'format' gave {}; it answers a text"],
  ])('whose format %s costs an export nothing but its words', async (_, format, why) => {
    behave = { format };
    const csv = await boss.get(`${path}/export/csv`);
    expect(csv).toMatchObject({ status: 200, body: 'Id,Felt\r\n1,280\r\n2,290\r\n' });
    expect(told()[0]).toContain(`weather in 'Warmth' in columnTypes: ${why}`);
    expect(told().filter((line) => !line.startsWith('weather '))).toEqual([]);
  });

  test('whose format throws keeps its column as it is when it is to become another type', async () => {
    behave = { format: fail };
    const refused = await boss.patch<Refusal>(`/api/v1/db/meta/columns/${columnId}`, {
      title: 'Felt',
      uidt: 'LongText',
    });
    expect(refused).toMatchObject({ status: 500, body: { code: 'COLUMN_TYPE_FAILED' } });
    expect((await boss.get<{ list: object[] }>(path)).body.list).toMatchObject([
      { Felt: 280 },
      { Felt: 290 },
    ]);
  });

  test.each<[string, () => unknown]>([
    ['throws', fail],
    ['gives no sentence', () => 7],
    ['gives a sentence alone', () => 'is too warm'],
    ['gives params that are none', () => ({ message: 'is too warm', params: null })],
  ])('whose checkOptions %s refuses options by name', async (_, checkOptions) => {
    behave = { checkOptions };
    const refused = await boss.patch<Refusal>(`/api/v1/db/meta/columns/${columnId}`, {
      title: 'Felt',
      uidt: 'Warmth',
      meta: { of: 'rooms' },
    });
    expect(refused).toMatchObject({ status: 500, body: { code: 'COLUMN_TYPE_FAILED' } });
    expect(told().filter((line) => !line.startsWith('weather '))).toEqual([]);
  });
});

test('an enabling that fails is an error of the plugin, one that a busy database holds up can be tried again, and the reason is there after the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-reason-'));
  let problem = new Error('out of paper');
  const broken = plugin(
    'broken',
    () => {
      throw problem;
    },
    { enabledByDefault: false },
  );
  const first = await createTestServer({ dataDir, plugins: [broken] });
  const boss = await first.signUp();
  const refused = await boss.post<Refusal>('/api/v1/app-store/plugins/broken/enable');
  expect(refused).toMatchObject({ status: 500, body: { msg: expect.stringContaining('out of paper') } });
  const cards = first.host.plugins.list();
  expect(cards.find(({ id }) => id === 'broken')?.errors[0]).toMatchObject({ where: 'enable' });
  expect(cards.find(({ id }) => id === 'sys-app-store')?.errors).toEqual([]);
  problem = new DatabaseError('busy');
  const heldUp = await boss.post<Refusal>('/api/v1/app-store/plugins/broken/enable');
  expect(heldUp).toMatchObject({ status: 503, body: { code: 'PLUGIN_HELD_UP' } });
  expect([heldUp.body.msg, heldUp.headers.get('retry-after')]).toEqual([
    expect.stringContaining('The database is busy; try again in a moment'),
    '2',
  ]);
  problem = new Error('out of paper');
  await boss.post('/api/v1/app-store/plugins/broken/enable');
  await first.dispose();
  const second = await createTestServer({ dataDir, plugins: [broken] });
  expect(await stateOf(second, 'broken')).toEqual(['disabled', expect.stringContaining('out of paper')]);
  await second.dispose();
  await rm(dataDir, { recursive: true });
});

test('a card says what its plugin still needs, and where it does otherwise than its manifest says', async () => {
  const lay: ServerPlugin['setup'] = (ctx) => {
    const label = 'Create a view of shelves';
    ctx.register('permissions', { id: 'shelfViewCreate', label, scope: 'project', roles: [] });
    ctx.register('viewTypes', { id: 'shelf', label: 'Shelves' });
    ctx.register('columnTypes', {
      id: 'Depth',
      label: 'Depth',
      icon: 'box',
      storage: 'integer',
      accepts: ['integer'],
      fallback: 'Number',
      operators: [],
      parse: (input) => ({ ok: true, value: Number(input) }),
      format: String,
      examples: [],
    });
  };
  const server = await createTestServer({
    plugins: [
      plugin('loose', lay, {
        contributes: {
          columnTypes: [{ id: 'Depth', label: 'How deep', storage: 'string', fallback: 'Number' }],
          viewTypes: [{ id: 'board' }],
          permissions: [{ id: 'shelfViewCreate' }],
          routes: ['/api/v1/loose'],
        },
        settings: {
          type: 'object',
          required: ['apiKey', 'city'],
          properties: {
            apiKey: { type: 'string', title: 'API key', format: 'secret' },
            city: { type: 'string', default: 'Bern' },
          },
        },
      }),
    ],
  });
  try {
    const boss = await server.signUp();
    const off = () => boss.post('/api/v1/app-store/plugins/loose/disable', {});
    const on = () => boss.post<{ notices: readonly string[] }>('/api/v1/app-store/plugins/loose/enable');
    await off();
    expect((await on()).body.notices).toEqual([
      'It needs settings before it can work: API key.',
      "Its manifest says 'string' for 'storage' of 'Depth' in columnTypes, and it registers 'integer'; update it, or tell its author.",
      "Its manifest promises 'board' in viewTypes, which it does not register; update it, or tell its author.",
      "It registers 'shelf' in viewTypes, which its manifest does not name; update it, or tell its author.",
      "Its manifest promises the path '/api/v1/loose', which it does not serve; update it, or tell its author.",
    ]);
    const ours = server.host.plugins.list().filter(({ builtIn }) => builtIn);
    expect(ours.flatMap(({ notices }) => notices)).toEqual([]);
  } finally {
    await server.dispose();
  }
});

describe('a comparison that fails where others ask it', () => {
  let server: TestServer;
  let boss: TestClient;
  let path = '';
  /** What it makes at its next call. */
  let build: () => unknown = () => undefined;

  beforeAll(async () => {
    const operator = {
      id: 'near',
      label: 'is near',
      arity: 'one',
      build: () => build(),
      buildLinked: ({ some }: LinkedFilterInput) => some(() => build() as never),
    };
    server = await createTestServer({
      plugins: [plugin('weather', (ctx) => void ctx.register('filterOperators', operator as never))],
    });
    boss = await server.signUp();
    const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Sky' });
    const table = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Days',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    path = `/api/v1/db/data/noco/Sky/${table.body.id}`;
    await boss.post(path, { Name: 'Monday' });
  });
  afterAll(() => server.dispose());

  const told = () =>
    server.host.plugins
      .list()
      .flatMap(({ id, errors }) => errors.map(({ where, message }) => `${id} in ${where}: ${message}`));

  test.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new TypeError('no mercury');
      },
      'no mercury',
    ],
    ['gives nothing', () => undefined, "'build' gave undefined"],
    ['gives no condition', () => ({ near: 7 }), '\'build\' gave {"near":7}'],
    [
      'gives a condition with a part that is none',
      () => ({ kind: 'and', items: [{ kind: 'always', value: true }, undefined] }),
      "'build' gave undefined",
    ],
  ])('refuses by name where it %s, and lets no row through', async (_, builds, why) => {
    build = builds;
    for (const asked of [`${path}?where=(Name,near,Monday)`, `${path}/count?where=(Name,near,Monday)`])
      expect(await boss.get<Refusal>(asked)).toMatchObject({
        status: 500,
        body: { code: 'FILTER_OPERATOR_FAILED', msg: expect.stringContaining('is near') },
      });
    expect(told()[0]).toContain(`weather in 'near' in filterOperators: ${why}`);
    expect(told().filter((line) => !line.startsWith('weather '))).toEqual([]);
  });

  test('is not to blame for what only a database can tell of', () => {
    const operator = server.host.registries.get('filterOperators').get('near');
    const type = server.host.registries.get('columnTypes').get('SingleLineText');
    if (operator === undefined || type === undefined) throw new Error('nothing to compare with');
    const before = told();
    const condition = { operator, type, context: { id: 'cl_sky', storage: 'string', meta: {} } as never };
    expect(() =>
      predicateOfStored({ ...condition, value: 'grey', linked: { keys: ['1'], isWhole: true } }),
    ).toThrow(NotDecided);
    expect(told()).toEqual(before);
  });

  test('refuses a value in its own words', async () => {
    build = () => {
      throw new RangeError('has no neighbours.');
    };
    const before = told();
    expect(await boss.get<Refusal>(`${path}?where=(Name,near,Monday)`)).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('has no neighbours.') },
    });
    expect(told()).toEqual(before);
  });
});

test('a plugin that fails at the settings that are to be saved is named, and nothing is saved', async () => {
  const failing: ServerPlugin = {
    setup: () => undefined,
    willSave: () => Promise.reject(new TypeError('no mercury')),
  };
  const settings = { type: 'object', properties: { place: { type: 'string', title: 'Place' } } };
  const server = await createTestServer({ plugins: [plugin('weather', failing, { settings })] });
  try {
    const boss = await server.signUp();
    const path = '/api/v1/app-store/plugins/weather/settings';
    expect(await boss.put<Refusal>(path, { input: { place: 'here' } })).toMatchObject({
      status: 500,
      body: { code: 'ROUTE_FAILED', params: { plugin: 'The weather' } },
    });
    expect(await boss.get(path)).toMatchObject({ body: { isSet: false } });
    const { errors } = server.host.plugins.list().find(({ id }) => id === 'weather') ?? {};
    expect(errors).toEqual([expect.objectContaining({ where: 'willSave', message: 'no mercury' })]);
  } finally {
    await server.dispose();
  }
});
