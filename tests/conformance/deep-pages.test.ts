import { expect, jest, test } from '@jest/globals';
import { RateLimiterToken } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer } from '@trellis/sdk/testing/server';
import { DatabaseToken } from '../../host-server/databases/tokens.ts';

const meta = '/api/v1/db/meta';
const data = '/api/v1/db/data/noco/Atlas';

test('a visitor of a project reads its tables no deeper and exports no more than strangers are served, and a member anywhere', async () => {
  const server = await createTestServer();
  try {
    const owner = await server.signUp('owner@example.com');
    const { id } = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Atlas' })).body;
    const make = async (title: string) => {
      const columns = [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
      ];
      const table = { title, table_name: title.toLowerCase(), columns };
      return (await owner.post<TableEntity>(`${meta}/projects/${id}/tables`, table)).body;
    };
    const [city, street] = [await make('City'), await make('Street')];
    const link = { title: 'Streets', uidt: 'LinkToAnotherRecord', type: 'hm' };
    await owner.post(`${meta}/tables/${city.id}/columns`, { ...link, parentId: city.id, childId: street.id });
    await owner.post(`${data}/City`, { Name: 'Oslo' });
    const { uuid } = (await owner.post<{ uuid: string }>(`${meta}/projects/${id}/shared`, {})).body;
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': uuid } });
    for (const path of [
      `${data}/City?`,
      `${data}/City?sort=-Name&`,
      `${data}/City/groupby?column_name=Name&`,
      `${data}/City/1/hm/Streets?`,
    ]) {
      expect([path, (await visitor.get(`${path}limit=25&offset=99975`)).status]).toEqual([path, 200]);
      const deep = `${path}limit=25&offset=99976`;
      expect(await visitor.get(deep)).toMatchObject({ status: 400, body: { code: 'PAGE_TOO_DEEP' } });
      expect(await owner.get(deep)).toMatchObject({ status: 200 });
    }
    const read = jest.spyOn(server.host.container.get(DatabaseToken), 'read');
    const counts = () => read.mock.calls.filter(([, options]) => options?.timeoutMs === 10_000).length;
    const searched = `${data}/City?where=(Name,like,s)&limit=25&offset=`;
    expect((await visitor.get(`${searched}99976`)).status).toBe(400);
    expect(counts()).toBe(0);
    expect((await visitor.get(`${searched}99975`)).status).toBe(200);
    expect(counts()).toBe(1);
    // What a visitor exports is counted before a row is read, what a member exports is not.
    const named = `${data}/City/export/csv?where=(Name,like,o)`;
    for (const [client, asked] of [
      [visitor, 2],
      [owner, 2],
    ] as const) {
      expect(await client.get(named)).toMatchObject({ status: 200, body: expect.stringContaining('Oslo') });
      expect(counts()).toBe(asked);
    }
    read.mockRestore();
    const limiter = server.host.container.get(RateLimiterToken);
    const exports = { name: 'visitor-exports', limit: 300, windowSeconds: 600 };
    for (let made = 1; made < 300; made += 1) await limiter.consume(exports, { address: '127.0.0.1' });
    const base = (await owner.post<{ uuid: string }>(`${meta}/views/${city.views?.[0]?.id}/share`, {})).body;
    for (const [client, path] of [
      [visitor, named],
      [server.client, `/api/v1/db/public/shared-view/${base.uuid}/rows/export/csv`],
    ] as const)
      expect(await client.get(path)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
    expect((await owner.get(named)).status).toBe(200);
  } finally {
    await server.dispose();
  }
});
