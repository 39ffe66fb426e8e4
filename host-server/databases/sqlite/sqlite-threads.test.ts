/**
 * Threads that rest are those of this file alone.
 * @jest-environment <rootDir>/sdk/testing/jest/node-environment.cjs
 */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SqliteConnection } from './sqlite-connection.ts';
import { prepareThreads } from './sqlite-threads.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-threads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string) =>
  SqliteConnection.open({ file: join(folder, name), role: 'writer', create: true, readOnly: false });

const ofTest = new AsyncLocalStorage<boolean>();

/** Counts those that the test starts: what files before it left running in this process may start some, too. */
function countThreads(): { readonly started: number; readonly stop: () => void } {
  let started = 0;
  ofTest.enterWith(true);
  const threads = createHook({
    init(_id, type) {
      if (type === 'WORKER' && ofTest.getStore() === true) started += 1;
    },
  }).enable();
  return {
    get started() {
      return started;
    },
    stop: () => threads.disable(),
  };
}

test('a thread whose file was closed opens the next one and keeps nothing of the former', async () => {
  const threads = countThreads();
  const first = await open('first.db');
  await first.execute('create table t (v)');
  await first.execute('begin');
  await first.execute('insert into t values (1)');
  await Promise.all([first.close(), first.close()]);

  const second = await open('second.db');
  expect(threads.started).toBe(1);
  await expect(second.execute('select v from t')).rejects.toThrow('no such table');
  await expect(first.execute('select 1')).rejects.toMatchObject({ kind: 'unreachable' });

  const again = await open('first.db');
  expect(threads.started).toBe(2);
  expect((await again.execute('select v from t')).rows).toEqual([]);
  await Promise.all([second.close(), again.close()]);

  await expect(open('no-such-folder/third.db')).rejects.toThrow('directory does not exist');
  const last = await open('second.db');
  expect((await last.execute('select 1')).rows).toEqual([[1]]);
  expect(threads.started).toBe(2);
  await last.close();
  threads.stop();
});

test('threads that were prepared open the first files', async () => {
  const threads = countThreads();
  await prepareThreads(3);
  const files = await Promise.all(['one.db', 'two.db', 'three.db'].map(open));
  expect(threads.started).toBe(3);
  await Promise.all(files.map((file) => file.close()));
  threads.stop();
});

test('threads that were prepared wait for a start that takes long', async () => {
  const threads = countThreads();
  jest.useFakeTimers({ now: Date.now() });
  await prepareThreads(2);
  jest.advanceTimersByTime(30_000);
  jest.useRealTimers();
  const files = await Promise.all(['one.db', 'two.db'].map(open));
  expect(threads.started).toBe(2);
  await Promise.all(files.map((file) => file.close()));
  threads.stop();
});
