import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestClient } from '@trellis/sdk/testing/server';
import { startBuiltServer, type BuiltServer } from './built-product.ts';

const owner = { email: 'ada@example.com', password: 'Passw0rd!' };
const rows = '/api/v1/db/data/noco/Archive/Letters';

let server: BuiltServer | undefined;
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-full-disk-'));
});
afterEach(async () => {
  await server?.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a server whose files take so many blocks of 512 bytes, and gives what it says when it ends. */
async function failedStart(fileBlocks: number): Promise<string> {
  server = startBuiltServer(dataDir, {}, { fileBlocks });
  await expect(server.listening()).rejects.toThrow('The server ended with 1');
  return server.text();
}

async function signedIn(url: string, how: 'signup' | 'signin'): Promise<TestClient> {
  const client = new TestClient(url);
  const { body } = await client.post<{ token: string }>(`/api/v1/auth/user/${how}`, owner);
  return client.with({ token: body.token });
}

test('a first start without room says so and leaves nothing, and is a first start again where there is some', async () => {
  // With some room a start would come to its end, but without most of its plugins.
  for (const fileBlocks of [0, 400, 8000]) {
    expect(await failedStart(fileBlocks)).toContain(
      `Trellis cannot start: The disk of the folder ${dataDir} is full (EFBIG); make room on it`,
    );
    expect(await readdir(dataDir)).toEqual([]);
  }
  server = startBuiltServer(dataDir);
  const ada = await signedIn(await server.listening(), 'signup');
  expect((await ada.get('/api/v1/auth/user/me')).body).toMatchObject({ roles: { super: true } });
});

test('a server that runs out of room answers 507 and reads on, and nothing that it acknowledged is lost', async () => {
  server = startBuiltServer(dataDir);
  const ada = await signedIn(await server.listening(), 'signup');
  const project = await ada.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Archive' });
  await ada.post(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Letters',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Text', uidt: 'LongText' },
      { title: 'Files', uidt: 'Attachment' },
    ],
  });
  await server.end('SIGTERM');
  expect(await failedStart(0)).toContain(`The disk of the folder ${dataDir} is full`);

  server = startBuiltServer(dataDir, {}, { fileBlocks: 24_000 });
  const again = await signedIn(await server.listening(), 'signin');
  const statuses: number[] = [];
  while (statuses.length < 60 && statuses.at(-1) !== 507)
    statuses.push((await again.post(rows, { Text: 'x'.repeat(400_000) })).status);
  expect(new Set(statuses)).toEqual(new Set([200, 507]));
  const acknowledged = statuses.filter((status) => status === 200).length;
  const count = async (client: TestClient) =>
    (await client.get<{ pageInfo: { totalRows: number } }>(`${rows}?fields=Id`)).body.pageInfo.totalRows;
  expect(await count(again)).toBe(acknowledged);
  const form = new FormData();
  form.append('files', new Blob(['x'.repeat(13_000_000)]), 'large.txt');
  form.append('json', '{"api":"xcAttachmentUpload"}');
  const path = '/api/v1/db/storage/upload?path=noco/Archive/Letters/Files';
  const upload = await fetch((await server.listening()) + path, {
    method: 'POST',
    headers: { 'xc-auth': again.token ?? '' },
    body: form,
  });
  expect([upload.status, await upload.json()]).toMatchObject([507, { code: 'STORAGE_FULL' }]);
  await server.end('SIGKILL');

  server = startBuiltServer(dataDir);
  const later = await signedIn(await server.listening(), 'signin');
  expect(await count(later)).toBe(acknowledged);
  expect((await later.post(rows, { Text: 'there is room' })).status).toBe(200);
});
