import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { AccessServiceToken } from '@trellis/sdk/server';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import SqliteFile from 'better-sqlite3';
import { DatabaseToken } from '../../host-server/databases/tokens.ts';
import { stallMs } from '../../host-server/http/stream-answer.ts';
import { describeEachHome } from './each-home.ts';

const meta = '/api/v1/db/meta';
const credentials = { email: 'bob@example.com', password: 'Password-1' };
/** More than the buffers of two sockets hold, so that an export waits for its reader. */
const rowCount = 4000;
const notes = 'some notes of a row '.repeat(200);

/** Has the stall limit pass when a test says so: neither earlier on a slow machine, nor half a minute later. */
function holdStallLimit(): { pass(): void } {
  const timers = new Map<unknown, () => void>();
  const sockets = new Set<Socket>();
  const start = globalThis.setTimeout;
  const stop = globalThis.clearTimeout;
  const setIdle = Socket.prototype.setTimeout;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...of: []) => {
    const timer = start(run, ms, ...of);
    if (ms === stallMs) timers.set(timer, run);
    return timer;
  }) as typeof setTimeout);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    timers.delete(timer);
    stop(timer);
  });
  jest.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, ...of) {
    if (ms === stallMs) sockets.add(this);
    return setIdle.call(this, ms, ...of);
  });
  return {
    pass() {
      for (const [timer, run] of timers) {
        clearTimeout(timer as NodeJS.Timeout);
        run();
      }
      for (const socket of sockets) if (socket.timeout === stallMs) socket.emit('timeout');
    },
  };
}

describeEachHome('a server with slow exports and long searches', (start) => {
  let server: TestServer;
  let ann: TestClient;
  let bob: TestClient;
  let rows = '';
  let table = '';
  const leaving = new AbortController();
  const sockets: Socket[] = [];

  beforeAll(async () => {
    server = await start();
    bob = await server.signUp(credentials.email);
    ann = await server.signUp('ann@example.com');
    const project = (await bob.post<{ id: string }>(`${meta}/projects`, { title: 'Crowd' })).body.id;
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Notes', uidt: 'LongText' },
    ];
    const made = await bob.post<{ id: string }>(`${meta}/projects/${project}/tables`, {
      title: 'Things',
      columns,
    });
    table = made.body.id;
    rows = `/api/v1/db/data/noco/${project}/${table}`;
    const part = Array.from({ length: 1000 }, () => ({ Notes: notes }));
    for (let at = 0; at < rowCount; at += part.length)
      expect((await bob.post(rows.replace('/data/', '/data/bulk/'), part)).status).toBe(200);
    const { id } = (await ann.get<{ id: string }>('/api/v1/auth/user/me')).body;
    await server.host.container.get(AccessServiceToken).grant(project, id, 'viewer');
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    leaving.abort();
    for (const socket of sockets) socket.destroy();
    await server?.dispose();
  });

  /** Begins an export and takes a byte of it now and then. `rest` reads on to the end of the connection and counts the bytes. */
  async function readSlowly(): Promise<{ rest(): Promise<number> }> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    const head = `xc-auth: ${ann.token ?? ''}\r\nAccept-Encoding: identity`;
    socket.write(`GET ${rows}/export/csv HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
    await once(socket, 'readable');
    const reading = setInterval(() => socket.read(1), 20);
    socket.on('close', () => clearInterval(reading));
    return {
      async rest() {
        clearInterval(reading);
        const closed = once(socket, 'close');
        socket.resume();
        await closed;
        return socket.bytesRead;
      },
    };
  }

  /** Looks through all the texts for what is in none, again and again. */
  async function search(word: string): Promise<void> {
    const where = Array.from({ length: 180 }, (_, index) => `(Notes,like,${word}${index})`).join('~or');
    const headers = { 'xc-auth': ann.token ?? '' };
    while (!leaving.signal.aborted)
      await fetch(`${server.url}${rows}?where=${where}`, { headers, signal: leaving.signal }).catch(() => {});
  }

  async function exported(client: TestClient): Promise<number> {
    const { status, body } = await client.get<string>(`${rows}/export/csv`);
    expect(status).toBe(200);
    return body.split('\r\n').length;
  }

  /** Whether a reader keeps a part of SQLite's write-ahead log from being written to the file, and so from being used again. */
  function isLogHeld(): boolean {
    const file = new SqliteFile(join(server.dataDir, 'trellis.db'), { timeout: 10_000 });
    try {
      const [{ log, checkpointed }] = file.pragma('wal_checkpoint(passive)') as [
        { readonly log: number; readonly checkpointed: number },
      ];
      return checkpointed < log;
    } finally {
      file.close();
    }
  }

  test('lets people sign in, read, write, export and change columns, and takes all back from readers who take nothing', async () => {
    const isSqlite = server.host.container.get(DatabaseToken).dialect.name === 'sqlite';
    const limit = holdStallLimit();
    const slow = [await readSlowly(), await readSlowly()];
    const searches = ['zqa', 'zqb', 'zqc', 'zqd'].map(search);

    for (let time = 0; time < 5; time += 1)
      expect((await server.client.post('/api/v1/auth/user/signin', credentials)).status).toBe(200);
    const answers = await Promise.all([
      server.client.get('/api/v1/health'),
      bob.get(`${rows}?limit=5&fields=Id`),
      bob.get(`${rows}?limit=5&fields=Id&where=(Notes,like,notes)`),
      bob.get(`${rows}/7`),
      bob.post(rows, { Notes: 'meanwhile' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // The row of a moment ago, the line of titles, and nothing behind the last line end.
    expect(await exported(bob)).toBe(rowCount + 3);
    const title = { title: 'More', uidt: 'SingleLineText' };
    expect((await bob.post(`${meta}/tables/${table}/columns`, title)).status).toBe(200);
    leaving.abort();
    await Promise.all(searches);
    if (isSqlite) expect(isLogHeld()).toBe(true);

    limit.pass();
    for (const { rest } of slow) expect(await rest()).toBeLessThan(rowCount * notes.length);
    while (isSqlite && isLogHeld()) await setImmediate();
    expect(await exported(ann)).toBe(rowCount + 3);
  });
});
