import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FilesToken, type Files } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { startFakeS3, type FakeS3 } from '../testing/fake-s3.ts';
import { readPlace } from './s3-settings.ts';

const megabyte = 1024 * 1024;
const limit = 100 * megabyte;
const facts = { name: 'tea.txt', type: 'text/plain' };
const path = '/api/v1/app-store/plugins/storage-s3';

let store: FakeS3;
let server: TestServer;
let boss: TestClient;
let files: Files;

const save = (values: object) => boss.put(`${path}/settings`, { input: { ...store.settings, ...values } });
const tryOut = async (values: object) =>
  (
    await boss.post<{ readonly ok: boolean; readonly message: string }>(`${path}/settings/test`, {
      input: { ...store.settings, ...values },
    })
  ).body;

beforeAll(async () => {
  store = await startFakeS3();
  server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
  boss = await server.signUp('boss@example.com');
  files = server.host.container.get(FilesToken);
  await server.host.plugins.enable('storage-s3');
  expect((await save({ prefix: '/shop//./../files' })).status).toBe(200);
});
beforeEach(() => {
  store.intercept = undefined;
  store.calls.splice(0);
});
afterAll(async () => {
  await server.dispose();
  await store.close();
});

describe('files in a bucket', () => {
  test('are written, read in whole and in part, and removed', async () => {
    const { ref, size } = await files.put(Buffer.from('Earl Grey'), facts, { limit });
    expect([ref.split(':')[0], size]).toEqual(['s3', 9]);
    expect([...store.objects.keys()]).toEqual([
      expect.stringMatching(/^shop\/files\/[0-9a-f]{2}\/[0-9a-f]{38}$/),
    ]);
    expect(await text(await files.read(ref))).toBe('Earl Grey');
    expect(await text(await files.read(ref, { part: { start: 5, end: 7 } }))).toBe('Gre');
    await files.remove(ref);
    await files.remove(ref);
    expect(store.objects.size).toBe(0);
    await expect(files.read(ref)).rejects.toMatchObject({ code: 'FILE_UNKNOWN', status: 404 });
  });

  test('may be empty', async () => {
    const { ref } = await files.put(Buffer.alloc(0), facts, { limit });
    expect(await text(await files.read(ref))).toBe('');
    await files.remove(ref);
  });

  test.each([8 * megabyte, 8 * megabyte + 1, 20 * megabyte])(
    'of %i bytes are the same when they come back',
    async (length) => {
      const content = randomBytes(length);
      const chunks = Array.from({ length: Math.ceil(length / 700_000) }, (_, at) =>
        content.subarray(at * 700_000, (at + 1) * 700_000),
      );
      const { ref } = await files.put(Readable.from(chunks), facts, { limit });
      expect((await buffer(await files.read(ref))).equals(content)).toBe(true);
      const parts = store.calls.filter((call) => call.includes('partNumber=')).length;
      expect(parts).toBe(length > 8 * megabyte ? Math.ceil(length / (8 * megabyte)) : 0);
      expect(store.uploads.size).toBe(0);
      await files.remove(ref);
    },
  );

  test('are sent again where the store was busy for a moment', async () => {
    let refusals = 2;
    store.intercept = () => (refusals-- > 0 ? { status: 503, code: 'SlowDown' } : undefined);
    const { ref } = await files.put(Buffer.from('Assam'), facts, { limit });
    expect(await text(await files.read(ref))).toBe('Assam');
    await files.remove(ref);
  });

  test('leave nothing behind that are too large, whose sender breaks off, or that the store refuses', async () => {
    await expect(
      files.put(Buffer.alloc(20 * megabyte), facts, { limit: 18 * megabyte }),
    ).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    async function* broken() {
      yield Buffer.alloc(9 * megabyte);
      throw new Error('the line is cut');
    }
    await expect(files.put(Readable.from(broken()), facts, { limit })).rejects.toThrow('the line is cut');
    store.intercept = (call) =>
      call.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : undefined;
    await expect(files.put(Buffer.alloc(20 * megabyte), facts, { limit })).rejects.toMatchObject({
      code: 'S3_MAY_NOT_WRITE',
    });
    expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);
  });

  test('are given up when the call is', async () => {
    const stop = new AbortController();
    const begun = new Promise<void>((resolve) => {
      store.intercept = async (call) => {
        if (!call.includes('partNumber=2')) return undefined;
        resolve();
        await once(stop.signal, 'abort');
        return { status: 500, code: 'InternalError' };
      };
    });
    const put = files.put(Buffer.alloc(20 * megabyte), facts, { limit, signal: stop.signal });
    const outcome = put.catch((error: unknown) => error);
    await begun;
    stop.abort(new Error('enough'));
    expect(await outcome).toMatchObject({ message: 'enough' });
    expect(store.objects.size).toBe(0);
  });

  test('that the store cannot join are no files', async () => {
    store.intercept = (call) =>
      call.startsWith('POST') && call.includes('uploadId=')
        ? { status: 200, code: 'InternalError' }
        : undefined;
    await expect(files.put(Buffer.alloc(9 * megabyte), facts, { limit })).rejects.toMatchObject({
      code: 'S3_BUSY',
    });
    expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);
  });
});

