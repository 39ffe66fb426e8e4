import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConnectionManager } from './connection-manager.ts';

let root = '';
let manager: ConnectionManager;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trellis-bases-'));
  await mkdir(join(root, 'bases'));
  await writeFile(join(root, 'outside.db'), '');
  await writeFile(join(root, 'bases/trellis.db'), '');
  await symlink(join(root, 'outside.db'), join(root, 'bases/link.db'));
  await symlink(root, join(root, 'bases/up'));
  manager = new ConnectionManager({
    resolveHost: async () => '127.0.0.1',
    sqliteFolder: join(root, 'bases'),
    forbiddenFiles: [join(root, 'bases/trellis.db')],
    inFlight: 3,
    idleMs: 50,
  });
});

afterEach(async () => {
  await manager.close();
  await rm(root, { recursive: true, force: true });
});

describe('the connections of bases', () => {
  test('are opened when first used, and one per key', async () => {
    const database = manager.get('b1', { kind: 'sqlite', file: 'new.db', create: true });
    expect(manager.get('b1', { kind: 'sqlite', file: 'new.db' })).toBe(database);
    await Promise.all([database.ping(), database.ping()]);
    await database.schema((changer) =>
      changer.createTable({ name: 't', columns: [{ name: 'v', kind: 'integer' }] }),
    );
    await database.write((unit) => unit.run(unit.knex('t').insert({ v: 1 })));
    for await (const { rows } of database.stream(database.builder('t').select('v')))
      expect(rows).toEqual([[1]]);
  });

  test('close when they are idle and open again when they are needed', async () => {
    const database = manager.get('b1', { kind: 'sqlite', file: 'new.db', create: true });
    await database.ping();
    // SQLite removes its log when the last connection closes.
    const log = join(root, 'bases/new.db-wal');
    expect(existsSync(log)).toBe(true);
    while (existsSync(log)) await new Promise(setImmediate);
    await database.ping();
    await manager.forget('b1');
    expect(manager.get('b1', { kind: 'sqlite', file: 'new.db' })).not.toBe(database);
  });

  test('take so many calls at once and tell the rest that the base is busy', async () => {
    const database = manager.get('b1', { kind: 'sqlite', file: 'new.db', create: true });
    let leave = () => {};
    const stay = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const holders = Array.from({ length: 3 }, () => database.read(() => stay));
    await expect(database.read(async () => 1)).rejects.toMatchObject({ code: 'BASE_BUSY', status: 503 });
    await expect(database.ping()).rejects.toMatchObject({ code: 'BASE_BUSY' });
    leave();
    await Promise.all(holders);
    await database.ping();
  });

  test('leave half of their places to others than one person', async () => {
    const database = manager.get('b1', { kind: 'sqlite', file: 'new.db', create: true });
    let leave = () => {};
    const stay = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const ada = { share: 'ada', work: 'page' } as const;
    const holders = Array.from({ length: 2 }, () => database.read(() => stay, ada));
    await expect(database.read(async () => 1, ada)).rejects.toMatchObject({ code: 'BASE_BUSY', status: 503 });
    expect(await database.read(async () => 1, { share: 'bob' })).toBe(1);
    leave();
    await Promise.all(holders);
    expect(await database.read(async () => 1, ada)).toBe(1);
  });

  test('count a snapshot as one call, however often it is closed', async () => {
    const database = manager.get('b1', { kind: 'sqlite', file: 'new.db', create: true });
    const snapshot = await database.snapshot();
    await snapshot.close();
    await snapshot.close();
    let leave = () => {};
    const stay = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const holders = Array.from({ length: 3 }, () => database.read(() => stay));
    await expect(database.read(async () => 1)).rejects.toMatchObject({ code: 'BASE_BUSY' });
    leave();
    await Promise.all(holders);
  });

  test.each([
    ['a path out of the folder', '../outside.db'],
    ['an absolute path', '/etc/passwd'],
    ['a link out of the folder', 'link.db'],
    ['a linked folder', 'up/outside.db'],
    ["the product's own metadata", 'trellis.db'],
    ["the metadata's log", 'trellis.db-wal'],
    ['a file that is not there', 'missing.db'],
    ['the folder itself', '.'],
  ])('refuse %s in the same words', async (_name, file) => {
    const database = manager.get('b1', { kind: 'sqlite', file });
    await expect(database.ping()).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'The database cannot be reached at the moment',
    });
    await expect(manager.test({ kind: 'sqlite', file })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('hold no SQLite file at all without a folder', async () => {
    const without = new ConnectionManager({ resolveHost: async () => '127.0.0.1' });
    const database = without.get('b1', { kind: 'sqlite', file: 'new.db', create: true });
    await expect(database.ping()).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
