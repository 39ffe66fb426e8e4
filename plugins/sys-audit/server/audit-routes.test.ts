import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

describe('the audit of a project', () => {
  let server: TestServer;
  let ann: TestClient;
  let path = '';

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    const { body } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    path = `/api/v1/db/meta/projects/${body.id}/audits`;
    const columns = [{ title: 'Id', uidt: 'ID' }];
    await ann.post(`/api/v1/db/meta/projects/${body.id}/tables`, {
      title: 'City',
      columns,
    });
  });
  afterAll(() => server?.dispose());

  const totalOf = async (query: string) => {
    const { body } = await ann.get<{ pageInfo: { totalRows: number } }>(`${path}?${query}`);
    return body.pageInfo.totalRows;
  };

  test('has the lines from one moment until another', async () => {
    const all = await totalOf('');
    expect(all).toBeGreaterThan(0);
    expect(await totalOf('from=2020-01-01T00:00:00Z&until=2120-01-01T00:00:00.000Z')).toBe(all);
    expect(await totalOf('from=2119-12-31T00:00:00Z')).toBe(0);
    expect(await totalOf('until=2020-01-01T00:00:00Z')).toBe(0);
    // What a form sends of fields that are left empty.
    expect(await totalOf('user=&op_type=&fk_model_id=')).toBe(all);
  });

  test('does not answer with everything where the moment is one that no calendar has', async () => {
    for (const moment of [
      '2119-13-01T00:00:00Z',
      '2119-02-30T00:00:00Z',
      '2119-01-01T25:00:00Z',
      '2119-00-00T00:00:00Z',
    ])
      for (const name of ['from', 'until'])
        expect(await ann.get(`${path}?${name}=${moment}`)).toMatchObject({
          status: 400,
          body: { code: 'AUDIT_MOMENT' },
        });
  });
});
