import { expect, jest, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer } from '@trellis/sdk/testing/server';
import { DatabaseToken } from '../../host-server/databases/tokens.ts';

const meta = '/api/v1/db/meta';
const data = '/api/v1/db/data/noco/Atlas';

test('a visitor of a project reads its tables no deeper than strangers are served, and a member anywhere', async () => {
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
    read.mockRestore();
  } finally {
    await server.dispose();
  }
});
