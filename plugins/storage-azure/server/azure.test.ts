import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FilesToken, type Files } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { startFakeAzure, type FakeAzure } from '../testing/fake-azure.ts';
import { readPlace } from './azure-settings.ts';
import { sharedKey } from './sign.ts';

const megabyte = 1024 * 1024;
const limit = 100 * megabyte;
const facts = { name: 'tea.txt', type: 'text/plain' };
const path = '/api/v1/app-store/plugins/storage-azure';

/**
 * The connection string of a storage account, as Azure shows it: of Azure itself, or of Azurite, which others wrote after it and which checks
 * signatures, hashes and blocks by its own reading of the protocol.
 */
const connection = process.env['TRELLIS_TEST_AZURE'];

let store: FakeAzure;
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
  store = await startFakeAzure();
  server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
  boss = await server.signUp('boss@example.com');
  files = server.host.container.get(FilesToken);
  await server.host.plugins.enable('storage-azure');
  expect((await save({ prefix: 'shop' })).status).toBe(200);
});
beforeEach(() => {
  store.intercept = undefined;
  store.calls.splice(0);
});
afterAll(async () => {
  await server.dispose();
  await store.close();
});

describe('files in a container', () => {
  test('are written, read in whole and in part, and removed', async () => {
    const { ref } = await files.put(Buffer.from('Earl Grey'), facts, { limit });
    expect([...store.blobs.keys()]).toEqual([expect.stringMatching(/^shop\/[0-9a-f]{2}\/[0-9a-f]{38}$/)]);
    expect(await text(await files.read(ref))).toBe('Earl Grey');
    expect(await text(await files.read(ref, { part: { start: 5, end: 7 } }))).toBe('Gre');
    await files.remove(ref);
    await files.remove(ref);
    expect(store.blobs.size).toBe(0);
    await expect(files.read(ref)).rejects.toMatchObject({ code: 'FILE_UNKNOWN', status: 404 });
    const empty = await files.put(Buffer.alloc(0), facts, { limit });
    expect(await text(await files.read(empty.ref))).toBe('');
    await files.remove(empty.ref);
  });

  test('that are large go in blocks, and are the same when they come back', async () => {
    const content = randomBytes(20 * megabyte);
    const { ref } = await files.put(Readable.from([content]), facts, { limit });
    expect(store.calls.map((call) => /comp=\w+/.exec(call)?.[0])).toEqual([
      'comp=block',
      'comp=block',
      'comp=block',
      'comp=blocklist',
    ]);
    expect((await buffer(await files.read(ref))).equals(content)).toBe(true);
    await files.remove(ref);
  });

  test('are sent again where the store was busy, and leave no blob where it refuses or the sender breaks off', async () => {
    let refusals = 2;
    store.intercept = () => (refusals-- > 0 ? { status: 503, code: 'ServerBusy' } : undefined);
    const { ref } = await files.put(Buffer.from('Assam'), facts, { limit });
    await files.remove(ref);
    store.intercept = (call) =>
      call.includes('blocklist') ? { status: 403, code: 'AuthorizationFailure' } : undefined;
    await expect(files.put(Buffer.alloc(9 * megabyte), facts, { limit })).rejects.toMatchObject({
      code: 'AZURE_NO_ACCESS',
    });
    store.intercept = undefined;
    async function* broken() {
      yield Buffer.alloc(9 * megabyte);
      throw new Error('the line is cut');
    }
    await expect(files.put(Readable.from(broken()), facts, { limit })).rejects.toThrow('the line is cut');
    expect(store.blobs.size).toBe(0);
  });
});

describe('the Test button', () => {
  test('writes, reads and deletes a small file', async () => {
    expect(await tryOut({})).toMatchObject({ ok: true });
    expect(store.calls.map((call) => call.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
    expect(store.blobs.size).toBe(0);
  });

  test.each([
    [{ account_key: 'd3Jvbmc=' }, "The key does not belong to the storage account 'trellisfiles'."],
    [{ container: 'nowhere' }, "The storage account 'trellisfiles' has no container 'nowhere'."],
    [{ endpoint: 'http://127.0.0.1:1' }, "Azure does not answer at '127.0.0.1:1'."],
    [
      { endpoint: 'http://127.0.0.2' },
      "The host '127.0.0.2' is on a private or reserved address. The operator can allow it with TRELLIS_OUTBOUND_ALLOW.",
    ],
  ])('says of %j what is wrong', async (values, message) => {
    expect(await tryOut(values)).toMatchObject({ ok: false, message });
  });

  test('tells a wrong clock from a wrong key, and repeats no words of the store', async () => {
    const date = new Date(Date.now() - 60 * 60_000).toUTCString();
    store.intercept = () => ({ status: 403, code: 'AuthenticationFailed', date });
    expect((await tryOut({})).message).toMatch(/The clock of this server is (?:59|60) minutes off/);
    store.intercept = () => ({ status: 418, code: 'Teapot' });
    expect((await tryOut({})).message).toBe('Azure refused the call (status 418, Teapot).');
  });
});

test('settings that lead away from the files are refused, and a key is asked for again when it would go elsewhere', async () => {
  const { ref } = await files.put(Buffer.from('Oolong'), facts, { limit });
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
    body: { code: 'AZURE_FILES_ELSEWHERE' },
  });
  expect(await text(await files.read(ref))).toBe('Oolong');
  await held.dispose();
  const { body } = await boss.get<{ readonly values: Readonly<Record<string, string>> }>(`${path}/settings`);
  const masked = { account_key: body.values['account_key'] };
  expect(await save({ ...masked, account: 'another' })).toMatchObject({
    status: 400,
    body: { code: 'SETTINGS_INVALID' },
  });
});

