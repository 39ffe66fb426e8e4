import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JobDefinition } from '@trellis/sdk/server';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';

const meta = '/api/v1/db/meta';
const hour = 60 * 60 * 1000;
const megabyte = 1024 * 1024;

let server: TestServer;
let owner: TestClient;
let base = '';
let column = '';

interface Sent {
  readonly status: number;
  readonly body: readonly { readonly url: string }[] & { readonly code?: string };
}

async function post(path: string, headers: Readonly<Record<string, string>>): Promise<Sent> {
  const body = new FormData();
  body.append('file', new Blob(['hello']), 'note.txt');
  const response = await fetch(server.url + path, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as never };
}
/** Sends a file by the link of the form, from an address. */
const sendFrom = (address: string) => post(`${base}/files/${column}`, { 'x-forwarded-for': address });

/** Says of all files that are there so far that they are so large, which no test sends. */
async function grow(megabytes: number): Promise<void> {
  const { database } = server.host.container.get(MetadataToken);
  await database.write((unit) =>
    unit.run(database.builder('p_column_attachment_file').update({ bytes: megabytes * megabyte })),
  );
}

async function sweep(hours: number): Promise<void> {
  const job: JobDefinition | undefined = server.host.registries
    .get('jobs')
    .get('column-attachment.sweep-uploads');
  const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
  await job?.run({ signal: new AbortController().signal, logger, now: Date.now() + hours * hour } as never);
}

beforeAll(async () => {
  server = await createTestServer({ env: { TRELLIS_TRUST_PROXY: '1' } });
  owner = await server.signUp();
  const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
  const { body: table } = await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
    title: 'Orders',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Files', uidt: 'Attachment' },
    ],
  });
  column = table.columns?.find(({ title }) => title === 'Files')?.id ?? '';
  const form = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/forms`, { title: 'Order' });
  const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${form.body.id}/columns`);
  const place = places.body.find(({ fk_column_id: of }) => of === column);
  await owner.patch(`${meta}/views/${form.body.id}/columns/${place?.id ?? ''}`, { show: true });
  const shared = await owner.post<{ uuid: string }>(`${meta}/views/${form.body.id}/share`, {});
  base = `/api/v1/db/public/shared-view/${shared.body.uuid}`;
});
afterAll(() => server?.dispose());

test('a stranger who sends files and no rows closes the form for nobody else, and for an hour at the most', async () => {
  expect((await sendFrom('192.0.2.7')).status).toBe(200);
  expect((await sendFrom('2001:db8:0:1::7')).status).toBe(200);
  await grow(2000);
  const refused = { status: 429, body: { code: 'TOO_MANY_SENT' } };
  expect(await sendFrom('192.0.2.7')).toMatchObject(refused);
  expect(await sendFrom('2001:db8:0:1::8')).toMatchObject(refused);
  expect((await sendFrom('192.0.2.8')).status).toBe(200);
  expect((await sendFrom('2001:db8:0:2::7')).status).toBe(200);
  await sweep(0.9);
  expect(await sendFrom('192.0.2.7')).toMatchObject(refused);
  await sweep(1.1);
  expect((await sendFrom('192.0.2.7')).status).toBe(200);
});

test('files of strangers all together have an end, so that they do not fill the disk', async () => {
  expect((await sendFrom('192.0.2.20')).status).toBe(200);
  await grow(30_000);
  expect(await sendFrom('192.0.2.21')).toMatchObject({ status: 429, body: { code: 'TOO_MANY_SENT' } });
  await sweep(1.1);
  expect((await sendFrom('192.0.2.21')).status).toBe(200);
});

test('a file of a stranger whose row was sent stays, and so does the upload of an account for a day', async () => {
  const { body: files } = await sendFrom('192.0.2.30');
  const sent = await server.client.post(`${base}/rows`, { data: { Files: files } });
  expect(sent.status).toBe(200);
  const [own] = (
    await post('/api/v1/db/storage/upload?path=noco/Shop/Orders/Files', { 'xc-auth': owner.token ?? '' })
  ).body;
  await sweep(1.1);
  const { body } = await owner.get<{ list: readonly { Files: string }[] }>(
    '/api/v1/db/data/noco/Shop/Orders?fields=*',
  );
  const [held] = JSON.parse(body.list[0]?.Files ?? '[]') as readonly { url: string }[];
  for (const file of [held, own])
    expect((await fetch(server.url + (file?.url ?? '/nowhere'))).status).toBe(200);
});
