import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { TestClient } from '@trellis/sdk/testing/server';
import { backupsOf } from '../../plugins/schedules/testing/backups.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

let server: BuiltServer | undefined;
let dataDir: string | undefined;

afterEach(async () => {
  await server?.end('SIGKILL');
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

const count = 12_000;
const kills = 6;

test('a restore whose process is killed again and again is gone on with, and has each row once', async () => {
  dataDir = await shipToNewFolder([]);
  const env = { TRELLIS_SECRET: 'the same secret for all starts' };
  server = startBuiltServer(dataDir, env);
  const guest = new TestClient(await server.listening());
  const { body } = await guest.post<{ token: string }>('/api/v1/auth/user/signup', {
    email: 'ada@example.com',
    password: 'Passw0rd!',
  });
  const ada = guest.with({ token: body.token });
  const { id } = (await ada.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Staff' })).body;
  const { body: table } = await ada.post<TableEntity>(`/api/v1/db/meta/projects/${id}/tables`, {
    title: 'People',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  const tie = { uidt: 'LinkToAnotherRecord', parentId: table.id, childId: table.id };
  const { body: tied } = await ada.post<TableEntity>(`/api/v1/db/meta/tables/${table.id}/columns`, {
    ...tie,
    title: 'Boss',
    type: 'bt',
  });
  const boss = tied.columns?.find(({ uidt }) => uidt === 'ForeignKey')?.title ?? '';
  for (let from = 1; from <= count; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ Name: `person ${from + index}` }));
    expect((await ada.post('/api/v1/db/data/bulk/noco/Staff/People', rows)).status).toBe(200);
  }
  // Each person's boss comes later, but for the last one's.
  for (let from = 1; from < count; from += 1000) {
    const patches = Array.from({ length: 1000 }, (_, index) => ({
      Id: from + index,
      [boss]: Math.min(from + index + 1, count),
    }));
    expect((await ada.patch('/api/v1/db/data/bulk/noco/Staff/People', patches)).status).toBe(200);
  }
  const { archive } = await backupsOf(ada).backup(id);
  const { body: ready } = await backupsOf(ada).send(archive);
  expect((await backupsOf(ada).begin(ready, 'Staff again')).status).toBe(200);
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(150 + 250 * kill);
    await server.end('SIGKILL');
    server = startBuiltServer(dataDir, env);
    await server.listening();
  }
  const again = new TestClient(await server.listening(), { token: body.token });
  const done = await backupsOf(again).ended(ready);
  expect(done).toMatchObject({ state: 'done', message: null, notes: [] });
  const path = `/api/v1/db/data/noco/${done.project_id ?? ''}/People`;
  const { body: counted } = await again.get<{ count: number | string }>(`${path}/count`);
  expect(Number(counted.count)).toBe(count);
  for (const [query, wanted] of [
    [`(Name,eq,person 1)`, { Id: 1, [boss]: 2 }],
    [`(Name,eq,person ${count})`, { Id: count, [boss]: count }],
  ] as const) {
    const { body: row } = await again.get(`${path}/find-one?fields=*&where=${encodeURIComponent(query)}`);
    expect(row).toMatchObject(wanted);
  }
  const unset = `${path}/count?where=${encodeURIComponent(`(${boss},is,null)`)}`;
  expect(Number((await again.get<{ count: number | string }>(unset)).body.count)).toBe(0);
});
