import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

const meta = '/api/v1/db/meta';

/** Not every database keeps such characters, and nobody sees them. */
function describeNames(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let project: string;
  let table: TableEntity;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp();
    const made = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' });
    project = made.body.id;
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    ({ body: table } = await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
      title: 'Tasks',
      columns,
    }));
  });
  afterAll(() => server?.dispose());

  const hook = { title: 'Tell', operation: 'insert' };
  const notification = { type: 'URL', payload: { path: 'https://example.com/' } };

  test.each(['Ta\u0000sks', '\u0000', 'Tasks\u001b'])('%j is no name of anything', async (title) => {
    const [name] = (table.columns ?? []).filter((of: ColumnEntity) => of.title === 'Name');
    const views = await owner.get<{ list: readonly { id: string }[] }>(`${meta}/tables/${table.id}/views`);
    const kept = await owner.post<{ id: string }>(`${meta}/tables/${table.id}/hooks`, {
      ...hook,
      notification,
    });
    const asked = [
      owner.post(`${meta}/projects`, { title }),
      owner.patch(`${meta}/projects/${project}`, { title }),
      owner.post(`${meta}/projects/${project}/tables`, { title, columns: [{ title: 'Id', uidt: 'ID' }] }),
      owner.patch(`${meta}/tables/${table.id}`, { title }),
      owner.post(`${meta}/tables/${table.id}/columns`, { title, uidt: 'SingleLineText' }),
      owner.patch(`${meta}/columns/${name?.id}`, { title, uidt: 'SingleLineText' }),
      owner.post(`${meta}/tables/${table.id}/grids`, { title }),
      owner.patch(`${meta}/views/${views.body.list[0]?.id}`, { title }),
      owner.post(`${meta}/tables/${table.id}/hooks`, { ...hook, notification, title }),
      owner.patch(`${meta}/hooks/${kept.body.id}`, { title }),
      owner.post(`/api/v1/plugins/automations/projects/${project}/automations`, {
        title,
        trigger: { type: 'row.added', settings: { table: table.id } },
        steps: [],
      }),
    ];
    for (const [at, { status, body }] of (await Promise.all(asked)).entries()) {
      expect({ at, status }).toEqual({ at, status: 400 });
      expect((body as { readonly msg: string }).msg).toMatch(/control character/);
    }
  });
}

describeEachHome('unprintable names', describeNames);
