import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineRoute, defineServerPlugin, RouteAnswer, type RouteRequest } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/** Routes that show what arrived and fail in every way. */
function probePlugin(seen: { last?: RouteRequest; aborted?: (reason: unknown) => void; began?: () => void }) {
  const open = { permission: 'public', summary: 'A probe' } as const;
  return {
    manifest: {
      id: 'probe',
      name: 'Probe',
      version: '1.0.0',
      category: 'app',
      engines: { trellis: '*' },
      sdk: 1,
      enabledByDefault: true,
      contributes: { routes: ['/api/v1/probe'] },
    },
    server: defineServerPlugin({
      setup(ctx) {
        ctx.routes(
          defineRoute({
            ...open,
            method: 'POST',
            path: '/api/v1/probe/echo',
            async handle(request) {
              seen.last = request;
              return request.body ?? null;
            },
          }),
          defineRoute({
            ...open,
            method: 'POST',
            path: '/api/v1/probe/strict',
            unknownKeys: 'refuse',
            schemas: {
              body: {
                type: 'object',
                properties: { name: { type: 'string', maxLength: 5 } },
              },
            },
            handle: async ({ body }) => body,
          }),
          defineRoute({
            ...open,
            method: 'POST',
            path: '/api/v1/probe/loose',
            schemas: {
              body: {
                type: 'object',
                properties: {
                  name: { type: 'string' },
                  meta: { type: 'object' },
                },
              },
            },
            handle: async ({ body }) => body,
          }),
          ...['first', 'second'].map((name) =>
            defineRoute({
              ...open,
              method: 'POST',
              path: `/api/v1/probe/${name}`,
              schemas: { body: { $id: 'alike', type: 'object', properties: { name: { const: name } } } },
              handle: async ({ body }) => body,
            }),
          ),
          defineRoute({
            ...open,
            method: 'GET',
            path: '/api/v1/probe/query',
            handle: async ({ query, ip }) => ({ query, ip }),
          }),
          defineRoute({
            ...open,
            method: 'GET',
            path: '/api/v1/probe/throws',
            handle: async () => {
              throw new Error('select secret_sql from /var/lib/path');
            },
          }),
          defineRoute({
            ...open,
            method: 'GET',
            path: '/api/v1/probe/cookie',
            handle: async () =>
              new RouteAnswer({
                body: 'ok',
                cookies: [
                  {
                    name: 'c',
                    value: 'v',
                    path: '/x',
                    httpOnly: true,
                    sameSite: 'strict',
                  },
                ],
              }),
          }),
          defineRoute({
            ...open,
            method: 'GET',
            path: '/api/v1/probe/half',
            handle: async () =>
              new RouteAnswer({
                headers: { 'content-type': 'text/csv' },
                body: (async function* () {
                  yield 'first,row\n'.repeat(20_000);
                  throw new Error('the disk is gone');
                })(),
              }),
          }),
          defineRoute({
            ...open,
            method: 'POST',
            path: '/api/v1/probe/waits',
            async handle({ signal }) {
              seen.began?.();
              await new Promise((resolve) => {
                signal.addEventListener('abort', resolve);
              });
              seen.aborted?.(signal.reason);
              return null;
            },
          }),
        );
      },
    }),
  };
}

