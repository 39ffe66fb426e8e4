import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { SharedViewEntity } from '../shared/index.ts';

const meta = '/api/v1/db/meta';
let dataDir = '';
let server: TestServer | undefined;

afterEach(async () => {
  await server?.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

test('visits of a link are counted by the day, told at once, kept over a restart, and forgotten with the link', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'visits-'));
  server = await createTestServer({ dataDir });
  let owner: TestClient = await server.signUp('owner@example.com');
  const project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
  const columns = [{ title: 'Id', uidt: 'ID' }];
  const table = (
    await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, { title: 'Order', columns })
  ).body;
  const view = table.views?.[0]?.id ?? '';
  const { uuid } = (await owner.post<SharedViewEntity>(`${meta}/views/${view}/share`, {})).body;
  const visit = async (password?: string) =>
    (
      await server?.client
        .with({ headers: password === undefined ? {} : { 'xc-password': password } })
        .get(`/api/v1/db/public/shared-view/${uuid}/meta`)
    )?.status;
  const listed = async () =>
    (
      await owner.get<{ list: readonly SharedViewEntity[] }>(`${meta}/projects/${project}/shared-views`)
    ).body.list.map(({ visits }) => visits);

  expect(await listed()).toMatchObject([{ total: 0, last_at: null }]);
  for (let count = 0; count < 3; count++) expect(await visit()).toBe(200);
  // Rows are read by a page that was counted when it was opened.
  await server.client.get(`/api/v1/db/public/shared-view/${uuid}/rows`);
  // So is the link, again and again.
  const again = server.client.with({ headers: { 'if-none-match': 'W/"a mark"' } });
  expect(await again.get(`/api/v1/db/public/shared-view/${uuid}/meta`)).toMatchObject({ status: 200 });
  const [told] = await listed();
  expect(told).toMatchObject({ total: 3, last_at: expect.stringMatching(/^\d{4}-/) });
  expect(told?.days).toHaveLength(30);
  expect(told?.days.at(-1)).toBe(3);
  await owner.patch(`${meta}/views/${view}/share`, { password: 'open sesame' });
  expect(await visit('wrong one')).toBe(403);
  expect(await visit('open sesame')).toBe(200);

  await server.dispose();
  server = await createTestServer({ dataDir });
  const signedIn = await server.client.post<{ token: string }>('/api/v1/auth/user/signin', {
    email: 'owner@example.com',
    password: 'Password-1',
  });
  owner = server.client.with({ headers: { 'xc-auth': signedIn.body.token } });
  expect(await listed()).toMatchObject([{ total: 4 }]);
  await visit('open sesame');
  expect(await listed()).toMatchObject([{ total: 5 }]);
  await owner.delete(`${meta}/views/${view}/share`);
  await owner.post(`${meta}/views/${view}/share`, {});
  expect(await listed()).toMatchObject([{ total: 0, last_at: null }]);
});
