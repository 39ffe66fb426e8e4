import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  defineServerPlugin,
  type Principal,
  type ScopeRule,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const rows = '/api/v1/db/data/noco/Shop/Orders';

/** Credentials `Bearer <name>` for the principals of this suite, and the rule that the test at hand has set. */
const principals: Record<string, Principal> = {};
let rule: ScopeRule['narrow'] = () => undefined;
let context: ServerPluginContext;

const limits = {
  manifest: {
    id: 'limits',
    name: 'Limits',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    enabledByDefault: true,
    contributes: { scopeRules: [{ id: 'limits' }], credentialResolvers: [{ id: 'named' }] },
  },
  server: defineServerPlugin({
    setup(ctx) {
      context = ctx;
      ctx.register('scopeRules', { id: 'limits', narrow: (facts) => rule(facts) });
      ctx.register('credentialResolvers', {
        id: 'named',
        order: 50,
        resolve: ({ headers }) =>
          Promise.resolve(principals[headers.authorization?.replace('Bearer ', '') ?? '']),
      });
    },
  }),
};

describe('rules that narrow a scope', () => {
  let server: TestServer;
  let owner: TestClient;
  let table: TableEntity;
  let projectId = '';

  const as = (name: string) => server.client.with({ headers: { authorization: `Bearer ${name}` } });
  const columnId = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';

  async function setRule(narrow: ScopeRule['narrow']): Promise<void> {
    rule = narrow;
    await context.get(AccessServiceToken).didChangeRules();
  }

  beforeAll(async () => {
    server = await createTestServer({ plugins: [limits] });
    owner = await server.signUp('owner@example.com');
    const project = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    await owner.post('/api/v1/db/meta/projects', { title: 'Other' });
    projectId = project.body.id;
    const created = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title: 'Orders',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Price', uidt: 'Number' },
      ],
    });
    table = created.body;
    for (const [Name, Price] of [
      ['Ada', 1],
      ['Bob', 2],
      ['Cid', 3],
    ]) {
      await owner.post(rows, { Name, Price });
    }
    const me = await owner.get<{ id: string }>('/api/v1/auth/user/me');
    const base = { id: me.body.id, email: 'owner@example.com', accountRoles: ['user', 'super'] } as const;
    Object.assign(principals, {
      token: { ...base, kind: 'token', credentialId: 'to_1' },
      reader: { ...base, kind: 'token', credentialId: 'to_2', maximumRole: 'viewer' },
      elsewhere: { ...base, kind: 'token', credentialId: 'to_3', onlyProjects: ['p_00000000000000'] },
      ruled: { ...base, kind: 'token', credentialId: 'to_4', scopeRules: ['limits'] },
      orphan: { ...base, kind: 'token', credentialId: 'to_5', scopeRules: ['a-plugin-that-is-off'] },
      visitor: { kind: 'sharedView', id: '', email: '', accountRoles: [], credentialId: 'link_1' },
      base: { kind: 'sharedBase', id: '', email: '', accountRoles: [], maximumRole: 'viewer' },
    } satisfies Record<string, Principal>);
  });

  beforeEach(() => setRule(() => undefined));

  afterAll(() => server?.dispose());

  test('make no account of a visitor: what belongs to people is refused, whatever they leave', async () => {
    await setRule(() => ({ permissions: new Set(['projectGet', 'dataList']) }));
    for (const visitor of [as('visitor'), as('base')]) {
      expect(await visitor.get(`/api/v1/db/meta/projects/${projectId}`)).toMatchObject({ status: 200 });
      expect(await visitor.get('/api/v1/user-storage')).toMatchObject({ status: 401 });
      expect(await visitor.get(`/api/v1/tasks?project=${projectId}`)).toMatchObject({ status: 401 });
    }
    // A token is somebody's, and may still not reach what belongs to the account.
    expect(await as('token').get('/api/v1/user-storage')).toMatchObject({
      status: 403,
      body: { code: 'STORAGE_SESSION' },
    });
  });

  test('show a caller the rows and columns that they leave, in every answer', async () => {
    await setRule(({ principal }) =>
      principal.kind !== 'token'
        ? undefined
        : {
            columns: new Map([[table.id, { readable: new Set([columnId('Id'), columnId('Name')]) }]]),
            rows: new Map([
              [
                table.id,
                {
                  kind: 'compare',
                  comparison: 'gt',
                  left: { kind: 'column', columnId: columnId('Price') },
                  right: { kind: 'literal', value: 1, storage: 'integer' },
                },
              ],
            ]),
          },
    );
    const token = as('token');
    const left = [
      { Id: 2, Name: 'Bob' },
      { Id: 3, Name: 'Cid' },
    ];
    expect((await token.get(rows)).body).toMatchObject({ list: left, pageInfo: { totalRows: 2 } });
    expect((await token.get<{ list: object[] }>(rows)).body.list[0]).not.toHaveProperty('Price');
    expect((await token.get(`${rows}/count`)).body).toEqual({ count: 2 });
    expect((await token.get(`${rows}/1`)).status).toBe(404);
    expect((await token.get(`${rows}/1/exist`)).body).toBe(false);
    expect((await token.get(`${rows}/find-one?sort=Id`)).body).toMatchObject({ Name: 'Bob' });
    expect((await token.get(`${rows}/groupby?column_name=Name`)).body).toMatchObject({
      pageInfo: { totalRows: 2 },
    });
    const csv = await token.get<string>(`${rows}/export/csv`);
    expect(csv.body.trim().split(/\r?\n/).slice(1)).toEqual(['2,Bob', '3,Cid']);
    expect((await token.get(`${rows}/export/csv?fields=Price`)).status).toBe(400);
    for (const query of ['where=(Price,gt,0)', 'sort=Price', 'fields=Price', 'sort=-Price']) {
      expect([query, (await token.get(`${rows}?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await token.get(`${rows}/groupby?column_name=Price`)).status).toBe(400);
    expect((await token.patch(`${rows}/1`, { Name: 'Eve' })).status).toBe(404);
    const written = await token.patch(`${rows}/2`, { Name: 'Bea', Price: 900 });
    expect(written.body).toEqual({ Id: 2, Name: 'Bea' });
    expect((await owner.get(`${rows}/2`)).body).toMatchObject({ Name: 'Bea', Price: 2 });
    expect((await owner.patch(`${rows}/2`, { Name: 'Bob' })).status).toBe(200);
    expect((await owner.get(rows)).body).toMatchObject({ pageInfo: { totalRows: 3 } });
    const seen = await token.get<TableEntity>(`/api/v1/db/meta/tables/${table.id}`);
    expect(seen.body.columns?.map(({ title }) => title)).toEqual(['Id', 'Name']);
    expect(Object.keys(seen.body.columnsById ?? {})).not.toContain(columnId('Price'));
    const places = await token.get<readonly { fk_column_id: string }[]>(
      `/api/v1/db/meta/views/${table.views?.[0]?.id}/columns`,
    );
    expect(places.body.map((place) => place.fk_column_id)).toEqual([columnId('Id'), columnId('Name')]);
  });

  test('give a token at most its role, and only the projects that it names', async () => {
    expect((await as('reader').get(rows)).status).toBe(200);
    expect(await as('reader').post(rows, { Name: 'Eve' })).toMatchObject({
      status: 403,
      body: { msg: 'dataInsert - viewer : Not allowed' },
    });
    expect((await as('reader').post('/api/v1/db/meta/projects', { title: 'New' })).status).toBe(403);
    const foreign = await as('elsewhere').get(rows);
    const never = await as('elsewhere').get('/api/v1/db/data/noco/Never/Orders');
    expect([foreign.status, foreign.body]).toEqual([never.status, never.body]);
    expect((await as('elsewhere').get('/api/v1/db/meta/projects')).body).toMatchObject({ list: [] });
  });

  test('decide alone what a visitor of a link may do, and never more than an editor may', async () => {
    expect((await as('visitor').get(rows)).status).toBe(403);
    expect((await as('base').get(rows)).status).toBe(200);
    expect((await as('base').post(rows, { Name: 'Eve' })).status).toBe(403);
    await setRule(({ principal }) =>
      principal.kind === 'sharedView'
        ? { permissions: new Set(['dataCount', 'tableCreate', 'tableDelete']) }
        : undefined,
    );
    expect((await as('visitor').get(`${rows}/count`)).body).toEqual({ count: 3 });
    expect((await as('visitor').get(rows)).status).toBe(403);
    expect((await as('visitor').delete(`/api/v1/db/meta/tables/${table.id}`)).status).toBe(403);
  });

  test('let a visitor reach rows through the views of a link alone', async () => {
    const made = await owner.post<{ id: string }>(`/api/v1/db/meta/tables/${table.id}/grids`, {
      title: 'Own',
    });
    const shared = table.views?.[0]?.id ?? '';
    await setRule(({ principal }) =>
      principal.kind === 'sharedView'
        ? {
            permissions: new Set(['dataList', 'dataCount', 'dataFindOne', 'dataGroupBy', 'tableGet']),
            views: new Set([shared]),
          }
        : undefined,
    );
    const visitor = as('visitor');
    expect((await visitor.get(`${rows}/views/${shared}`)).body).toMatchObject({ pageInfo: { totalRows: 3 } });
    expect((await visitor.get(rows)).status).toBe(404);
    expect((await visitor.get(`${rows}/views/${made.body.id}`)).status).toBe(404);
    // These two calls pass over the filters of the view that their path names.
    expect((await visitor.get(`${rows}/views/${shared}/find-one?where=(Price,gt,2)`)).status).toBe(404);
    expect((await visitor.get(`${rows}/views/${shared}/groupby?column_name=Name`)).status).toBe(404);
    expect((await owner.get(`${rows}/views/${shared}/find-one?where=(Price,gt,2)`)).status).toBe(200);
    const seen = await visitor.get<TableEntity>(`/api/v1/db/meta/tables/${table.id}`);
    expect(seen.body.views?.map(({ id }) => id)).toEqual([shared]);
  });

  test('refuse everything while one fails, and who names one that is off', async () => {
    expect((await as('ruled').get(rows)).status).toBe(200);
    expect((await as('orphan').get(rows)).status).toBe(403);
    await setRule(() => {
      throw new Error('no connection');
    });
    for (let call = 0; call < 25; call += 1) {
      expect(await as('token').get(rows)).toMatchObject({ status: 503, body: { code: 'RIGHTS_UNKNOWN' } });
    }
    const { errors } = server.host.plugins.list().find(({ id }) => id === 'limits') ?? {};
    expect(errors?.[0]).toMatchObject({ where: "scope rule 'limits'", message: 'no connection' });
    await setRule(() => undefined);
    expect((await as('token').get(rows)).status).toBe(200);
  });
});
