import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineServerPlugin } from '@trellis/sdk/server';
import { defineColumnType } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const rows = '/api/v1/db/data/noco/Shop/Parts';

const code = defineColumnType<string>({
  id: 'Code',
  label: 'Code',
  description: 'A code that its plugin sometimes cannot read.',
  icon: 'tag',
  storage: 'text',
  fallback: 'SingleLineText',
  accepts: ['text'],
  examples: [{ input: 'A1', value: 'A1' }],
  operators: ['eq'],
  order: 900,
  parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
  format: (value) => value ?? '',
});

const brittle = {
  manifest: {
    id: 'brittle',
    name: 'Brittle',
    version: '1.0.0',
    category: 'column',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    enabledByDefault: true,
    contributes: {
      columnTypes: [{ id: 'Code', label: 'Code', storage: 'text', fallback: 'SingleLineText' }],
    },
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('columnTypes', {
        ...code,
        server: {
          fromStorage(value) {
            if (value === 'broken') throw new RangeError('no such code');
            return typeof value === 'string' ? value.toUpperCase() : value;
          },
        },
      });
    },
  }),
};

describe('a column type that fails to read a cell', () => {
  let server: TestServer;
  let owner: TestClient;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [brittle] });
    owner = await server.signUp('owner@example.com');
    const project = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    await owner.post(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Parts',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Code', uidt: 'Code' },
      ],
    });
    await owner.post('/api/v1/db/data/bulk/noco/Shop/Parts', [{ Code: 'fine' }, { Code: 'broken' }]);
  });

  afterAll(() => server?.dispose());

  test('leaves the row with the cell as it is stored, and is charged to its plugin until it is out of service', async () => {
    expect((await owner.get(rows)).body).toMatchObject({ list: [{ Code: 'FINE' }, { Code: 'broken' }] });
    const plugin = () => server.host.plugins.list().find(({ id }) => id === 'brittle');
    expect(plugin()?.errors[0]).toMatchObject({ where: "'Code' in columnTypes", message: 'no such code' });
    for (let call = 0; call < 20; call += 1) await owner.get(rows);
    expect(plugin()).toMatchObject({ state: 'degraded' });
    expect((await owner.get(rows)).body).toMatchObject({ list: [{ Code: 'fine' }, { Code: 'broken' }] });
  });
});
