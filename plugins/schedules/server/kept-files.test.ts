import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineServerPlugin, type PluginDatabase } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestServer } from '@trellis/sdk/testing/server';
import own from '../plugin.json' with { type: 'json' };
import { KeptFiles } from './kept-files.ts';
import { migrations } from './migrations.ts';
import { RestoreStore } from './restore/restore-store.ts';

let server: TestServer;
let db: PluginDatabase;

beforeAll(async () => {
  const tables = defineServerPlugin({
    migrations,
    setup(ctx) {
      db = ctx.db;
    },
  });
  server = await createTestServer({
    plugins: [
      testPlugin('kept-files-of-a-test', tables, { contributes: { tables: own.contributes.tables } }),
    ],
  });
});
afterAll(() => server?.dispose());

async function addRun(id: string, ref?: string): Promise<void> {
  const row = {
    id,
    schedule_id: 'nightly',
    project_id: 'desk',
    cause: 'time',
    due_at: 0,
    state: 'done',
    handed_at: 0,
    not_before: 0,
    attempt: 1,
    cancelling: false,
    attempts: '[]',
    file:
      ref === undefined ? null : JSON.stringify({ ref, name: `${id}.zip`, type: 'application/zip', size: 5 }),
    created_at: 0,
  };
  await db.write((unit) => unit.run(unit.table('run').insert(row)));
}

async function addRestore(id: string, ref: string, state = 'ready'): Promise<void> {
  const row = {
    id,
    account_id: 'ann',
    file: JSON.stringify({ ref, size: 5 }),
    sent: false,
    about: '{}',
    state,
    notes: '[]',
    created_at: 0,
  };
  await db.write((unit) => unit.run(unit.table('restore').insert(row)));
}

const setState = (id: string, state: string) =>
  db.write((unit) => unit.run(unit.table('restore').where({ id }).update({ state })));

const fileOf = async (table: 'run' | 'restore', id: string): Promise<unknown> => {
  const row = await db.read((unit) => unit.first<{ readonly file: string }>(unit.table(table).where({ id })));
  return JSON.parse(row?.file ?? 'null');
};

test('a file that a run and a restore name is one, and follows to where it was moved in both', async () => {
  const kept = new KeptFiles(db);
  await addRun('without');
  await addRun('shared', 'near:b');
  await addRestore('of-shared', 'near:b');
  await addRun('alone', 'near:c');
  await addRestore('sent', 'near:a');
  await addRun('elsewhere', 'nearer:a');
  expect(await kept.count('near')).toEqual({ files: 3, bytes: 15 });
  expect(await kept.list('near', { most: 2 })).toEqual([
    { ref: 'near:a', size: 5 },
    { ref: 'near:b', size: 5 },
  ]);
  expect(await kept.list('near', { after: 'near:b', most: 2 })).toEqual([{ ref: 'near:c', size: 5 }]);
  expect(await kept.repoint('near:b', 'far:b')).toBe(true);
  expect(await fileOf('run', 'shared')).toEqual({
    ref: 'far:b',
    name: 'shared.zip',
    type: 'application/zip',
    size: 5,
  });
  expect(await fileOf('restore', 'of-shared')).toEqual({ ref: 'far:b', size: 5 });
  expect(await kept.holds('near:b')).toBe(false);
  expect(await kept.holds('far:b')).toBe(true);
  expect(await kept.repoint('near:b', 'far:b')).toBe(false);
  // The beginning of a reference names no file.
  expect(await kept.holds('far:')).toBe(false);
});

test('a file that a restore reads stays where it is until the restore has ended', async () => {
  const kept = new KeptFiles(db);
  await addRun('read', 'busy:a');
  await addRestore('reading', 'busy:a', 'running');
  expect(await kept.count('busy')).toEqual({ files: 1, bytes: 5 });
  expect(await kept.list('busy', { most: 10 })).toEqual([]);
  expect(await kept.repoint('busy:a', 'far:a')).toBe(false);
  expect(await fileOf('run', 'read')).toMatchObject({ ref: 'busy:a' });
  await setState('reading', 'done');
  expect(await kept.list('busy', { most: 10 })).toEqual([{ ref: 'busy:a', size: 5 }]);
  expect(await kept.repoint('busy:a', 'far:a')).toBe(true);
});

test('a backup that is moved while it is made ready to be restored is named by its new reference, and one that is gone is not', async () => {
  const restores = new RestoreStore(db, () => 0);
  const about = { title: 'Desk', made_at: '', tables: 0, rows: 0, files: 0 };
  const read = { accountId: 'eve', file: { ref: 'near:moving', size: 5 }, about };
  await addRun('moving', 'near:moving');
  expect(await new KeptFiles(db).repoint('near:moving', 'far:moved')).toBe(true);
  const made = await restores.add({ ...read, runId: 'moving' }, 5);
  expect(made?.file).toEqual({ ref: 'far:moved', size: 5 });
  expect((await restores.byId(made?.id ?? ''))?.file).toEqual({ ref: 'far:moved', size: 5 });
  await db.write((unit) => unit.run(unit.table('run').where({ id: 'moving' }).update({ file: null })));
  await expect(restores.add({ ...read, runId: 'moving' }, 5)).rejects.toMatchObject({
    code: 'SCHEDULE_FILE_GONE',
  });
});