test('an account has its address, and other clouds have theirs', () => {
  const values = { account: 'tea', account_key: 'a2V5', container: 'files', prefix: '/a//../b' };
  expect(readPlace(values)?.url.href).toBe('https://tea.blob.core.windows.net/files/a/b/');
  const endpoint = 'https://tea.blob.core.chinacloudapi.cn/';
  expect(readPlace({ ...values, endpoint })?.url.href).toBe(`${endpoint}files/a/b/`);
  expect(readPlace({ ...values, container: '' })).toBeUndefined();
});

if (connection !== undefined)
  describe('a store that others wrote', () => {
    const said = new Map(
      connection.split(';').map((part): [string, string] => {
        const at = part.indexOf('=');
        return [part.slice(0, at), part.slice(at + 1)];
      }),
    );
    const account = said.get('AccountName') ?? '';
    const key = said.get('AccountKey') ?? '';
    const endpoint = said.get('BlobEndpoint') ?? `https://${account}.blob.core.windows.net`;
    const container = `trellis-${randomBytes(8).toString('hex')}`;
    const settings = { account, account_key: key, container, endpoint, prefix: 'shop/files' };

    /** Asks the store itself about the container. */
    async function ask(method: string, query: string): Promise<string> {
      const url = new URL(`${endpoint.replace(/\/$/, '')}/${container}?restype=container${query}`);
      const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-08-06' };
      const authorization = sharedKey({ method, url, headers }, { account, key });
      const answer = await fetch(url, { method, headers: { ...headers, authorization } });
      expect(answer.status).toBeLessThan(300);
      return await answer.text();
    }
    /** The names of its blobs. */
    const stored = async () =>
      [...(await ask('GET', '&comp=list')).matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, name]) => name);

    beforeAll(async () => {
      await ask('PUT', '');
      expect((await save(settings)).status).toBe(200);
    });
    afterAll(async () => {
      await save({ prefix: 'shop' });
      await ask('DELETE', '');
    });

    test('says by the Test button what is right and what is wrong', async () => {
      expect(await tryOut(settings)).toMatchObject({ ok: true });
      expect(await stored()).toEqual([]);
      expect(await tryOut({ ...settings, account_key: 'd3Jvbmc=' })).toMatchObject({
        ok: false,
        // Azurite says of a wrong key what Azure says of its network rules.
        message: expect.stringMatching(/\bkey\b/),
      });
      expect(await tryOut({ ...settings, container: 'nowhere' })).toMatchObject({
        ok: false,
        message: `The storage account '${account}' has no container 'nowhere'.`,
      });
    });

    test('takes files, gives them in whole and in part, and removes them', async () => {
      const { ref, size } = await files.put(Buffer.from('Earl Grey'), facts, { limit });
      expect([ref.split(':')[0], size]).toEqual(['azure', 9]);
      expect(await stored()).toEqual([expect.stringMatching(/^shop\/files\/[0-9a-f]{2}\/[0-9a-f]{38}$/)]);
      expect(await text(await files.read(ref))).toBe('Earl Grey');
      expect(await text(await files.read(ref, { part: { start: 5, end: 7 } }))).toBe('Gre');
      await files.remove(ref);
      await files.remove(ref);
      expect(await stored()).toEqual([]);
      await expect(files.read(ref)).rejects.toMatchObject({ code: 'FILE_UNKNOWN', status: 404 });
      const empty = await files.put(Buffer.alloc(0), facts, { limit });
      expect(await text(await files.read(empty.ref))).toBe('');
      await files.remove(empty.ref);
    });

    test('takes large files in blocks, which are the same when they come back, and shows nothing of what breaks off', async () => {
      const content = randomBytes(20 * megabyte);
      const { ref } = await files.put(Readable.from([content]), facts, { limit });
      expect((await buffer(await files.read(ref))).equals(content)).toBe(true);
      const part = { start: 8 * megabyte - 2, end: 8 * megabyte + 1 };
      expect(await buffer(await files.read(ref, { part }))).toEqual(
        content.subarray(part.start, part.end + 1),
      );
      await files.remove(ref);
      async function* broken() {
        yield Buffer.alloc(9 * megabyte);
        throw new Error('the line is cut');
      }
      await expect(files.put(Readable.from(broken()), facts, { limit })).rejects.toThrow('the line is cut');
      expect(await stored()).toEqual([]);
    });
  });