describe('the HTTP layer', () => {
  let server: TestServer;
  let client: TestClient;
  const seen: Parameters<typeof probePlugin>[0] = {};
  const log: string[] = [];

  beforeAll(async () => {
    server = await createTestServer({
      plugins: [probePlugin(seen)],
      env: { TRELLIS_CORS_ORIGINS: 'https://friend.example' },
      onLog: (level, message, details) =>
        log.push(
          `${level} ${message} ${JSON.stringify(details, (_, value) => (value instanceof Error ? value.stack : value))}`,
        ),
    });
    client = server.client;
  });
  afterAll(() => server.dispose());

  const raw = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v1/probe/echo`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  describe('reads bodies', () => {
    test('with a byte order mark, compressed, and none at all', async () => {
      expect(await (await raw('\uFEFF{"a":1}')).json()).toEqual({ a: 1 });
      expect(await (await raw(gzipSync('{"a":2}'), { 'content-encoding': 'gzip' })).json()).toEqual({ a: 2 });
      expect((await client.post('/api/v1/probe/echo')).body).toBe(null);
    });

    test.each([
      ['is cut off', '{"a":'],
      ['is nested 100,000 deep', '['.repeat(100_000)],
      [
        'is nested deep within texts that look harmless',
        `{"a":"\\"${'['.repeat(10)}","b":${'['.repeat(300)}`,
      ],
      ['has a key twice', '{"role":"viewer","role":"owner"}'],
      ['has a key twice, once escaped', '{"role":"viewer","r\\u006fle":"owner"}'],
      ['reaches for a prototype', '{"__proto__":{"admin":true}}'],
      ['reaches for a prototype in hiding', '{"a":[{"\\u005f_proto__":{"admin":true}}]}'],
      ['reaches for a prototype by its constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ])('refuses one that %s, in words', async (_, body) => {
      const answer = await raw(body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'BODY_NOT_JSON' });
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });

    test('takes texts that only look like keys', async () => {
      const body = { a: '"b":1,"b":2', 'c"': '\\', d: { a: [] } };
      expect(await (await raw(JSON.stringify(body))).json()).toEqual(body);
    });

    test('refuses what is too large, before and after decompression', async () => {
      expect((await raw(`"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
      const bomb = gzipSync(`"${'x'.repeat(50_000_000)}"`);
      expect(bomb.length).toBeLessThan(100_000);
      expect((await raw(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    });

    test('refuses other types and encodings', async () => {
      expect((await raw('<a/>', { 'content-type': 'text/xml' })).status).toBe(415);
      expect((await raw('{}', { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await raw('{}', { 'content-encoding': 'zstd' })).status).toBe(415);
      expect((await raw('not gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
    });

    test('refuses or drops keys that nobody named, as the route says; free objects keep theirs', async () => {
      expect(await client.post('/api/v1/probe/strict', { name: 'a', admin: true })).toMatchObject({
        status: 400,
        body: { msg: expect.stringContaining('admin') },
      });
      expect(await client.post('/api/v1/probe/strict', { name: 'too long' })).toMatchObject({
        status: 400,
        body: { msg: expect.stringContaining('name') },
      });
      const loose = await client.post('/api/v1/probe/loose', {
        name: 'a',
        admin: true,
        meta: { x: { y: 1 } },
      });
      expect(loose.body).toEqual({ name: 'a', meta: { x: { y: 1 } } });
    });

    test.each(['first', 'second'])(
      'by the schema of the route, whoever calls theirs alike: %s',
      async (name) => {
        expect(await client.post(`/api/v1/probe/${name}`, { name })).toMatchObject({
          status: 200,
          body: { name },
        });
        expect(await client.post(`/api/v1/probe/${name}`, { name: 'third' })).toMatchObject({ status: 400 });
      },
    );
  });

  describe('reads addresses', () => {
    test('with lists and objects in the query', async () => {
      const { body } = await client.get('/api/v1/probe/query?a=1&b[]=1&b[]=2&nested[Title][limit]=1');
      expect(body).toMatchObject({
        query: { a: '1', b: ['1', '2'], nested: { Title: { limit: '1' } } },
      });
    });

    test('and no query reaches a prototype', async () => {
      await client.get(
        '/api/v1/probe/query?__proto__[admin]=1&constructor[prototype][admin]=1&a[__proto__][admin]=1',
      );
      expect(({} as { admin?: string }).admin).toBeUndefined();
    });

    test('that are broken or endless, and answers them', async () => {
      expect((await client.get('/api/v1/probe/%E0%A4%A')).status).toBeGreaterThanOrEqual(400);
      expect((await client.get(`/api/v1/probe/query?a=${'x'.repeat(70_000)}`)).status).toBe(431);
      expect((await client.get(`/api/v1/probe/query?a=${'x'.repeat(12_000)}`)).status).toBe(200);
    });

    test('of callers, and believes no header about it', async () => {
      const { body } = await client
        .with({ headers: { 'x-forwarded-for': '6.6.6.6' } })
        .get('/api/v1/probe/query');
      expect(body).toMatchObject({ ip: '127.0.0.1' });
    });
  });

  describe('answers', () => {
    test('a defect without its words, which only the log has', async () => {
      const { status, body } = await client.get('/api/v1/probe/throws');
      expect(status).toBe(500);
      expect(body).toMatchObject({
        msg: 'Some internal error occurred',
        code: 'INTERNAL',
      });
      expect(JSON.stringify(body)).not.toMatch(/secret_sql|\/var\/lib|at /);
      expect(log.join('\n')).toMatch(/secret_sql/);
    });

    test('unknown calls with JSON and unknown pages with a page', async () => {
      const call = await client.get('/api/v1/nowhere');
      expect(call).toMatchObject({ status: 404, body: { msg: 'Not found' } });
      expect((await client.get('/ext/probe/1.0.0/%E0%A4%A')).status).toBe(404);
      const page = await client.get('/nowhere');
      expect(page.status).toBe(404);
      expect(page.headers.get('content-type')).toMatch(/^text\//);
    });

    test('with headers that keep pages from being framed, guessed at or stored', async () => {
      const { headers } = await client.get('/api/v1/version');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/frame-ancestors 'none'/);
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
      expect(headers.get('x-powered-by')).toBe(null);
    });

    test('only configured origins, never with credentials', async () => {
      const stranger = await client
        .with({ headers: { origin: 'https://evil.example' } })
        .get('/api/v1/version');
      expect(stranger.headers.get('access-control-allow-origin')).toBe(null);
      const friend = await client
        .with({ headers: { origin: 'https://friend.example' } })
        .get('/api/v1/version');
      expect(friend.headers.get('access-control-allow-origin')).toBe('https://friend.example');
      expect(friend.headers.get('access-control-allow-credentials')).toBe(null);
      expect(friend.headers.get('vary')).toMatch(/origin/i);
      // What a page may send beside the usual: all credentials of the v1 API, those of links among them.
      const asked = await fetch(`${server.url}/api/v1/version`, {
        method: 'OPTIONS',
        headers: { origin: 'https://friend.example', 'access-control-request-method': 'GET' },
      });
      const sent = asked.headers.get('access-control-allow-headers')?.split(', ');
      expect(sent).toEqual(
        expect.arrayContaining(['xc-auth', 'xc-token', 'xc-gui', 'xc-shared-base-id', 'xc-password']),
      );
    });

    test('cookies as strict as the route asks', async () => {
      const { headers } = await client.get('/api/v1/probe/cookie');
      expect(headers.get('set-cookie')).toBe('c=v; Path=/x; SameSite=Strict; HttpOnly');
    });

    test('a stream that fails half-way by cutting it, never by an orderly end', async () => {
      const response = await fetch(`${server.url}/api/v1/probe/half`, {
        headers: { 'accept-encoding': 'identity' },
      });
      await expect(response.text()).rejects.toThrow('terminated');
    });

    test('nobody who went away, and tells the handler so', async () => {
      const began = new Promise<void>((resolve) => {
        seen.began = resolve;
      });
      const aborted = new Promise<unknown>((resolve) => {
        seen.aborted = resolve;
      });
      const leave = new AbortController();
      const request = fetch(`${server.url}/api/v1/probe/waits`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
        signal: leave.signal,
      });
      await began;
      leave.abort();
      await expect(request).rejects.toThrow('aborted');
      expect(await aborted).toMatchObject({ message: 'The client went away.' });
    });
  });

  describe('decides who may', () => {
    let owner: TestClient;
    beforeAll(async () => {
      owner = await server.signUp();
    });

    test('public is the matched route, never something in the address', async () => {
      for (const path of [
        '/api/v1/db/meta/projects?/api/v1/health',
        '/api/v1/db/meta/projects?x=/api/v1/version',
        '/api/v1/db/meta/projects/;/api/v1/version',
        '/api/v1/health/../db/meta/projects',
      ]) {
        expect([path, (await client.get(path)).status >= 400]).toEqual([path, true]);
      }
    });

    test('a repeated write is carried out once', async () => {
      const boss = owner.with({ headers: { 'idempotency-key': 'the-same' } });
      const one = await boss.post('/api/v1/db/meta/projects', {
        title: 'Once',
      });
      const two = await boss.post('/api/v1/db/meta/projects', {
        title: 'Once',
      });
      expect(one.status).toBe(200);
      expect(two.body).toEqual(one.body);
      expect(two.headers.get('idempotency-replayed')).toBe('true');
      expect((await boss.post('/api/v1/db/meta/projects', { title: 'Other' })).status).toBe(422);
    });

    test('a body that is read while the call runs takes no key', async () => {
      const answer = await fetch(`${server.url}/api/v1/plugins/schedules/restores`, {
        method: 'POST',
        headers: {
          'xc-auth': owner.token ?? '',
          'idempotency-key': 'raw',
          'content-type': 'application/octet-stream',
        },
        body: 'zip',
      });
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'IDEMPOTENCY_RAW' }]);
    });
  });

  test('a connection that says nothing sensible is closed and hurts nobody', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GARBAGE\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 400/);
    socket.destroy();
    expect((await client.get('/api/v1/health')).status).toBe(200);
  });

  test('no token, password or cookie reaches the log', async () => {
    const person = await server.signUp('log@example.com');
    await person.get('/api/v1/auth/user/me?token=eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.abc');
    const all = log.join('\n');
    expect(all).not.toContain('Password-1');
    expect(all).not.toContain(person.token ?? 'no token');
  });
});
