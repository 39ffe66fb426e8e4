import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, AccountStoreToken } from '@trellis/sdk/server';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';
const rows = '/api/v1/db/data/noco/Hostile/Things';
const bulk = '/api/v1/db/data/bulk/noco/Hostile/Things';

interface List {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly pageInfo: { readonly pageSize: number; readonly totalRows: number };
}

describe('a request with bad intent', () => {
  let server: TestServer;
  let owner: TestClient;
  let viewer: TestClient;
  let project: ProjectEntity;
  let table: TableEntity;

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp();
    viewer = await server.signUp();
    project = (await owner.post<ProjectEntity>(`${meta}/projects`, { title: 'Hostile' })).body;
    const created = await owner.post<TableEntity>(`${meta}/projects/${project.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Size', uidt: 'Number' },
        { title: '=1+1', uidt: 'SingleLineText' },
      ],
    });
    table = created.body;
    const me = await viewer.get<{ id: string }>('/api/v1/auth/user/me');
    await server.host.container.get(AccessServiceToken).grant(project.id, me.body.id, 'viewer');
    await owner.post(bulk, [{ Name: '=cmd()', Size: -5 }, { Name: '+1' }, { Name: 'plain' }]);
  });

  afterAll(async () => {
    await server?.dispose();
  });

  async function names(): Promise<readonly unknown[]> {
    return (await owner.get<List>(rows)).body.list.map((row) => row.Name);
  }

  test('finds no formula in an export that a spreadsheet would run, unless a machine asks for it raw', async () => {
    const guarded = (await owner.get<string>(`${rows}/export/csv`)).body;
    expect(guarded).toContain(`'=1+1`);
    expect(guarded).toContain(`'=cmd(),-5`);
    expect(guarded).toContain(`'+1`);
    expect(guarded).toContain('plain');
    expect(guarded).not.toMatch(/(^|,|")=/m);
    const raw = (await owner.get<string>(`${rows}/export/csv?raw=true`)).body;
    expect(raw).toContain('=cmd(),-5');
    expect(raw).not.toContain(`'=`);
  });

  test('gets a page of a size that we allow, or is told that this is no number', async () => {
    for (const value of ['abc', 'NaN', 'Infinity', '1.5', '9'.repeat(400)]) {
      for (const parameter of ['limit', 'offset']) {
        const answer = await owner.get(`${rows}?${parameter}=${value}`);
        expect({ parameter, value, status: answer.status }).toEqual({ parameter, value, status: 400 });
      }
    }
    expect((await owner.get<List>(`${rows}?limit=-7&offset=-7`)).body.pageInfo.pageSize).toBe(1);
    expect((await owner.get<List>(`${rows}?limit=999999999`)).body.pageInfo.pageSize).toBe(1000);
  });

  test('is not understood as a question for all rows', async () => {
    const before = await names();
    for (const where of [
      '(Nope,eq,1)',
      '(Name,nope,1)',
      'Name',
      '((Name,eq,a)',
      '(Name)',
      '~or',
      ' ',
      '\t',
    ]) {
      const query = `where=${encodeURIComponent(where)}`;
      for (const answer of [
        await owner.get(`${rows}?${query}`),
        await owner.patch(`${bulk}/all?${query}`, { Name: 'gone' }),
        await owner.delete(`${bulk}/all?${query}`),
      ]) {
        expect({ where, status: answer.status }).toEqual({ where, status: 400 });
      }
    }
    expect((await owner.delete(`${bulk}/all?where=(Name,in,)`)).status).toBeLessThan(500);
    for (const nothing of ['[]', '[[]]', '[{"is_group":true}]', '[{"is_group":true,"children":[[]]}]']) {
      const all = `${bulk}/all?filterArrJson=${encodeURIComponent(nothing)}`;
      for (const answer of [await owner.delete(all), await owner.patch(all, { Name: 'gone' })])
        expect({ nothing, ...answer }).toMatchObject({ nothing, status: 400, body: { code: 'CONFIRM_ALL' } });
    }
    const others = Array.from({ length: 1000 }, (_, index) => `a${index}=1`).join('&');
    const behind = `${bulk}/all?${others}&where=(Name,eq,nobody)`;
    expect((await owner.patch(behind, { Name: 'gone' })).status).toBe(400);
    expect(await names()).toEqual(before);
  });

  test('is not taken for a condition when it matches everything, as a search box does that is empty', async () => {
    const before = await names();
    for (const where of ['(Name,like,%)', '(Name,like,%%)', '(Name,like,%)~or(Size,gt,3)']) {
      const path = `${bulk}/all?where=${encodeURIComponent(where)}`;
      for (const answer of [await owner.delete(path), await owner.patch(path, { Name: 'gone' })])
        expect({ where, ...answer }).toMatchObject({ where, status: 400, body: { code: 'CONFIRM_ALL' } });
    }
    expect(await names()).toEqual(before);
  });

  test('sorts by each column once, and not by columns without end', async () => {
    const again = await owner.get<List>(`${rows}?sort=${Array(300).fill('-Name,Size').join(',')}`);
    expect(again.body.list).toEqual((await owner.get<List>(`${rows}?sort=-Name,Size`)).body.list);
  });

  test('gets no half kept promise for a key of repetition that cannot be kept', async () => {
    const before = await names();
    for (const key of ['a b', 'x'.repeat(201), 'é']) {
      const answer = await owner.with({ headers: { 'idempotency-key': key } }).post(rows, { Name: 'twin' });
      expect({ key, ...answer }).toMatchObject({ key, status: 400, body: { code: 'IDEMPOTENCY_KEY' } });
    }
    expect(await names()).toEqual(before);
  });

  test('nests no filter so deep that the server stumbles', async () => {
    for (const depth of [13, 500, 7000]) {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const answer = await owner.get<{ readonly code?: string }>(`${rows}?filterArrJson=${nested}`);
      expect({ depth, status: answer.status, code: answer.body.code }).toEqual({
        depth,
        status: 400,
        code: 'FILTERS_TOO_DEEP',
      });
    }
  });

  test('names nothing that reaches SQL or a prototype by a group, a sort or a list of fields', async () => {
    const hostile = [
      '__proto__',
      'constructor',
      'name);drop table x;--',
      "name' or '1'='1",
      'count(*)',
      'Name as x',
    ];
    for (const name of hostile) {
      const value = encodeURIComponent(name);
      for (const query of [`groupby?column_name=${value}`, `?sort=${value}`, `?where=(${value},eq,1)`]) {
        const answer = await owner.get<{ readonly msg?: string }>(`${rows}${query.replace(/^(?=g)/, '/')}`);
        expect({ query, status: answer.status }).toEqual({ query, status: 400 });
        expect(answer.body.msg).not.toMatch(/select |sqlite|syntax/i);
      }
    }
    const aggregated = await owner.get<List>(`${rows}/groupby?column_name=name&func=load_extension`);
    expect(aggregated.status).toBeLessThan(500);
    expect(await names()).toHaveLength(3);
  });

  test('does not unfold to millions of values in memory', async () => {
    const before = await names();
    const body = gzipSync(`[${'{},'.repeat(10_000_000)}{}]`);
    const answer = await fetch(server.url + bulk, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'xc-auth': owner.token ?? '',
      },
    });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_MANY_VALUES' },
    });
    expect(await names()).toEqual(before);
  });

  test('changes no row when its condition stands behind more parameters than are read', async () => {
    const before = await names();
    const many = Array.from({ length: 1000 }, (_, index) => `a${index}=1`).join('&');
    for (const answer of [
      await owner.patch(`${bulk}/all?${many}&where=(Name,eq,nobody)`, { Name: 'gone' }),
      await owner.delete(`${bulk}/all?${many}&where=(Name,eq,nobody)`),
      await owner.get(`${rows}?${many}&where=(Name,eq,nobody)`),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'QUERY_UNREADABLE' } });
    }
    expect(await names()).toEqual(before);
  });

  test('has no more rights for what its headers and switches say', async () => {
    const boasting = viewer.with({
      headers: { 'xc-preview': 'owner', 'xc-gui': 'true', 'x-user-roles': 'owner', 'xc-shared-base-id': 'x' },
    });
    expect(await boasting.post(rows, { Name: 'Eve' })).toMatchObject({ status: 403 });
    expect(await boasting.delete(`${bulk}/all?confirm=all&ignoreWebhook=true`)).toMatchObject({
      status: 403,
    });
    expect(await boasting.patch(`${meta}/projects/${project.id}`, { title: 'Mine' })).toMatchObject({
      status: 403,
    });
    expect(await names()).toHaveLength(3);
  });

  test('opens no database of the server, and learns nothing of its files, without being the super admin', async () => {
    const member = await server.signUp();
    const me = await member.get<{ id: string }>('/api/v1/auth/user/me');
    await server.host.container.get(AccountStoreToken).update(me.body.id, { roles: ['user'] });
    const external = (type: string, connection: object) => ({
      title: 'Theirs',
      external: true,
      bases: [{ type, config: { client: type, connection } }],
    });
    expect(await member.get(`${meta}/sqlite-files`)).toMatchObject({ status: 403 });
    expect(
      await member.post(`${meta}/projects`, external('sqlite3', { filename: 'trellis.db' })),
    ).toMatchObject({ status: 403, body: { msg: 'databaseOpen - user : Not allowed' } });
    expect(await member.post(`${meta}/projects`, { title: 'Own' })).toMatchObject({ status: 200 });
    for (const filename of [
      '../trellis.db',
      '/etc/passwd',
      `${server.dataDir}/trellis.db`,
      'file:x?mode=rw',
      '',
    ]) {
      const answer = await owner.post<{ msg: string }>(`${meta}/projects`, external('sqlite3', { filename }));
      expect({ filename, status: answer.status }).toEqual({ filename, status: 400 });
      expect(answer.body.msg).not.toContain(server.dataDir);
    }
  });

  test('poisons no prototype by what it has stored', async () => {
    const poison = (more: object) =>
      JSON.stringify({ ...more, meta: { marker: 1 } }).replace(
        '"marker":1',
        '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}',
      );
    const [view] = table.views ?? [];
    const tries = [
      await owner.patch(`${meta}/projects/${project.id}`, poison({ title: 'Hostile' })),
      await owner.patch(`${meta}/tables/${table.id}`, poison({ title: 'Things' })),
      await owner.patch(`${meta}/views/${view?.id}`, poison({ title: 'Things' })),
      await owner.put('/api/v1/user-storage', '{"__proto__":{"polluted":1}}'),
      await owner.post(rows, '{"Name":"canary","__proto__":{"polluted":1}}'),
    ];
    for (const { status } of tries) expect(status).toBeLessThan(500);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(await owner.post(rows, { Name: 'still writes' })).toMatchObject({ status: 200 });
    expect((await owner.get(`${meta}/projects/${project.id}`)).status).toBe(200);
  });

  test('is text wherever it is kept: markup comes back as it was sent', async () => {
    const markup = `<img src=x onerror=alert(1)><script>alert("1")</script>{{7*7}}\${7*7}`;
    expect((await owner.post(rows, { Name: markup })).body).toMatchObject({ Name: markup });
    const headers = (await owner.get(rows)).headers;
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const described = await owner.patch<ProjectEntity>(`${meta}/projects/${project.id}`, {
      description: markup,
    });
    expect(described.status).toBe(200);
    expect((await owner.get<ProjectEntity>(`${meta}/projects/${project.id}`)).body.description).toBe(markup);
  });
});
