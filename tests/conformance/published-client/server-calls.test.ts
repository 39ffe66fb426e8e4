import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { Api } from 'nocodb-sdk';

describe('the published client: calls for the server', () => {
  const files = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://files');
    if (pathname === '/gone.csv') return void answer.writeHead(404).end('gone');
    answer.end(`Name,Part\n${String(request.headers['x-key'])},${searchParams.get('part') ?? ''}\n`);
  });
  let server: TestServer;
  let boss: Api<unknown>;
  let bob: Api<unknown>;
  let origin = '';

  beforeAll(async () => {
    files.listen(0, '127.0.0.1');
    await once(files, 'listening');
    origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    const as = async (name: string) => {
      const client = await server.signUp(`${name}@example.com`);
      const api = new Api<unknown>({ baseURL: server.url });
      api.instance.defaults.headers.common['xc-auth'] = client.token;
      return api;
    };
    boss = await as('boss');
    bob = await as('bob');
  });
  afterAll(async () => {
    files.close();
    await server?.dispose();
  });

  const fetchOf = (url: string, more: object = {}, api = bob) =>
    api.utils.axiosRequestMake({ apiMeta: { url, ...more } } as never);
  const refusedWith = (status: number) => ({ response: { status } });

  test('a table of text is fetched with headers and parameters, a spreadsheet as its bytes', async () => {
    const more = {
      method: 'GET',
      headers: [
        { name: 'x-key', value: 'k1', enabled: true },
        { name: 'x-key', value: 'off', enabled: false },
        { name: 'Host', value: 'elsewhere.example' },
        { name: 'x-split', value: 'a\r\nx-key: k2' },
      ],
      parameters: [{ name: 'part', value: 2 }],
    };
    expect(await fetchOf(`${origin}/cities.csv`, more)).toBe('Name,Part\nk1,2\n');
    const sheet = (await fetchOf(`${origin}/cities.xlsx`, more)) as unknown as {
      type: string;
      data: number[];
    };
    expect(sheet.type).toBe('Buffer');
    expect(Buffer.from(sheet.data).toString()).toBe('Name,Part\nk1,2\n');
  });

  test('nothing else is fetched, and nobody is a way into a network', async () => {
    expect(await fetchOf(`${origin}/cities.html?x=.csv`)).toEqual({});
    expect(await fetchOf('file:///etc/passwd.csv')).toEqual({});
    expect(await fetchOf(`${origin}/cities.csv`, { method: 'POST' })).toEqual({});
    expect(await fetchOf(`${origin}/gone.csv`)).toEqual({});
    await expect(fetchOf('http://10.0.0.1/cities.csv')).rejects.toMatchObject(refusedWith(400));
    await expect(fetchOf('http://169.254.169.254/x.csv')).rejects.toMatchObject(refusedWith(400));
    const guest = new Api<unknown>({ baseURL: server.url });
    await expect(fetchOf(`${origin}/cities.csv`, {}, guest)).rejects.toMatchObject(refusedWith(401));
  });

  test('what the server keeps is listed and read again for a super admin alone', async () => {
    const project = await boss.project.create({ title: 'Atlas' });
    const table = await boss.dbTable.create(project.id ?? '', {
      table_name: 'city',
      title: 'City',
      columns: [{ column_name: 'id', title: 'Id', uidt: 'ID' }],
    } as never);
    expect(await boss.utils.cacheGet()).toMatchObject({ [project.id ?? '']: expect.any(Number) });
    expect(await boss.utils.cacheDelete()).toBe('OK');
    expect(await boss.dbTable.read(table.id ?? '')).toMatchObject({ title: 'City' });
    await expect(bob.utils.cacheGet()).rejects.toMatchObject(refusedWith(403));
    await expect(bob.utils.cacheDelete()).rejects.toMatchObject(refusedWith(403));
  });
});
