import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  refusalText,
  TrellisError,
  type Refusal,
  type TableEntity,
  type TaskEntity,
} from '@trellis/sdk/shared';
import {
  TasksToken,
  AccessServiceToken,
  FilesToken,
  type FileFacts,
  type StorageAdapter,
} from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { StorageAnswer } from '../shared/index.ts';

/** A storage in memory, of a plugin of the test's own, that can be held up, spoiled and switched off. */
class Shelf implements StorageAdapter {
  readonly id = 'shelf';
  readonly label = 'Shelf';
  readonly files = new Map<string, Buffer>();
  willPut: (() => Promise<void>) | undefined;
  spoil: ((content: Buffer) => Buffer) | undefined;

  isConfigured(): boolean {
    return true;
  }

  async put(
    key: string,
    content: Readable,
    _facts: FileFacts,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    const bytes = await buffer(content);
    await this.willPut?.();
    signal.throwIfAborted();
    this.files.set(key, this.spoil?.(bytes) ?? bytes);
  }

  async get(key: string): Promise<Readable> {
    const found = this.files.get(key);
    if (found === undefined) throw new TrellisError('FILE_UNKNOWN', 'gone', { status: 404 });
    return Readable.from([found]);
  }

  async remove(key: string): Promise<void> {
    this.files.delete(key);
  }
}

interface Attached {
  readonly url: string;
  readonly size: number;
}

const rows = '/api/v1/db/data/noco/Shop/Products';
let shelf: Shelf;
let server: TestServer;
let boss: TestClient;
const contents = new Map<string, Buffer>();

const plugin = (enabledByDefault = true) =>
  testPlugin('shelf-storage', (ctx) => void ctx.register('storageAdapters', shelf), {
    enabledByDefault,
    contributes: { storageAdapters: [{ id: 'shelf' }] },
  });

async function upload(name: string, length: number): Promise<Attached> {
  const content = randomBytes(length);
  const form = new FormData();
  form.append('files', new Blob([content]), name);
  const answer = await fetch(`${server.url}/api/v1/db/storage/upload?path=noco/Shop/Products/Files`, {
    method: 'POST',
    headers: { 'xc-auth': boss.token ?? '' },
    body: form,
  });
  expect(answer.status).toBe(200);
  const [file] = (await answer.json()) as Attached[];
  if (file === undefined) throw new Error('Nothing was kept');
  expect((await boss.post(rows, { Files: JSON.stringify([file]) })).status).toBe(200);
  contents.set(file.url, content);
  return file;
}

/** Every file is what it was when it was uploaded. */
async function expectAllReadable(): Promise<void> {
  for (const [url, content] of contents) {
    const answer = await fetch(`${server.url}${url}`);
    expect([url, answer.status]).toEqual([url, 200]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  }
}

async function ended(id: string): Promise<TaskEntity> {
  const scope = server.host.container.get(AccessServiceToken).systemScope(undefined, 'test');
  return (await server.host.container.get(TasksToken).ended(scope, id)).task;
}

const storage = async () => (await boss.get<StorageAnswer>('/api/v1/storage')).body;
const kept = async () =>
  Object.fromEntries((await storage()).list.map(({ id, files, bytes }) => [id, [files, bytes]]));
const move = (from: string, to: string) =>
  boss.post<TaskEntity & { readonly code?: string }>('/api/v1/storage/moves', { from, to });
const filesOnDisk = async () =>
  (await readdir(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;

beforeEach(async () => {
  shelf = new Shelf();
  contents.clear();
  server = await createTestServer({ plugins: [plugin()] });
  boss = await server.signUp('boss@example.com');
  const project = await boss.post<{ readonly id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
  await boss.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Products',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Files', uidt: 'Attachment' },
    ],
  });
  expect(await boss.put('/api/v1/storage/default', { place: 'local' })).toMatchObject({ status: 200 });
});
afterEach(() => server.dispose());

describe('the storages', () => {
  test('say what they keep, and new files go to the one that was chosen', async () => {
    await upload('a.bin', 1000);
    expect((await storage()).list).toMatchObject([
      { id: 'shelf', plugin_id: 'shelf-storage', is_ready: true, is_default: false, files: 0 },
      { id: 'local', plugin_id: 'host', is_ready: true, is_default: true, files: 1, bytes: 1000 },
    ]);
    await boss.put('/api/v1/storage/default', { place: 'shelf' });
    await upload('b.bin', 10);
    expect(await kept()).toEqual({ shelf: [1, 10], local: [1, 1000] });
    await expectAllReadable();
  });

  test('that are set up while another one is in use get new files only once somebody chooses them', async () => {
    await server.dispose();
    server = await createTestServer({ plugins: [plugin(false)] });
    boss = await server.signUp('boss@example.com');
    const put = (name: string) =>
      server.host.container
        .get(FilesToken)
        .put(Buffer.from(name), { name, type: 'text/plain' }, { limit: 100 });
    expect((await put('a.txt')).ref).toMatch(/^local:/);
    expect((await boss.post('/api/v1/app-store/plugins/shelf-storage/enable')).status).toBe(200);
    expect((await storage()).list.map((of) => [of.id, of.is_default])).toEqual([
      ['shelf', false],
      ['local', true],
    ]);
    expect((await put('b.txt')).ref).toMatch(/^local:/);
    await boss.put('/api/v1/storage/default', { place: 'shelf' });
    expect((await put('c.txt')).ref).toMatch(/^shelf:/);
  });

  test('are for super admins alone, and refuse what is no storage', async () => {
    const stranger = await server.signUp('stranger@example.com');
    expect((await stranger.get('/api/v1/storage')).status).toBe(403);
    expect((await stranger.post('/api/v1/storage/moves', { from: 'local', to: 'shelf' })).status).toBe(403);
    expect(await boss.put('/api/v1/storage/default', { place: 'attic' })).toMatchObject({
      status: 404,
      body: { code: 'STORAGE_UNKNOWN' },
    });
    expect((await move('local', 'local')).body.code).toBe('STORAGE_SAME');
  });
});

