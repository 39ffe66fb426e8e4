import { createHook } from 'node:async_hooks';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SqliteConnection } from './sqlite-connection.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-threads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string) =>
  SqliteConnection.open({ file: join(folder, name), role: 'writer', create: true, readOnly: false });

test('a thread whose file was closed opens the next one and keeps nothing of the former', async () => {
  let started = 0;
  const threads = createHook({
    init(_id, type) {
      if (type === 'WORKER') started += 1;
    },
  }).enable();
  const first = await open('first.db');
  await first.execute('create table t (v)');
  await first.execute('begin');
  await first.execute('insert into t values (1)');
  await Promise.all([first.close(), first.close()]);

  const second = await open('second.db');
  expect(started).toBe(1);
  await expect(second.execute('select v from t')).rejects.toThrow('no such table');
  await expect(first.execute('select 1')).rejects.toMatchObject({ kind: 'unreachable' });

  const again = await open('first.db');
  expect(started).toBe(2);
  expect((await again.execute('select v from t')).rows).toEqual([]);
  await Promise.all([second.close(), again.close()]);

  await expect(open('no-such-folder/third.db')).rejects.toThrow('directory does not exist');
  const last = await open('second.db');
  expect((await last.execute('select 1')).rows).toEqual([[1]]);
  expect(started).toBe(2);
  await last.close();
  threads.disable();
});
