import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import Database from 'better-sqlite3';
import type { TableDiff } from '../shared/index.ts';

const meta = '/api/v1/db/meta';
let server: TestServer;
let owner: TestClient;
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
});
afterAll(() => server?.dispose());

test('what another application changed is listed in the words of the v1 API, and taken over', async () => {
  const folder = join(server.dataDir, 'sqlite');
  await mkdir(folder, { recursive: true });
  const elsewhere = (sql: string) => {
    const file = new Database(join(folder, 'shop.db'));
    file.exec(sql);
    file.close();
  };
  elsewhere(
    'create table item (id integer primary key, name text); create table old (id integer primary key)',
  );
  const { body: project } = await owner.post<{ id: string }>(`${meta}/projects`, {
    title: 'Shop',
    external: true,
    bases: [{ type: 'sqlite3', config: { connection: { filename: 'shop.db' } } }],
  });
  const path = `${meta}/projects/${project.id}/meta-diff`;
  const read = async () => (await owner.get<readonly TableDiff[]>(path)).body;
  expect(await read()).toEqual([
    { title: 'Item', table_name: 'item', type: 'table', detectedChanges: [] },
    { title: 'Old', table_name: 'old', type: 'table', detectedChanges: [] },
  ]);
  elsewhere(`
    alter table item drop column name;
    alter table item add column price real;
    create table shelf (id integer primary key, item_id integer references item (id));
    drop table old`);
  expect(await read()).toMatchObject([
    {
      title: 'Item',
      detectedChanges: [
        { type: 'TABLE_COLUMN_ADD', msg: 'New column(price)', cn: 'price' },
        { type: 'TABLE_COLUMN_REMOVE', msg: 'Column removed(name)', cn: 'name', column: { title: 'Name' } },
        {
          type: 'TABLE_RELATION_ADD',
          tn: 'shelf',
          cn: 'item_id',
          rtn: 'item',
          rcn: 'id',
          relationType: 'hm',
        },
      ],
    },
    { title: 'Old', detectedChanges: [{ type: 'TABLE_REMOVE', msg: 'Table removed', tn: 'old' }] },
    { table_name: 'shelf', detectedChanges: [{ type: 'TABLE_NEW', msg: 'New table' }] },
  ]);
  const stranger = await server.signUp();
  expect((await stranger.get(path)).status).toBe(403);
  expect((await stranger.post(path)).status).toBe(403);
  expect(await owner.post(path)).toMatchObject({ status: 200, body: { msg: 'success' } });
  expect((await read()).flatMap(({ detectedChanges }) => detectedChanges)).toEqual([]);
  expect((await read()).map(({ title }) => title)).toEqual(['Item', 'Shelf']);
});

test('a project of our own database never differs', async () => {
  const { body: project } = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Own' });
  await owner.post(`${meta}/projects/${project.id}/tables`, { title: 'People', columns: [] });
  const path = `${meta}/projects/${project.id}/meta-diff`;
  expect((await owner.get(path)).body).toMatchObject([{ title: 'People', detectedChanges: [] }]);
  expect(await owner.post(path)).toMatchObject({ status: 200 });
});
