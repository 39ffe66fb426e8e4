import { afterAll, expect, test } from '@jest/globals';
import { defineServerPlugin } from '@trellis/sdk/server';
import { createTestServer, type TestPlugin } from '@trellis/sdk/testing/server';
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

  test('keeps the settings of plugins, also of one about which nobody has decided', async () => {
    const database = await databases.url();
    const env = { TRELLIS_SECRET: 'one secret for both of the starts' };
    const greeter = (id: string, enabledByDefault: boolean): TestPlugin => ({
      manifest: {
        id,
        name: id,
        version: '1.0.0',
        category: 'app',
        engines: { trellis: '*' },
        sdk: 1,
        enabledByDefault,
        settings: {
          type: 'object',
          properties: { greeting: { type: 'string' }, word: { type: 'string', format: 'secret' } },
        },
      },
      server: defineServerPlugin({ setup() {} }),
    });
    const plugins = [greeter('greeter', true), greeter('shy-greeter', false)];
    const ids = ['greeter', 'shy-greeter'];
    const path = (id: string) => `/api/v1/app-store/plugins/${id}/settings`;
    const first = await createTestServer({ database, env, plugins });
    const ann = await first.signUp('ann@example.com');
    for (const id of ids) {
      const input = { greeting: 'Grüezi 👋', word: 'hush' };
      expect((await ann.put(path(id), { input })).status).toBe(200);
    }
    await first.dispose();

    const second = await createTestServer({ database, env, plugins });
    const again = second.client.with({ token: ann.token });
    for (const id of ids) {
      expect((await again.get(path(id))).body).toMatchObject({
        values: { greeting: 'Grüezi 👋', word: '********' },
      });
    }
    const states = second.host.plugins.list().filter(({ id }) => ids.includes(id));
    expect(states.map(({ state }) => state)).toEqual(['enabled', 'disabled']);
    await second.dispose();
  });
});
