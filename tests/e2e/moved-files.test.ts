import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { TaskEntity } from '@trellis/sdk/shared';
import { TestClient } from '@trellis/sdk/testing/server';
import { startFakeS3, type FakeS3 } from '../../plugins/storage-s3/testing/fake-s3.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

/*
 * Files of rows, moved to a store that speaks S3 and back by the product as it is shipped, which is killed on the way.
 */

interface Attached {
  readonly url: string;
  readonly mimetype: string;
}

interface Answer {
  readonly list: readonly { readonly id: string; readonly files: number; readonly is_default: boolean }[];
  readonly move: TaskEntity | null;
}

const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let store: FakeS3;
let dataDir: string;
let server: BuiltServer;
let boss: TestClient;
const contents = new Map<string, Buffer>();

async function start(): Promise<void> {
  server = startBuiltServer(dataDir, { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' });
  const client = new TestClient(await server.listening());
  await client.post('/api/v1/auth/user/signup', credentials);
  const { body } = await client.post<{ readonly token: string }>('/api/v1/auth/user/signin', credentials);
  boss = client.with({ token: body.token });
}

beforeEach(async () => {
  contents.clear();
  store = await startFakeS3();
  dataDir = await shipToNewFolder([]);
  await start();
  const project = await boss.post<{ readonly id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
  await boss.post(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Products',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Files', uidt: 'Attachment' },
    ],
  });
});
afterEach(async () => {
  await server.end('SIGKILL');
  await store.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function upload(name: string, content: Buffer): Promise<Attached> {
  const form = new FormData();
  form.append('files', new Blob([content as BlobPart]), name);
  const answer = await fetch(`${boss.url}/api/v1/db/storage/upload?path=noco/Shop/Products/Files`, {
    method: 'POST',
    headers: { 'xc-auth': boss.token ?? '' },
    body: form,
  });
  if (!answer.ok) throw new Error(`${name} was not kept: ${answer.status} ${await answer.text()}`);
  const [file] = (await answer.json()) as Attached[];
  if (file === undefined) throw new Error('Nothing was kept.');
  await boss.post('/api/v1/db/data/noco/Shop/Products', { Files: JSON.stringify([file]) });
  contents.set(file.url, content);
  return file;
}

async function setUpStore(): Promise<void> {
  const plugin = '/api/v1/app-store/plugins/storage-s3';
  expect((await boss.put(`${plugin}/settings`, { input: store.settings })).status).toBe(200);
  expect((await boss.post(`${plugin}/enable`)).status).toBe(200);
}

async function expectAllReadable(): Promise<void> {
  for (const [url, content] of contents) {
    const answer = await fetch(`${boss.url}${url}`);
    expect([url, answer.status]).toEqual([url, 200]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  }
}

async function filesOnDisk(): Promise<number> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

async function moveEnded(): Promise<TaskEntity> {
  for (;;) {
    const { move } = (await boss.get<Answer>('/api/v1/storage')).body;
    if (typeof move?.finished_at === 'string') return move;
    await delay(100);
  }
}

test('a picture that is uploaded with S3 as the storage lies there, and is shown in whole and in part', async () => {
  await setUpStore();
  const { url, mimetype } = await upload('dot.png', png);
  expect([mimetype, store.objects.size]).toEqual(['image/png', 1]);
  const whole = await fetch(`${boss.url}${url}`);
  expect(whole.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await whole.arrayBuffer()).equals(png)).toBe(true);
  const part = await fetch(`${boss.url}${url}`, { headers: { range: 'bytes=1-3' } });
  expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  expect(part.headers.get('content-range')).toBe(`bytes 1-3/${png.length}`);
});

test('a move that is killed in the middle is ended by the next start, loses nothing and leaves nothing behind', async () => {
  for (let at = 0; at < 12; at += 1) await upload(`${at}.bin`, randomBytes(5000));
  await upload('large.bin', randomBytes(20 * 1024 * 1024));
  await setUpStore();
  for (const [from, to, isThere] of [
    ['local', 's3', true],
    ['s3', 'local', false],
  ] as const) {
    let calls = 0;
    const killed = new Promise<void>((resolve) => {
      // A copy is a PUT there and a GET from there, and what is moved back is deleted: somewhere in the middle of all of them.
      store.intercept = async () => {
        calls += 1;
        if (calls !== 12) return undefined;
        resolve(server.end('SIGKILL').then(() => undefined));
        await killed;
        return { status: 503, code: 'ServiceUnavailable' };
      };
    });
    expect((await boss.post('/api/v1/storage/moves', { from, to })).status).toBe(200);
    await killed;
    store.intercept = undefined;
    await start();
    await expectAllReadable();
    expect(await moveEnded()).toMatchObject({ state: 'done', progress: { done: 13, total: 13 } });
    await expectAllReadable();
    expect([store.objects.size, await filesOnDisk()]).toEqual(isThere ? [13, 0] : [0, 13]);
  }
});