describe('a move', () => {
  test('brings all files to another storage and back, removes them where they were, and takes new ones along', async () => {
    for (let at = 0; at < 25; at += 1) await upload(`${at}.bin`, at * 100);
    const there = await move('local', 'shelf');
    expect(there).toMatchObject({ status: 200, body: { kind: 'sys-files.move' } });
    expect(await ended(there.body.id)).toMatchObject({ state: 'done', progress: { done: 25, total: 25 } });
    expect([shelf.files.size, await filesOnDisk()]).toEqual([25, 0]);
    await upload('new.bin', 5);
    expect(shelf.files.size).toBe(26);
    await expectAllReadable();
    const back = await move('shelf', 'local');
    await ended(back.body.id);
    expect([shelf.files.size, await filesOnDisk()]).toEqual([0, 26]);
    await expectAllReadable();
    expect((await storage()).move).toMatchObject({ id: back.body.id, state: 'done' });
  });

  test('leaves every file readable at every moment, and can be cancelled on the way', async () => {
    for (let at = 0; at < 3; at += 1) await upload(`${at}.bin`, 1000);
    let puts = 0;
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      shelf.willPut = async () => {
        puts += 1;
        if (puts !== 2) return;
        resolve();
        await new Promise<void>((open) => void (goOn = open));
      };
    });
    const { body } = await move('local', 'shelf');
    await held;
    await expectAllReadable();
    expect((await move('local', 'shelf')).body.code).toBe('STORAGE_MOVING');
    expect((await boss.post('/api/v1/storage/moves/cancel')).status).toBe(200);
    goOn();
    expect((await ended(body.id)).state).toBe('cancelled');
    await expectAllReadable();
    expect([shelf.files.size, await filesOnDisk()]).toEqual([1, 2]);
    shelf.willPut = undefined;
    await ended((await move('local', 'shelf')).body.id);
    expect([shelf.files.size, await filesOnDisk()]).toEqual([3, 0]);
    await expectAllReadable();
  });

  test('trusts no copy that is not the same', async () => {
    await upload('a.bin', 1000);
    for (const spoil of [(of: Buffer) => of.subarray(1), (of: Buffer) => Buffer.from(of).fill(7, 0, 1)]) {
      shelf.spoil = spoil;
      const task = await ended((await move('local', 'shelf')).body.id);
      expect(task).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('the copy is not the same'),
      });
      expect([shelf.files.size, await filesOnDisk()]).toEqual([0, 1]);
      await expectAllReadable();
    }
  });

  test('passes over a file whose bytes are lost, and moves the others', async () => {
    const lost = await upload('lost.bin', 10);
    await boss.put('/api/v1/storage/default', { place: 'shelf' });
    await upload('there.bin', 10);
    await ended((await move('local', 'shelf')).body.id);
    const keys = [...shelf.files].filter(([, bytes]) =>
      bytes.equals(contents.get(lost.url) ?? Buffer.alloc(0)),
    );
    for (const [key] of keys) shelf.files.delete(key);
    const { body } = await move('shelf', 'local');
    expect(await ended(body.id)).toMatchObject({ state: 'done', progress: { done: 1 } });
    expect((await fetch(`${server.url}${lost.url}`)).status).toBe(404);
  });

  test('takes the pictures of people along', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    expect(await boss.put('/api/v1/auth/user/picture', { picture: png.toString('base64') })).toMatchObject({
      status: 200,
    });
    await ended((await move('local', 'shelf')).body.id);
    expect([...shelf.files.values()]).toEqual([png]);
  });
});

test('files whose storage is off say so, and are there again once it is on', async () => {
  await boss.put('/api/v1/storage/default', { place: 'shelf' });
  const { url } = await upload('a.bin', 1_500_000);
  const store = '/api/v1/app-store/plugins/shelf-storage';
  const { body } = await boss.get<{ usage: readonly Refusal[] }>(`${store}/usage`);
  expect(body.usage.map(refusalText)).toEqual([
    'Shelf keeps 1 file (1.5 MB). Until it is on again nobody can open it; new files go elsewhere.',
  ]);
  await boss.post(`${store}/disable`);
  const answer = await fetch(`${server.url}${url}`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'STORAGE_ABSENT', msg: expect.stringContaining("kept by 'shelf'") }),
  ]);
  await upload('b.bin', 10);
  contents.delete(url);
  await expectAllReadable();
  await boss.post(`${store}/enable`);
  expect((await fetch(`${server.url}${url}`)).status).toBe(200);
});
