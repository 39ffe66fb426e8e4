import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import S3rver from '@20minutes/s3rver';
import { FilesToken, type Files } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/*
 * A store that others wrote: it checks signatures, and joins the parts of uploads, by its own reading of the protocol.
 */

const megabyte = 1024 * 1024;
const limit = 100 * megabyte;
const bucket = 'trellis-files';
const path = '/api/v1/app-store/plugins/storage-s3/settings';
const facts = { name: 'tea.txt', type: 'text/plain' };

let directory: string;
let store: S3rver;
let settings: Readonly<Record<string, string>>;
let server: TestServer;
let boss: TestClient;
let files: Files;

/** The files of the bucket's folder. */
async function stored(): Promise<readonly string[]> {
  const entries = await readdir(join(directory, bucket), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trellis-s3-'));
  store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await store.run();
  settings = {
    provider: 'minio',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    // The only keys that this store knows.
    access_key: 'S3RVER',
    access_secret: 'S3RVER',
    prefix: 'shop/files',
  };
  server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
  boss = await server.signUp('boss@example.com');
  files = server.host.container.get(FilesToken);
  await server.host.plugins.enable('storage-s3');
  expect((await boss.put(path, { input: settings })).status).toBe(200);
});
afterAll(async () => {
  await server?.dispose();
  await store?.close();
  await rm(directory, { recursive: true, force: true });
});

const tryOut = async (values: object) =>
  (await boss.post<object>(`${path}/test`, { input: { ...settings, ...values } })).body;

test('the Test button writes, reads and deletes a small file, and says what is wrong with the keys or the bucket', async () => {
  expect(await tryOut({})).toMatchObject({ ok: true });
  expect(await stored()).toEqual([]);
  expect(await tryOut({ access_key: 'NOBODY' })).toMatchObject({
    ok: false,
    message: 'The store does not know the access key.',
  });
  expect(await tryOut({ access_secret: 'wrong' })).toMatchObject({
    ok: false,
    message: 'The secret key does not belong to the access key.',
  });
  expect(await tryOut({ bucket: 'nowhere' })).toMatchObject({
    ok: false,
    message: "The store has no bucket 'nowhere'.",
  });
});

test('a file is written, read in whole and in part, and removed', async () => {
  const { ref, size } = await files.put(Buffer.from('Earl Grey'), facts, { limit });
  expect([ref.split(':')[0], size]).toEqual(['s3', 9]);
  expect(await text(await files.read(ref))).toBe('Earl Grey');
  expect(await text(await files.read(ref, { part: { start: 5, end: 7 } }))).toBe('Gre');
  await files.remove(ref);
  expect(await stored()).toEqual([]);
  await expect(files.read(ref)).rejects.toMatchObject({ code: 'FILE_UNKNOWN', status: 404 });
});

test('a large file goes in parts and is the same when it comes back; what breaks off leaves nothing', async () => {
  const content = randomBytes(20 * megabyte);
  const { ref } = await files.put(Readable.from([content]), facts, { limit });
  expect((await buffer(await files.read(ref))).equals(content)).toBe(true);
  expect(
    (
      await buffer(await files.read(ref, { part: { start: 8 * megabyte - 2, end: 8 * megabyte + 1 } }))
    ).equals(content.subarray(8 * megabyte - 2, 8 * megabyte + 2)),
  ).toBe(true);
  await files.remove(ref);
  async function* broken() {
    yield Buffer.alloc(9 * megabyte);
    throw new Error('the line is cut');
  }
  await expect(files.put(Readable.from(broken()), facts, { limit })).rejects.toThrow('the line is cut');
  expect(await stored()).toEqual([]);
});