describe('the Test button', () => {
  test('writes, reads and deletes a small file', async () => {
    expect(await tryOut({})).toMatchObject({ ok: true });
    expect(store.calls.map((call) => call.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
    expect(store.objects.size).toBe(0);
  });

  test.each([
    [{ access_key: 'AKIDNOBODY' }, 'The store does not know the access key.'],
    [{ access_secret: 'wrong' }, 'The secret key does not belong to the access key.'],
    [{ bucket: 'nowhere' }, "The store has no bucket 'nowhere'."],
    [
      { region: 'us-east-1' },
      "The bucket 'trellis-files' is not in the region 'us-east-1', or not at this address.",
    ],
    [{ endpoint: 'http://127.0.0.1:1' }, "The store does not answer at '127.0.0.1:1'."],
    [
      { endpoint: 'http://127.0.0.2' },
      "The host '127.0.0.2' is on a private or reserved address. The operator can allow it with TRELLIS_OUTBOUND_ALLOW.",
    ],
    [{ endpoint: undefined }, 'This store needs its address.'],
    [{ provider: 'amazon', region: undefined }, 'This store needs its region.'],
  ])('says of %j what is wrong', async (values, message) => {
    const answer = await boss.post<object>(`${path}/settings/test`, {
      input: { ...store.settings, ...values },
    });
    expect(answer.body).toMatchObject({ ok: false, message });
  });

  test('tells an address without a good certificate from one where nobody is', async () => {
    const { endpoint = '' } = store.settings;
    const { message } = await tryOut({ endpoint: endpoint.replace('http:', 'https:') });
    expect(message).toMatch(/^No secure connection to '127\.0\.0\.1:\d+' could be made/);
  });

  test.each([
    ['PUT', 'AccessDenied', 403, /may not write to the bucket/],
    ['DELETE', 'AccessDenied', 403, /may not delete in the bucket/],
    ['PUT', 'RequestTimeTooSkewed', 403, /The clock of this server/],
    ['PUT', 'QuotaExceeded', 403, /no room left/],
    ['PUT', 'Whatever', 418, /\(status 418, Whatever\)/],
  ])('says what a refused %s with %s means', async (method, code, status, message) => {
    store.intercept = (call) => (call.startsWith(method) ? { status, code } : undefined);
    const answer = await tryOut({});
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(answer.message).not.toContain('words of the store');
    store.objects.clear();
  });

  test('belongs to super admins', async () => {
    const stranger = await server.signUp('stranger@example.com');
    expect((await stranger.post(`${path}/settings/test`, { input: store.settings })).status).toBe(403);
  });
});

test('a stored secret is asked for again when it would go elsewhere', async () => {
  const { body } = await boss.get<{ readonly values: Readonly<Record<string, string>> }>(`${path}/settings`);
  expect(JSON.stringify(body)).not.toContain(store.settings['access_secret']);
  const masked = body.values['access_secret'];
  const answer = await save({ access_secret: masked, endpoint: 'http://127.0.0.1:2' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'SETTINGS_INVALID' } });
  expect((await save({ access_secret: masked, prefix: 'shop/files' })).status).toBe(200);
});

test('settings that lead away from the files are refused, until the files are there as well', async () => {
  const { ref } = await files.put(Buffer.from('Oolong'), facts, { limit });
  const [, key = ''] = ref.split(':');
  const holder = {
    id: 'tea',
    count: async () => ({ files: 1, bytes: 6 }),
    list: async () => [{ ref }],
    repoint: async () => false,
    holds: async () => true,
  };
  const held = server.host.registries.get('fileHolders').register(holder, 'test');
  expect(await save({ prefix: 'elsewhere' })).toMatchObject({
    status: 409,
    body: { code: 'S3_FILES_ELSEWHERE' },
  });
  expect(await text(await files.read(ref))).toBe('Oolong');
  expect((await save({ prefix: 'shop/files' })).status).toBe(200);
  store.objects.set(`elsewhere/${key}`, Buffer.from('Oolong'));
  expect((await save({ prefix: 'elsewhere' })).status).toBe(200);
  expect(await text(await files.read(ref))).toBe('Oolong');
  await held.dispose();
});

test.each([
  [{ provider: 'amazon', region: 'eu-central-1' }, 'https://files.s3.eu-central-1.amazonaws.com/'],
  [{ provider: 'amazon', region: 'cn-north-1' }, 'https://files.s3.cn-north-1.amazonaws.com.cn/'],
  [
    { provider: 'amazon', region: 'eu-west-1', bucket: 'my.files' },
    'https://s3.eu-west-1.amazonaws.com/my.files/',
  ],
  [{ provider: 'minio', endpoint: 'https://minio.test:9000/' }, 'https://minio.test:9000/files/'],
  [{ provider: 'backblaze', region: 'us-west-004' }, 'https://s3.us-west-004.backblazeb2.com/files/'],
  [{ provider: 'spaces', region: 'fra1' }, 'https://files.fra1.digitaloceanspaces.com/'],
  [{ provider: 'gcs' }, 'https://storage.googleapis.com/files/'],
  [
    { provider: 'r2', endpoint: 'https://1234.r2.cloudflarestorage.com' },
    'https://1234.r2.cloudflarestorage.com/files/',
  ],
  [{ provider: 'wasabi', region: 'eu-central-2' }, 'https://s3.eu-central-2.wasabisys.com/files/'],
  [{ provider: 'other', endpoint: 'https://a.test/s3', addressing: 'host' }, 'https://files.a.test/s3/'],
])('%j is found at %s', (values, url) => {
  const read = readPlace({ bucket: 'files', access_key: 'a', access_secret: 'b', ...values });
  expect(read).toMatchObject({ kind: 'ready' });
  expect(read.kind === 'ready' && read.place.url.href).toBe(url);
});

test('an address that is none is told apart from one that is missing', () => {
  const values = { provider: 'other', bucket: 'files', access_key: 'a', access_secret: 'b', region: 'x' };
  expect(readPlace(values)).toEqual({ kind: 'incomplete', missing: 'endpoint' });
  const wrong = readPlace({ ...values, endpoint: 'http://127.0.0.1:4799x' });
  expect(wrong).toEqual({ kind: 'incomplete', missing: 'address' });
});
