import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SHORT_WAIT } from '../units/semaphore.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SqliteReaders } from './sqlite-readers.ts';

/** Milliseconds in which a connection has to be of use. */
const window = 10_000;
/** More milliseconds than a read waits for a connection that is lent. */
const patience = 50;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-readers-'));
  const connection = await SqliteConnection.open({
    file: join(folder, 'rows.db'),
    role: 'writer',
    create: true,
    readOnly: false,
  });
  await connection.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('connections that read a SQLite file', () => {
  const opened: SqliteConnection[] = [];
  let readers: SqliteReaders;
  beforeEach(() => {
    opened.length = 0;
    readers = new SqliteReaders(6, SHORT_WAIT, async () => {
      const file = join(folder, 'rows.db');
      const connection = await SqliteConnection.open({ file, role: 'reader', create: false, readOnly: true });
      opened.push(connection);
      return connection;
    });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await readers.close();
  });

  async function lendTwo(): Promise<readonly [SqliteConnection, SqliteConnection]> {
    const first = await readers.acquire();
    return [first, await readers.acquire()];
  }

  test('a read that begins while another one is about to end takes over its connection', async () => {
    const first = await readers.acquire();
    const [second, third] = [readers.acquire(), readers.acquire()];
    readers.release(first);
    expect(await second).toBe(first);
    readers.release(first);
    expect(await third).toBe(first);
    expect(opened).toHaveLength(1);
  });

  test('a read beside a long one gets a connection of its own', async () => {
    const [first, second] = await lendTwo();
    expect(second).not.toBe(first);
    expect(opened).toHaveLength(2);
  });

  test('whoever waits for a connection is told when the file is closed', async () => {
    const first = await readers.acquire();
    const second = readers.acquire().catch((error: unknown) => error);
    await Promise.resolve();
    await readers.close();
    expect(await second).toMatchObject({ kind: 'unreachable' });
    expect(first.ended).toBe(true);
  });

  test('a second connection is closed where jobs only now and then read at the same moment', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const first = await readers.acquire();
    const waiting = readers.acquire();
    await jest.advanceTimersByTimeAsync(patience);
    const second = await waiting;
    readers.release(second);
    readers.release(first);
    const closed: SqliteConnection[] = [];
    for (const connection of opened) {
      const close = connection.close.bind(connection);
      jest.spyOn(connection, 'close').mockImplementation(() => {
        closed.push(connection);
        return close();
      });
    }
    for (let tick = 0; tick < 25 && closed.length === 0; tick += 1) {
      expect(await readers.acquire()).toBe(first);
      expect(await readers.acquire()).toBe(second);
      readers.release(second);
      readers.release(first);
      jest.advanceTimersByTime(window / 10);
    }
    expect(closed).toEqual([second]);
    expect(await readers.acquire()).toBe(first);
    readers.release(first);

    jest.advanceTimersByTime(3 * window);
    expect(closed).toEqual([second, first]);
  });

  test('a second connection stays where it is read with', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const first = await readers.acquire();
    const waiting = readers.acquire();
    await jest.advanceTimersByTimeAsync(patience);
    const second = await waiting;
    for (let tick = 0; tick < 50; tick += 1) {
      jest.advanceTimersByTime(window / 50);
      readers.release(second);
      readers.release(first);
      jest.advanceTimersByTime(window / 20);
      expect(await readers.acquire()).toBe(first);
      expect(await readers.acquire()).toBe(second);
    }
    readers.release(second);
    readers.release(first);
  });

  // Only Linux gives threads priorities of their own.
  if (existsSync('/proc/thread-self'))
    test('a read that takes long lets all others have the processor first, and its thread ends with it', async () => {
      const connection = await readers.acquire();
      let ended = false;
      const read = connection
        .execute(
          'with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000000) select max(i) from n',
        )
        .finally(() => {
          ended = true;
        });
      while (!ended && (await nicest()) <= getPriority()) await new Promise(setImmediate);
      expect(connection.standsBack).toBe(true);
      expect(await nicest()).toBeGreaterThan(getPriority());
      expect((await read).rows).toEqual([[4_000_000]]);

      readers.release(connection);
      const next = await readers.acquire();
      expect(next).not.toBe(connection);
      readers.release(next);
      await readers.close();
      while ((await nicest()) > getPriority()) await new Promise(setImmediate);
    });
});

/** The highest niceness of a thread of this process. */
async function nicest(): Promise<number> {
  const threads = await readdir('/proc/self/task');
  const found = threads.map(async (thread) => {
    const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => ') 0');
    // Field 19, behind the name of the command, which may hold spaces (proc(5)).
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] ?? getPriority());
  });
  return Math.max(...(await Promise.all(found)));
}
