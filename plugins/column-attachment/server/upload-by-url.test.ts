import type { AttachedFile } from '@trellis/sdk/shared';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let owner: TestClient;
let elsewhere: Server;
let port = 0;
const seen: string[] = [];

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/pictures/tea%20pot.gif': (response) => void response.end('GIF89a'),
  '/page': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('<html></html>'),
  '/missing': (response) => void response.writeHead(404).end(),
  '/inside': (response) => void response.writeHead(302, { location: `http://127.0.0.2:${port}/page` }).end(),
  '/metadata': (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  '/scheme': (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/round': (response) => void response.writeHead(302, { location: '/round' }).end(),
  '/claims': (response) => void response.writeHead(200, { 'content-length': '999999999' }).write('x'),
  '/endless': (response) => {
    const more = () => {
      while (response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', more);
    more();
  },
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => void response.destroy());
  },
};

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    seen.push(request.url ?? '');
    answers[request.url ?? '']?.(response);
  });
  await new Promise<void>((resolve) => void elsewhere.listen(0, '0.0.0.0', resolve));
  ({ port } = elsewhere.address() as AddressInfo);
  server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
  owner = await server.signUp();
  await server.host.plugins.saveSettings('column-attachment', { maximumMegabytes: 1, keepDays: 90 });
});
afterAll(async () => {
  await server.dispose();
  elsewhere.closeAllConnections();
  await new Promise((resolve) => void elsewhere.close(resolve));
});

const fetchFile = (url: string, fileName?: string) =>
  owner.post<readonly AttachedFile[]>('/api/v1/db/storage/upload-by-url?path=a', [
    { url, ...(fileName !== undefined && { fileName, mimetype: 'image/png', size: 1 }) },
  ]);
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

test('keeps a file from an address, with what it is and how large it is', async () => {
  expect(await fetchFile(at('/pictures/tea%20pot.gif'))).toMatchObject({
    status: 200,
    body: [{ title: 'tea pot.gif', mimetype: 'image/gif', size: 6 }],
  });
  expect((await fetchFile(at('/page'), 'photo.png')).body).toMatchObject([
    { title: 'photo.png', mimetype: 'application/octet-stream', size: 13 },
  ]);
});

test.each([
  'http://127.0.0.2/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/',
  'http://[::ffff:127.0.0.2]/',
  'http://0x7f000002/',
  'http://2130706434/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'http://user:password@127.0.0.1/',
  'no address',
])('does not go to %s', async (url) => {
  const before = seen.length;
  expect((await fetchFile(url)).status).toBe(400);
  expect(seen).toHaveLength(before);
});

test.each([
  ['/inside', 400],
  ['/metadata', 400],
  ['/scheme', 400],
  ['/round', 502],
  ['/missing', 400],
  ['/claims', 502],
  ['/endless', 502],
  ['/cut', 502],
])('gives up on %s and leaves nothing behind', async (path, status) => {
  const count = async () =>
    (await readdir(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  const before = await count();
  const answer = await fetchFile(at(path));
  expect({ path, ...answer }).toMatchObject({ path, status, body: { msg: expect.any(String) } });
  expect(await count()).toBe(before);
});

test('needs an account and a path', async () => {
  const path = '/api/v1/db/storage/upload-by-url';
  expect((await server.client.post(`${path}?path=a`, [{ url: at('/page') }])).status).toBe(401);
  expect((await owner.post(path, [{ url: at('/page') }])).status).toBe(400);
  expect((await owner.post(`${path}?path=a`, { url: at('/page') })).status).toBe(400);
});
