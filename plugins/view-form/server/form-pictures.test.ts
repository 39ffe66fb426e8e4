import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { mostPictureBytes } from '../shared/index.ts';

const meta = '/api/v1/db/meta';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Form {
  readonly banner_image_url: string | null;
  readonly logo_url: string | null;
}

let server: TestServer;
let owner: TestClient;
let projectId = '';
let table: TableEntity;
let made = 0;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp('owner@example.com');
  projectId = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
  const columns = [
    { title: 'Id', uidt: 'ID' },
    { title: 'Name', uidt: 'SingleLineText' },
  ];
  table = (await owner.post<TableEntity>(`${meta}/projects/${projectId}/tables`, { title: 'Order', columns }))
    .body;
});
afterAll(() => server?.dispose());

async function makeForm(body: object = {}): Promise<string> {
  const path = `${meta}/tables/${table.id}/forms`;
  return (await owner.post<{ id: string }>(path, { title: `Form ${++made}`, ...body })).body.id;
}
const formOf = async (id: string) => (await owner.get<Form>(`${meta}/forms/${id}`)).body;
const set = (id: string, place: string, bytes: Uint8Array, by: TestClient = owner) =>
  by.put<{ url: string; code: string }>(`${meta}/forms/${id}/pictures/${place}`, {
    picture: Buffer.from(bytes).toString('base64'),
  });
const read = (url: string) => fetch(`${server.url}${url}`);
const share = async (id: string) =>
  (await owner.post<{ uuid: string }>(`${meta}/views/${id}/share`, {})).body.uuid;
/** As members read it, shared or not. */
const readOwn = (id: string, place: string, address: string, by: TestClient = owner) =>
  by.get<{ picture: string }>(`${meta}/forms/${id}/pictures/${place}?address=${encodeURIComponent(address)}`);

test('strangers see the banner and the logo of a shared form, until they are replaced or taken away', async () => {
  const id = await makeForm();
  const banner = await set(id, 'banner', png);
  expect(banner.status).toBe(200);
  const first = banner.body.url;
  const logo = (await set(id, 'logo', png)).body.url;
  expect(await formOf(id)).toMatchObject({ banner_image_url: first, logo_url: logo });
  const uuid = await share(id);
  const told = await server.client.get(`/api/v1/db/public/shared-view/${uuid}/meta`);
  expect(told.body).toMatchObject({ view: { meta: { bannerUrl: first, logoUrl: logo } } });

  const answer = await read(first);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  });

  const second = (await set(id, 'banner', png)).body.url;
  expect(second).not.toBe(first);
  expect((await read(first)).status).toBe(404);
  expect(await formOf(id)).toMatchObject({ banner_image_url: second });
  expect((await owner.delete(`${meta}/forms/${id}/pictures/banner`)).status).toBe(200);
  expect((await read(second)).status).toBe(404);
  expect(await formOf(id)).toMatchObject({ banner_image_url: null, logo_url: logo });
  expect((await read(logo)).status).toBe(200);
});

test('a copy of a form keeps the picture that the first one gives up', async () => {
  const id = await makeForm();
  const { url } = (await set(id, 'banner', png)).body;
  const copy = await makeForm({ copy_from_id: id });
  await share(copy);
  expect(await formOf(copy)).toMatchObject({ banner_image_url: url });
  await owner.delete(`${meta}/forms/${id}/pictures/banner`);
  expect((await read(url)).status).toBe(200);
  await owner.delete(`${meta}/forms/${copy}/pictures/banner`);
  expect((await read(url)).status).toBe(404);
});

test('strangers see pictures of a form only while its link is open, and members always', async () => {
  const id = await makeForm();
  const { url } = (await set(id, 'banner', png)).body;
  const isSeen = async () => {
    const { status } = await read(url);
    expect([200, 404]).toContain(status);
    return status === 200;
  };
  expect(await isSeen()).toBe(false);
  expect((await readOwn(id, 'banner', url)).body).toEqual({
    picture: `data:image/png;base64,${png.toString('base64')}`,
  });
  expect((await readOwn(id, 'logo', url)).status).toBe(404);
  expect((await readOwn(id, 'banner', `${url}x`)).status).toBe(404);
  expect((await readOwn(id, 'banner', url, server.client)).status).toBe(401);

  await share(id);
  expect(await isSeen()).toBe(true);
  await owner.patch(`${meta}/views/${id}/share`, { expires_at: new Date(Date.now() - 1000).toISOString() });
  expect(await isSeen()).toBe(false);
  await owner.patch(`${meta}/views/${id}/share`, { expires_at: null });
  expect(await isSeen()).toBe(true);
  await owner.delete(`${meta}/views/${id}/share`);
  expect(await isSeen()).toBe(false);

  await share(id);
  expect(await isSeen()).toBe(true);
  await owner.delete(`${meta}/views/${id}`);
  expect(await isSeen()).toBe(false);
  expect((await readOwn(id, 'banner', url)).status).toBe(404);
});

test('nothing that runs, nothing large, no other place, and nothing by those who may not change the form', async () => {
  const id = await makeForm();
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '<html>',
    '',
  ])
    expect(await set(id, 'logo', Buffer.from(text))).toMatchObject({
      status: 400,
      body: { code: 'PICTURE_KIND' },
    });
  expect([400, 413]).toContain(
    (await set(id, 'logo', Buffer.concat([png, Buffer.alloc(mostPictureBytes)]))).status,
  );
  expect((await set(id, 'cover', png)).status).toBe(404);
  expect((await set(id, 'constructor', png)).status).toBe(404);
  expect((await set(id, 'logo', png, server.client)).status).toBe(401);
  const editor = await server.signUp('ed@example.com');
  await owner.post(`${meta}/projects/${projectId}/users`, { email: 'ed@example.com', roles: 'editor' });
  expect((await set(id, 'logo', png, editor)).status).toBe(403);
  await owner.patch(`${meta}/views/${id}`, { lock_type: 'locked' });
  expect((await set(id, 'logo', png)).status).toBe(400);
  expect(await formOf(id)).toMatchObject({ banner_image_url: null, logo_url: null });
});

test('an address of another project, written into a form, takes nothing from that project', async () => {
  const id = await makeForm();
  const { url } = (await set(id, 'logo', png)).body;
  await share(id);
  const theirs = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Theirs' })).body.id;
  const columns = [{ title: 'Id', uidt: 'ID' }];
  const body = { title: 'Own', columns };
  const own = (await owner.post<TableEntity>(`${meta}/projects/${theirs}/tables`, body)).body;
  const form = await owner.post<{ id: string }>(`${meta}/tables/${own.id}/forms`, { title: 'Form' });
  expect(await owner.patch(`${meta}/forms/${form.body.id}`, { logo_url: url })).toMatchObject({
    status: 200,
  });
  expect((await owner.delete(`${meta}/forms/${form.body.id}/pictures/logo`)).status).toBe(200);
  expect((await read(url)).status).toBe(200);
});
