/** @jest-environment <rootDir>/sdk/testing/jest/node-environment.cjs */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdtemp, readFile, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineRoute, defineServerPlugin, type RouteRequest } from '@trellis/sdk/server';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';

/** Takes uploads and streams, and shows what arrived. */
function uploadPlugin(seen: { paths: string[] }) {
  const open = { permission: 'public', method: 'POST', summary: 'For the test' } as const;
  return {
    manifest: {
      id: 'uploads',
      name: 'Uploads',
      version: '1.0.0',
      category: 'app',
      engines: { trellis: '*' },
      sdk: 1,
      enabledByDefault: true,
    },
    server: defineServerPlugin({
      setup(ctx) {
        ctx.routes(
          defineRoute({
            ...open,
            path: 'multipart',
            bodyKind: 'multipart',
            bodyLimit: 100_000,
            async handle({ body, files = [] }: RouteRequest) {
              seen.paths.push(...files.map(({ path }) => path));
              const texts = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
              return { body, files: files.map(({ field, name, size }) => ({ field, name, size })), texts };
            },
          }),
          defineRoute({
            ...open,
            path: 'raw',
            bodyKind: 'raw',
            bodyLimit: 1_000_000,
            async handle({ body, stream }: RouteRequest) {
              const hash = createHash('sha256');
              for await (const chunk of stream ?? []) hash.update(chunk as Uint8Array);
              return { body, hash: hash.digest('hex') };
            },
          }),
        );
      },
    }),
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

describe('a body that is no JSON', () => {
  const seen: { paths: string[] } = { paths: [] };
  let server: TestServer;
  const at = (path: string) => `${server.url}/api/v1/plugins/uploads/${path}`;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [uploadPlugin(seen)] });
  });
  afterAll(() => server.dispose());

  test('comes as fields and files, which are gone when the request is over, as is what a killed server left', async () => {
    const left = await mkdtemp(join(tmpdir(), 'trellis-upload-'));
    await writeFile(join(left, 'half'), 'half');
    await utimes(left, 0, 0);
    const form = new FormData();
    form.set('title', 'Holiday');
    form.set('file', new Blob(['a picture']), '../../etc/passwd');
    const answer = await fetch(at('multipart'), { method: 'POST', body: form });
    expect(await answer.json()).toMatchObject({
      body: { title: 'Holiday' },
      files: [{ field: 'file', size: 9 }],
      texts: ['a picture'],
    });
    expect(seen.paths).toHaveLength(1);
    expect(seen.paths[0]).not.toMatch(/etc\/|passwd/);
    // The answer may arrive a moment before the end of the request, and before all folders were looked at.
    for (const path of [left, seen.paths[0] ?? '']) while (await exists(path)) await setImmediate();
  });

  test('is refused when it is too large, of another kind, or broken', async () => {
    const large = new FormData();
    large.set('file', new Blob(['x'.repeat(200_000)]), 'x');
    expect((await fetch(at('multipart'), { method: 'POST', body: large })).status).toBe(413);
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetch(at('multipart'), json)).status).toBe(415);
    const broken = {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    };
    expect((await fetch(at('multipart'), broken)).status).toBe(400);
  });

  test('gives its place back when its sender abandons it', async () => {
    for (let round = 0; round < 11; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
          socket.on('error', () => undefined);
          socket.write(
            'POST /api/v1/plugins/uploads/multipart HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n' +
              'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n',
          );
          await once(socket, 'data');
          socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhalf');
          socket.destroy();
          await once(socket, 'close');
        }),
      );
    }
    const form = new FormData();
    form.set('title', 'Still open');
    expect((await fetch(at('multipart'), { method: 'POST', body: form })).status).toBe(200);
  });

  test('is the handler’s to read as a stream, decompressed and limited', async () => {
    const bytes = Buffer.from('row\n'.repeat(100_000));
    const hash = createHash('sha256').update(bytes).digest('hex');
    const headers = { 'content-type': 'text/csv' };
    const plain = await fetch(at('raw'), { method: 'POST', body: bytes, headers });
    expect(await plain.json()).toEqual({ hash });
    const packed = await fetch(at('raw'), {
      method: 'POST',
      body: gzipSync(bytes),
      headers: { ...headers, 'content-encoding': 'gzip' },
    });
    expect(await packed.json()).toEqual({ hash });
    const bomb = await fetch(at('raw'), {
      method: 'POST',
      body: gzipSync(Buffer.alloc(5_000_000)),
      headers: { ...headers, 'content-encoding': 'gzip' },
    });
    expect(bomb.status).toBe(413);
    for (const broken of [Buffer.from('no archive'), gzipSync(bytes).subarray(0, 200)]) {
      const refused = await fetch(at('raw'), {
        method: 'POST',
        body: broken,
        headers: { ...headers, 'content-encoding': 'gzip' },
      });
      expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'BODY_CUT' }]);
    }
  });
});
