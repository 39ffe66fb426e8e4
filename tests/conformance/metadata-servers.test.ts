import { afterAll, expect, test } from '@jest/globals';
import { createTestServer } from '@trellis/sdk/testing/server';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';

describeEachServer('the whole server with its metadata', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());

  test('starts on an empty database, serves rows, and starts again on the same one', async () => {
    const database = await databases.url();
    const env = { TRELLIS_SECRET: 'one secret for both of the starts' };
    const first = await createTestServer({ database, env });
    const ann = await first.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Orders' });
    const table = await ann.post(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Customers',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    expect(table.status).toBe(200);
    const rows = '/api/v1/db/data/noco/Orders/Customers';
    expect(await ann.post(rows, { Name: 'Ida' })).toMatchObject({ status: 200, body: { Name: 'Ida' } });
    await first.dispose();

    const second = await createTestServer({ database, env });
    const again = second.client.with({ token: ann.token });
    expect((await again.get(rows)).body).toMatchObject({ list: [{ Name: 'Ida' }] });
    await second.dispose();
  });
});
