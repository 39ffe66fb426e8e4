import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createLogger } from '../runtime/logging/logger.ts';
import { createPages } from './pages.ts';

const text = 'export const answer = 42;\n'.repeat(200);

describe('a file of the page', () => {
  let folder: string;
  let server: Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-pages-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'csp.json'), '{ "scriptHashes": [] }');
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Trellis</title>');
    await writeFile(join(folder, 'assets/whole.js'), text);
    await writeFile(join(folder, 'assets/both.js'), text);
    await writeFile(join(folder, 'assets/both.js.br'), brotliCompressSync(text));
    const handle = await createPages({
      logger: createLogger({ level: 'silent' }),
      webFolder: folder,
      webFilesOf: () => undefined,
      framed: {
        sitesOf: async (path) =>
          path === '/embed/nc/view/known' ? ['https://a.example', 'https://*.b.example'] : [],
      },
    });
    server = createServer(handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  /** Head and bytes as they travel. */
  async function get(path: string, accepted: string, head: Record<string, string> = {}) {
    const { port } = server.address() as AddressInfo;
    const asked = request({
      port,
      path,
      host: '127.0.0.1',
      agent: false,
      headers: { 'accept-encoding': accepted, ...head },
    });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  }

  test('travels as the build compressed it where its reader takes that', async () => {
    const { headers, body } = await get('/assets/both.js', 'gzip, deflate, br');
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(brotliCompressSync(text).length),
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(brotliDecompressSync(body).toString()).toBe(text);
    const again = await get('/assets/both.js', 'br', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test('is compressed on its way for others, and whole for those who take nothing of that', async () => {
    const zipped = await get('/assets/both.js', 'gzip');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body).toString()).toBe(text);
    expect((await get('/assets/both.js', 'br;q=0, gzip')).headers['content-encoding']).toBe('gzip');
    expect((await get('/assets/both.js', 'identity')).body.toString()).toBe(text);
    expect((await get('/assets/whole.js', 'br')).body.toString()).toBe(text);
    for (const nothing of ['identity;q=0, *;q=0', '*;q=0'])
      expect((await get('/assets/whole.js', nothing)).body.toString()).toBe(text);
  });

  test('has no second address by what it was compressed to', async () => {
    expect((await get('/assets/both.js.br', 'br')).status).toBe(404);
  });

  test('is the page itself where other sites may frame it, for exactly the sites that were named', async () => {
    const framed = await get('/embed/nc/view/known', 'identity');
    expect([framed.status, framed.body.toString()]).toEqual([200, expect.stringContaining('<title>')]);
    expect(framed.headers['content-security-policy']).toMatch(
      /frame-ancestors https:\/\/a\.example https:\/\/\*\.b\.example(;|$)/,
    );
    expect(framed.headers).not.toHaveProperty('x-frame-options');
    for (const path of ['/embed/nc/view/other', '/embed/projects', '/', '/nc/view/known', '/embed']) {
      const { headers } = await get(path, 'identity');
      expect([path, headers['x-frame-options']]).toEqual([path, 'DENY']);
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    }
  });
});
