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

  test('tells from where things were done to super admins alone', async () => {
    const { body: project } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Team' });
    const email = 'creator@example.com';
    const creator = await server.signUp(email);
    await ann.post(`/api/v1/db/meta/projects/${project.id}/users`, { email, roles: 'creator' });
    const addressesFor = async (client: TestClient) => {
      const answer = await client.get<{ list: { op_type: string; ip: string | null }[] }>(
        `/api/v1/db/meta/projects/${project.id}/audits?op_type=AUTHENTICATION`,
      );
      expect(answer.status).toBe(200);
      return answer.body.list.map(({ ip }) => ip);
    };
    expect(await addressesFor(ann)).toEqual([expect.stringMatching(/127\.0\.0\.1$/)]);
    expect(await addressesFor(creator)).toEqual([null]);
  });

  test('tells nobody of cells that their role hides, and of no cell of a table of which they see some rows', async () => {
    const project = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Payroll' })).body
      .id;
    const meta = `/api/v1/db/meta/projects/${project}`;
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Pay', uidt: 'SingleLineText' },
    ];
    const { body: table } = await ann.post<{ id: string; columns: { id: string; title: string }[] }>(
      `${meta}/tables`,
      { title: 'Staff', columns },
    );
    const pay = table.columns.find(({ title }) => title === 'Pay')?.id ?? '';
    const rows = '/api/v1/db/data/noco/Payroll/Staff';
    await ann.post(rows, { Name: 'Ida', Pay: 'secret-1' });
    await ann.patch(`${rows}/1`, { Name: 'Ina', Pay: 'secret-2' });
    const role = await ann.post<{ id: string }>(`/api/v1/plugins/sys-members/projects/${project}/roles`, {
      title: 'Controller',
      description: '',
      base: 'editor',
      denied: [],
      tables: {
        [table.id]: {
          access: 'write',
          create: true,
          delete: true,
          columns: { [pay]: 'none' },
          newColumns: 'write',
        },
      },
    });
    expect(role.status).toBe(200);
    const bob = await server.signUp('bob@example.com');
    await ann.post(`${meta}/users`, { email: 'bob@example.com', custom_role: role.body.id });

    const told = async (client: TestClient) =>
      JSON.stringify(
        (await client.get(`/api/v1/db/meta/audits/comments?row_id=1&fk_model_id=${table.id}`)).body,
      );
    expect(await told(ann)).toContain('<del>secret-1</del> <mark>secret-2</mark>');
    const toBob = await told(bob);
    expect(toBob).toContain('<del>Ida</del> <mark>Ina</mark>');
    expect(toBob).not.toContain('secret');
  });
});
