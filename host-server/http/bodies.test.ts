import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { JsonReader } from './json-reader.ts';

const signIn = '/api/v1/auth/user/signin';

describe('the body of a request', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await createTestServer();
    await server.signUp('owner@example.com');
  });
  afterAll(() => server.dispose());

  async function post(body: BodyInit, headers: Record<string, string> = {}) {
    const response = await fetch(server.url + signIn, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: response.status, body: (await response.json()) as { readonly code?: string } };
  }

  /** Sends the start of a compressed body and hangs up once the server has begun to read it. */
  async function abandon(encoding: string, bytes: Buffer): Promise<void> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST ${signIn} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\n` +
        `Expect: 100-continue\r\nContent-Length: ${bytes.length + 1000}\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.write(bytes.subarray(0, 12));
    socket.destroy();
    await once(socket, 'close');
  }

  test.each([
    ['gzip', gzipSync('{"email":"a@example.com"}')],
    ['deflate', deflateSync('{"email":"a@example.com"}')],
    ['br', brotliCompressSync('{"email":"a@example.com"}')],
  ])('that its sender abandons gives its place back, encoded as %s too', async (encoding, bytes) => {
    for (let round = 0; round < 13; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => abandon(encoding, bytes)));
    }
    expect(await post(bytes, { 'content-encoding': encoding })).toMatchObject({ status: 400 });
  });

  test('is refused in words when it is too large, also where its size was not told before', async () => {
    const pieces = async function* () {
      for (let count = 0; count < 32; count += 1) yield new TextEncoder().encode(' '.repeat(64 * 1024));
    };
    const answer = await fetch(server.url + signIn, {
      method: 'POST',
      body: pieces() as unknown as BodyInit,
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
  });

  test('is read whether it comes with its headers, behind those of another call, after them or byte by byte', async () => {
    const body = '{"email":"owner@example.com","password":"Wrong-password-ü"}';
    const head =
      `POST ${signIn} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const whole = Buffer.from(head + body);
    const ways: readonly { readonly pieces: readonly Uint8Array[]; readonly calls: number }[] = [
      { pieces: [whole], calls: 1 },
      { pieces: [Buffer.concat([whole, whole])], calls: 2 },
      { pieces: [Buffer.from(head), Buffer.from(body)], calls: 1 },
      { pieces: [Buffer.from(head), ...[...Buffer.from(body)].map((byte) => Buffer.from([byte]))], calls: 1 },
    ];
    for (const { pieces, calls } of ways) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setNoDelay(true);
      let heard = '';
      const all = new Promise<void>((resolve) => {
        socket.on('data', (data: Buffer) => {
          heard += data.toString();
          if (heard.split('SIGN_IN_FAILED').length > calls) resolve();
        });
      });
      for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
      await all;
      expect(heard.match(/HTTP\/1.1 \d+/g)).toEqual(Array(calls).fill('HTTP/1.1 400'));
      socket.destroy();
    }
  });

  test('is refused when it names no type', async () => {
    const answer = await fetch(server.url + signIn, {
      method: 'POST',
      body: new Blob(['{"email":"a@example.com","password":"Password-1"}']),
    });
    expect(answer.status).toBe(415);
  });

  test('is refused when it is not valid UTF-8, or holds half of a character', async () => {
    const cut = Buffer.concat([
      Buffer.from('{"email":"'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ]);
    expect(await post(cut)).toMatchObject({ status: 400, body: { code: 'BODY_NOT_UTF8' } });
    for (const text of ['{"email":"\\ud800"}', '{"\\uDC00x":1}', '[["a\\uD83D b"]]']) {
      expect(await post(text)).toMatchObject({ status: 400, body: { code: 'BODY_NOT_JSON' } });
    }
    expect((await post('{"email":"\\ud83d\\ude00"}')).body.code).not.toBe('BODY_NOT_JSON');
  });

  test.each([
    ['empty objects', '{},'],
    ['empty lists', '[],'],
    ['numbers', '1,'],
  ])('is refused before it is built when it unfolds to millions of %s', async (_, item) => {
    const reader = new JsonReader(Number.POSITIVE_INFINITY);
    const piece = Buffer.from(item.repeat(20_000));
    reader.add(Buffer.from('['));
    let pieces = 0;
    const addAll = () => {
      for (; pieces < 1000; pieces += 1) reader.add(piece);
    };
    expect(addAll).toThrow('holds more than');
    expect(pieces).toBeLessThanOrEqual(100);
  });

  test.each([
    ['in one object', (at: number) => `"k${at}":1,`],
    ['in an object each', (at: number) => `"a":1},{"k${at}":1,`],
  ])('is refused before it is built when it has more different keys than any table, %s', async (_, item) => {
    const reader = new JsonReader(Number.POSITIVE_INFINITY);
    reader.add(Buffer.from('[{'));
    let keys = 0;
    const addAll = () => {
      for (; keys < 200_000; keys += 1) reader.add(Buffer.from(item(keys)));
    };
    expect(addAll).toThrow('different keys');
    expect(keys).toBeLessThanOrEqual(50_000);
  });

  test('may have the same keys in every row, wherever it is cut into pieces, and texts without number', () => {
    const row = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`Spalte "${at}" äö`, `text ${at}`]),
    );
    const written = JSON.stringify(Array.from({ length: 6000 }, (_, at) => ({ ...row, Title: `row ${at}` })));
    const bytes = Buffer.from(written);
    const reader = new JsonReader(bytes.length);
    for (let from = 0; from < bytes.length; from += 17) reader.add(bytes.subarray(from, from + 17));
    expect(JSON.stringify(reader.value())).toBe(written);
  });

  test('is read as JSON.parse reads it, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(200), { maxLength: 5 }), (text, cuts) => {
        fc.pre(!text.includes('__proto__'));
        const bytes = Buffer.from(text);
        const reader = new JsonReader(bytes.length);
        let from = 0;
        for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
          reader.add(bytes.subarray(from, cut));
          from = Math.min(cut, bytes.length);
        }
        expect(reader.value()).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://evil.example' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('does not count when a page of another site sent it to a public call: %j', async (headers) => {
    const client = server.client.with({ headers: headers as Record<string, string> });
    for (const path of ['user/signup', 'user/signin', 'token/refresh', 'user/signout']) {
      const answer = await client.post(`/api/v1/auth/${path}`, {
        email: 'a@example.com',
        password: 'Password-1',
      });
      expect(answer).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } });
    }
  });

  test.each([
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://behind.a.proxy' }],
    [{ 'sec-fetch-site': 'none' }],
    [{}],
  ])('counts when our own page or a script sent it: %j', async (headers) => {
    const client = server.client.with({ headers: headers as Record<string, string> });
    const answer = await client.post(signIn, { email: 'owner@example.com', password: 'Password-1' });
    expect(answer.status).toBe(200);
  });
});

describe('the query of an address', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.dispose());

  test.each([
    ['has more parameters than are read', `${'a=1&'.repeat(1000)}where=(Name,eq,x)`],
    ['is nested deeper than is read', 'a[b][c][d][e]=1'],
    ['gives a text and a group one name', 'a=1&a[b]=2'],
    ['gives a group and a text one name', 'a[b]=2&a=1'],
    ['is not valid UTF-8', 'where=(Name,eq,%ff)'],
  ])('is refused when it %s: nothing is left out', async (_, query) => {
    const answer = await server.client.get(`/api/v1/version?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'QUERY_UNREADABLE' } });
  });

  test('may hold what only looks broken', async () => {
    for (const query of ['a=50%', 'a=%EF%BF%BD', `a=${encodeURIComponent('😀')}`, 'a=1&&=&b']) {
      expect((await server.client.get(`/api/v1/version?${query}`)).status).toBe(200);
    }
  });
});
