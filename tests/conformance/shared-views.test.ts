import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RateLimiterToken, type RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';
import { servedRoutes } from './served-routes.ts';

interface Shared {
  readonly uuid: string;
  readonly password: string | null;
  readonly expires_at: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
}
interface Rows {
  readonly data: {
    readonly list: readonly Readonly<Record<string, unknown>>[];
    readonly pageInfo: { readonly totalRows: number };
  };
}

const data = '/api/v1/db/data/noco/Shop';
const meta = '/api/v1/db/meta';
/** What no answer to a stranger may hold: hidden values, names of hidden columns, people, and rows that the view filters out. */
const hidden = /Salary|7001|7002|7003|Staff only|Codeword|owner@example\.com|Filtered out/;

function describeSharing(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let stranger: TestClient;
  let orders: TableEntity;
  let companies: TableEntity;
  let project = '';
  let viewId = '';
  let base = '';

  const id = (table: TableEntity, title: string) =>
    table.columns?.find((column) => column.title === title)?.id ?? '';
  const share = async (): Promise<Shared> =>
    (await owner.post<Shared>(`${meta}/views/${viewId}/share`, {})).body;
  const set = (body: object) => owner.patch<Shared>(`${meta}/views/${viewId}/share`, body);
  const rows = async (query = '') => (await stranger.get<Rows>(`${base}/rows${query}`)).body.data;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    stranger = server.client;
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
    const make = async (title: string, columns: readonly object[]) =>
      (
        await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
          title,
          columns: [{ title: 'Id', uidt: 'ID' }, ...columns],
        })
      ).body;
    companies = await make('Company', [
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      { title: 'Codeword', uidt: 'SingleLineText' },
    ]);
    orders = await make('Order', [
      { title: 'Title', uidt: 'SingleLineText', pv: true },
      { title: 'Salary', uidt: 'Number' },
      { title: 'Keeper', uidt: 'Collaborator' },
    ]);
    const add = async (body: object) => {
      const made = await owner.post<TableEntity>(`${meta}/tables/${orders.id}/columns`, body);
      expect(made.status).toBe(200);
      orders = made.body;
    };
    await add({ title: 'Twice', uidt: 'Formula', formula_raw: '{Salary} * 2', formula: '{Salary} * 2' });
    await add({
      title: 'Companies',
      uidt: 'LinkToAnotherRecord',
      type: 'mm',
      parentId: orders.id,
      childId: companies.id,
    });
    await owner.post(`${data}/Company`, { Name: 'Acme', Codeword: 'Staff only' });
    for (const [Title, Salary] of [
      ['Filtered out', 7001],
      ['Second', 7002],
      ['Third', 7003],
    ])
      await owner.post(`${data}/Order`, { Title, Salary, Keeper: 'owner@example.com' });
    for (const row of [1, 2])
      expect(await owner.post(`${data}/Order/${row}/mm/Companies/1`)).toMatchObject({ status: 200 });
    const made = await owner.post<{ id: string }>(`${meta}/tables/${orders.id}/grids`, { title: 'Open' });
    viewId = made.body.id;
    const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${viewId}/columns`);
    const place = places.body.find(({ fk_column_id: of }) => of === id(orders, 'Salary'));
    await owner.patch(`${meta}/views/${viewId}/columns/${place?.id}`, { show: false });
    await owner.post(`${meta}/views/${viewId}/filters`, {
      fk_column_id: id(orders, 'Salary'),
      comparison_op: 'gt',
      value: '7001',
    });
    await owner.post(`${meta}/views/${viewId}/sorts`, {
      fk_column_id: id(orders, 'Salary'),
      direction: 'desc',
    });
    base = `/api/v1/db/public/shared-view/${(await share()).uuid}`;
  });
  afterAll(() => server?.dispose());

  test('shows a stranger the rows and columns of the view, with what is computed of hidden ones', async () => {
    const { list, pageInfo } = await rows();
    expect(pageInfo.totalRows).toBe(2);
    // The view's order is by a hidden column, which would tell of its values.
    expect(list.map((row) => row.Title)).toEqual(['Second', 'Third']);
    expect(list.map((row) => Number(row.Twice))).toEqual([14004, 14006]);
    expect(list[0]?.Companies).toEqual([{ Id: 1, Name: 'Acme' }]);
    expect(Object.keys(list[0] ?? {}).toSorted()).toEqual(['Companies', 'Id', 'Title', 'Twice']);
    expect((await rows('?where=(Title,eq,Third)')).list).toHaveLength(1);
    expect((await rows('?sort=-Title&fields=Title')).list[0]).toEqual({ Title: 'Third' });
    const byId = { fk_column_id: id(orders, 'Title') };
    const filter = JSON.stringify([{ ...byId, comparison_op: 'like', value: 'thi' }]);
    expect((await rows(`?filterArrJson=${encodeURIComponent(filter)}`)).list).toHaveLength(1);
    const order = JSON.stringify([{ ...byId, direction: 'desc' }]);
    expect((await rows(`?sortArrJson=${encodeURIComponent(order)}`)).list[0]?.Title).toBe('Third');
    const linked = await stranger.get(`${base}/rows/2/mm/${id(orders, 'Companies')}`);
    expect(linked.body).toMatchObject({ list: [{ Id: 1, Name: 'Acme' }], pageInfo: { totalRows: 1 } });
    const csv = await stranger.get<string>(`${base}/rows/export/csv`);
    expect(csv.body.split(/\r?\n/)[0]).toBe('Title,Twice,Companies');
    expect(csv.body).not.toMatch(hidden);
    const groups = await stranger.get<readonly { key: string }[]>(`${base}/group/${id(orders, 'Title')}`);
    expect(groups.body.map(({ key }) => key)).toEqual(['Second', 'Third']);
  });

  test('tells a stranger of nothing that the view does not show', async () => {
    const group = await owner.post<{ id: string }>(`${meta}/tables/${orders.id}/view-groups`, {
      title: 'Staff only',
    });
    const said = { description: 'Staff only', group_id: group.body.id, icon: '🔒' };
    expect((await owner.patch(`${meta}/views/${viewId}`, said)).body).toMatchObject(said);
    const { body } = await stranger.get<Record<string, unknown>>(`${base}/meta`);
    expect(body).toMatchObject({ title: 'Open', sorts: [], filter: { children: [] }, password: null });
    expect(JSON.stringify(body)).not.toMatch(hidden);
    for (const secret of [id(orders, 'Salary'), group.body.id, said.icon])
      expect(JSON.stringify(body)).not.toContain(secret);
    expect(Object.keys(body.relatedMetas as object)).toEqual([companies.id]);
  });

  test('refuses every call that names a hidden column, as one that never was', async () => {
    const link = id(orders, 'Companies');
    for (const column of ['Salary', 'Keeper', 'Codeword', 'Never']) {
      for (const query of [
        `where=(${column},gt,0)`,
        `where=(Title,like,%25)~or(${column},like,a%25)`,
        `sort=${column}`,
        `sort=-${column}`,
        `fields=Title,${column}`,
        `filterArrJson=[{"fk_column_id":"${id(orders, column)}","comparison_op":"gt","value":1}]`,
        `sortArrJson=[{"fk_column_id":"${id(orders, column)}","direction":"asc"}]`,
        `nested[Companies][fields]=${column}`,
        `show_system_fields=true`,
      ])
        for (const path of ['rows', 'rows/export/csv', `rows/2/mm/${link}`, `group/${id(orders, 'Title')}`]) {
          const answer = await stranger.get(`${base}/${path}?${query}`);
          const seen = JSON.stringify(answer.body).replaceAll(column, '');
          expect([path, query, answer.status]).toEqual([path, query, 400]);
          expect(seen).not.toMatch(hidden);
        }
      for (const name of [column, id(orders, column) || 'cl_00000000000000'])
        expect(await stranger.get(`${base}/group/${name}`)).toMatchObject({ status: 404 });
    }
  });

  test('has no row that the view filters out, and no way to other tables', async () => {
    const link = id(orders, 'Companies');
    expect(await stranger.get(`${base}/rows/1/mm/${link}`)).toMatchObject({ status: 404 });
    expect(await stranger.get(`${base}/rows/99/mm/${link}`)).toMatchObject({ status: 404 });
    expect(await stranger.get(`${base}/rows/2/hm/${link}`)).toMatchObject({ status: 404 });
    expect(await stranger.get(`${base}/rows/2/mm/Companies`)).toMatchObject({ status: 404 });
    expect((await rows('?where=(Id,eq,1)')).pageInfo.totalRows).toBe(0);
    expect((await rows('?where=(Title,eq,Filtered out)')).pageInfo.totalRows).toBe(0);
    for (const path of [
      `${data}/Order`,
      `${data}/Company`,
      `${meta}/tables/${orders.id}`,
      `${meta}/projects`,
    ])
      expect((await stranger.get(path)).status).toBe(401);
    expect(await stranger.post(`${base}/rows`, { data: { Title: 'New' } })).toMatchObject({ status: 404 });
    expect(await stranger.get(`${base}/rows?offset=1000000`)).toMatchObject({ status: 400 });
  });

  test('allows downloads and searches as its owner says', async () => {
    await set({ meta: { allowCSVDownload: false, allowSearch: false } });
    expect(await stranger.get(`${base}/rows/export/csv`)).toMatchObject({ status: 403 });
    expect(await stranger.get(`${base}/rows?where=(Title,eq,Third)`)).toMatchObject({ status: 403 });
    const filter = JSON.stringify([
      { fk_column_id: id(orders, 'Title'), comparison_op: 'eq', value: 'Third' },
    ]);
    const filtered = await stranger.get(`${base}/rows?filterArrJson=${encodeURIComponent(filter)}`);
    expect(filtered).toMatchObject({ status: 403 });
    const linked = `${base}/rows/2/mm/${id(orders, 'Companies')}`;
    expect(await stranger.get(`${linked}?where=(Name,like,a)`)).toMatchObject({ status: 403 });
    expect(await stranger.get(linked)).toMatchObject({ status: 200 });
    expect((await rows()).list).toHaveLength(2);
    await set({ meta: { allowCSVDownload: true, allowSearch: true } });
  });

  test('asks for its password in every public call that there is, and never tells it', async () => {
    const password = 'open sesame';
    const changed = await set({ password });
    expect(JSON.stringify(changed.body)).not.toContain('sesame');
    const form = await owner.post<{ id: string }>(`${meta}/tables/${orders.id}/forms`, { title: 'Answer' });
    const ofForm = await owner.post<Shared>(`${meta}/views/${form.body.id}/share`, {});
    await owner.patch(`${meta}/views/${form.body.id}/share`, { password });
    const uuids = [base.split('/').at(-1) ?? '', ofForm.body.uuid];
    const routes = servedRoutes(server).filter(
      ({ permission, path }) => permission === 'public' && path.includes('/public/shared-view/'),
    );
    expect(routes.length).toBeGreaterThan(0);
    const parts: Readonly<Record<string, string>> = {
      column: id(orders, 'Companies'),
      kind: 'mm',
      rowId: '2',
      type: 'csv',
    };
    const limiter = server.host.container.get(RateLimiterToken);
    const ask = async (uuid: string, { method, path }: RouteDefinition, sent?: string) => {
      const of = { ...parts, uuid };
      const to = path.replace(/:(\w+)/g, (_, name: keyof typeof of) => of[name] ?? `no ${name}`);
      const headers: Record<string, string> = sent === undefined ? {} : { 'xc-password': sent };
      const body = method === 'GET' ? undefined : { data: { Title: 'Sent' } };
      const { status, body: answer } = await stranger.with({ headers }).send(method, to, body);
      // Guessing on and on is another matter.
      if (sent !== undefined) await limiter.reset('shared-view-address', { address: '127.0.0.1' });
      return { call: `${method} ${path}`, status, answer };
    };
    for (const route of routes) {
      const call = `${route.method} ${route.path}`;
      const opened = [];
      for (const uuid of uuids) {
        const refused = { call, status: 403, answer: { msg: 'INVALID_SHARED_VIEW_PASSWORD' } };
        for (const sent of [undefined, 'open']) expect(await ask(uuid, route, sent)).toMatchObject(refused);
        const right = await ask(uuid, route, password);
        expect(JSON.stringify(right.answer)).not.toContain('PASSWORD');
        opened.push(right.status);
      }
      const answered = opened.some((status) => status === 200);
      // The column is one of links, by which no files are sent and no groups are made.
      const needsOther = /\/(files|group)\//.test(route.path);
      expect([call, answered]).toEqual([call, !needsOther]);
    }
    await owner.delete(`${meta}/views/${form.body.id}`);
    const right = stranger.with({ headers: { 'xc-password': password } });
    const paths = ['meta', 'rows', 'rows/export/csv', `group/${id(orders, 'Title')}`];
    const together = await Promise.all(paths.map((path) => right.get(`${base}/${path}`)));
    expect(together.map(({ status }) => status)).toEqual(paths.map(() => 200));
    const wrong = stranger.with({ headers: { 'xc-password': 'guess' } });
    let last = 403;
    for (let tries = 0; tries < 12 && last === 403; tries += 1)
      last = (await wrong.get(`${base}/rows`)).status;
    expect(last).toBe(429);
    // Whoever guesses is not told which guess is right, though somebody knows it.
    expect(await right.get(`${base}/rows`)).toMatchObject({ status: 429 });
    expect(await set({ password: 'abc' })).toMatchObject({ status: 400 });
    for (const password of ['Пароль', ' edges '])
      expect(await set({ password })).toMatchObject({
        status: 400,
        body: { code: 'SHARED_VIEW_PASSWORD_LETTERS' },
      });
    expect((await set({ password: null })).body.password).toBeNull();
    expect((await rows()).list).toHaveLength(2);
  });

  test('allows what each of two changes at once says of it', async () => {
    const creator = await server.signUp('creator@example.com');
    const member = { email: 'creator@example.com', roles: 'creator' };
    expect((await owner.post(`${meta}/projects/${project}/users`, member)).status).toBe(200);
    // A password takes its time to be hashed.
    const [first, second] = await Promise.all([
      set({ password: 'open sesame', meta: { allowSearch: false } }),
      creator.patch(`${meta}/views/${viewId}/share`, { meta: { allowCSVDownload: false } }),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await set({})).body.meta).toMatchObject({ allowSearch: false, allowCSVDownload: false });
    await set({ password: null, meta: { allowCSVDownload: true, allowSearch: true } });
  });

  test('ends at a moment in UTC where that names no zone, whatever the zone of the server is', async () => {
    for (const moment of ['2030-01-02T03:04:05', '2030-01-02 03:04:05', '2030-01-02T05:04:05+02:00'])
      expect((await set({ expires_at: moment })).body.expires_at).toBe('2030-01-02T03:04:05.000Z');
    for (const none of ['January 2, 2030', '2030-02-30T03:04:05Z', ''])
      expect((await set({ expires_at: none })).status).toBe(400);
    await set({ expires_at: null });
  });

  test('ends when it expires, when it gets another link, and when it is closed', async () => {
    await set({ expires_at: '2001-01-01T00:00:00Z' });
    expect(await stranger.get(`${base}/rows`)).toMatchObject({ status: 404, body: { msg: 'Not found' } });
    await set({ expires_at: null });
    expect((await rows()).list).toHaveLength(2);
    const { uuid } = (await set({ regenerate: true })).body;
    expect(await stranger.get(`${base}/meta`)).toMatchObject({ status: 404 });
    base = `/api/v1/db/public/shared-view/${uuid}`;
    expect((await share()).uuid).toBe(uuid);
    const listed = await owner.get(`${meta}/tables/${orders.id}/share`);
    expect(listed.body).toMatchObject([{ id: viewId, uuid }]);
    expect((await owner.get(`${meta}/projects/${project}/shared-views`)).body).toMatchObject({
      list: [{ id: viewId, uuid }],
    });
    expect(await owner.delete(`${meta}/views/${viewId}/share`)).toMatchObject({ status: 200 });
    expect(await stranger.get(`${base}/rows`)).toMatchObject({ status: 404 });
    base = `/api/v1/db/public/shared-view/${(await share()).uuid}`;
  });

  test('follows the view: what is hidden from now on is gone at once, and a personal view has no link', async () => {
    const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${viewId}/columns`);
    const place = places.body.find(({ fk_column_id: of }) => of === id(orders, 'Twice'));
    await owner.patch(`${meta}/views/${viewId}/columns/${place?.id}`, { show: false });
    expect((await rows()).list[0]).not.toHaveProperty('Twice');
    expect(await stranger.get(`${base}/rows?sort=Twice`)).toMatchObject({ status: 400 });
    await owner.patch(`${meta}/views/${viewId}`, { lock_type: 'personal' });
    expect(await stranger.get(`${base}/rows`)).toMatchObject({ status: 404 });
    expect(await owner.post(`${meta}/views/${viewId}/share`)).toMatchObject({ status: 400 });
    await owner.patch(`${meta}/views/${viewId}`, { lock_type: 'collaborative' });
  });

  test('tells its link where views are told of, to whoever may share it, and never its password', async () => {
    const uuid = base.split('/').at(-1);
    await set({ password: 'open sesame' });
    const viewer = await server.signUp('viewer@example.com');
    await owner.post(`${meta}/projects/${project}/users`, { email: 'viewer@example.com', roles: 'viewer' });
    const paths = [`${meta}/tables/${orders.id}/views`, `${meta}/tables/${orders.id}`];
    for (const path of paths) {
      const told = async (client: TestClient) => {
        const { body } = await client.get<{ list?: readonly object[]; views?: readonly object[] }>(path);
        return (body.list ?? body.views ?? []).filter((view) => 'id' in view && view.id === viewId);
      };
      expect(await told(owner)).toMatchObject([{ uuid, password: null }]);
      expect(await told(viewer)).toMatchObject([{ uuid: null, password: null }]);
    }
    const renamed = await owner.patch(`${meta}/views/${viewId}`, { title: 'Open' });
    expect(renamed.body).toMatchObject({ uuid, password: null });
    await set({ password: null });
  });

  test('tells strangers how its page looks, and takes nothing else for a look', async () => {
    const look = { title: 'Our prices', accent: '#0f6f7c', mode: 'dark' };
    await set({ meta: { look } });
    const told = await stranger.get<{ meta: string }>(`${base}/meta`);
    expect(JSON.parse(told.body.meta)).toMatchObject({ look });
    for (const wrong of [{ accent: 'red; } body {' }, { mode: 'loud' }, { title: 7 }, 'dark', ['dark']])
      expect(await set({ meta: { look: wrong } })).toMatchObject({ status: 400 });
    await set({ meta: { look: {} } });
  });

  test('keeps no more of its link than it takes, and is read no deeper by strangers than it serves them', async () => {
    const kept = await set({ meta: { note: 'x'.repeat(10_001) } });
    expect(kept).toMatchObject({ status: 400, body: { code: 'SHARED_VIEW_META_LARGE' } });
    const deep = (offset: number) => stranger.get(`${base}/rows?limit=1000&offset=${offset}`);
    expect(await deep(99_000)).toMatchObject({ status: 200 });
    expect(await deep(99_001)).toMatchObject({ status: 400, body: { code: 'PAGE_TOO_DEEP' } });
    const most = await stranger.get<Rows>(`${base}/rows?limit=5000`);
    expect(most.body.data.pageInfo).toMatchObject({ pageSize: 1000 });
  });

  test('is framed by the sites that its link names, until the link is closed', async () => {
    const page = async () => {
      const uuid = base.split('/').at(-1);
      const { headers } = await fetch(`${server.url}/embed/nc/view/${uuid}`);
      return /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    };
    expect(await page()).toBe("'none'");
    const named = await set({
      meta: { embedSites: ['a.example', 'https://*.B.example/', 'http://c.example:81'] },
    });
    const sites = ['https://a.example', 'https://*.b.example', 'http://c.example:81'];
    expect(named.body).toMatchObject({ meta: { embedSites: sites } });
    expect(await page()).toBe(sites.join(' '));
    const told = await stranger.get<object>(`${base}/meta`);
    expect(JSON.stringify(told.body)).not.toContain('a.example');
    for (const wrong of ['https://a.example/path', "x; script-src 'unsafe-inline'", 'data:a', '', 7, 'a b'])
      expect(await set({ meta: { embedSites: [wrong] } })).toMatchObject({
        status: 400,
        body: { code: 'FRAMING_SITE' },
      });
    await set({ expires_at: '2001-01-01T00:00:00Z' });
    expect(await page()).toBe("'none'");
    await set({ expires_at: null, meta: { embedSites: ['*'] } });
    expect(await page()).toBe('*');
    await set({ meta: { embedSites: [] } });
    expect(await page()).toBe("'none'");
  });

  test('is set by owners and creators of its project alone', async () => {
    const other = await server.signUp('other@example.com');
    const path = `${meta}/views/${viewId}/share`;
    expect((await stranger.post(path)).status).toBe(401);
    for (const answer of [await other.post(path), await other.patch(path, {}), await other.delete(path)])
      expect([403, 404]).toContain(answer.status);
  });
}

describeEachHome('a shared view', describeSharing);
