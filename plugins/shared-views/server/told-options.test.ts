import { expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, testPlugin } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

/** A type of views that fails while it says what strangers are told of its options. */
const shelves = testPlugin('view-shelf', (ctx) => {
  ctx.register('permissions', { id: 'shelfViewCreate', label: 'Make shelves', scope: 'project', roles: [] });
  ctx.register('viewTypes', {
    id: 'shelf',
    label: 'Shelf',
    options: { type: 'object', properties: { keeper: { type: 'string' } } },
    sharing: {
      visitors: 'read',
      word: 'view',
      publicOptions() {
        throw new Error('No shelf');
      },
    },
  });
});

test('visitors are told of a view whose type fails to say what they may know of its options: of none', async () => {
  const server = await createTestServer({ plugins: [shelves] });
  try {
    const owner = await server.signUp('owner@example.com');
    const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    const table = await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
      title: 'Thing',
      columns,
    });
    const view = await owner.post<{ id: string }>(`${meta}/tables/${table.body.id}/views`, {
      title: 'Shelf',
      type: 'shelf',
      meta: { keeper: 'owner@example.com' },
    });
    expect(view.status).toBe(200);
    const shared = await owner.post<{ uuid: string }>(`${meta}/views/${view.body.id}/share`, {});
    const told = await server.client.get<{ title: string; model: { columns: readonly object[] } }>(
      `/api/v1/db/public/shared-view/${shared.body.uuid}/meta`,
    );
    expect(told).toMatchObject({ status: 200, body: { title: 'Shelf' } });
    expect(told.body.model.columns).toHaveLength(2);
    expect(JSON.stringify(told.body)).not.toContain('owner@example.com');
  } finally {
    await server.dispose();
  }
});
