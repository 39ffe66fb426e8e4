import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabases } from '../../host-server/databases/testing.ts';
import { sqliteFile } from '../../plugins/sys-projects/testing/sqlite-file.ts';
import { createDataPath } from './data-path.ts';

const databases = createTestDatabases('sqlite');
afterAll(() => databases.dropAll());

test('a database file that nobody opened goes after a day, and one that is open stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
  const path = await createDataPath(await databases.open(), { sqliteFolder: folder });
  try {
    const system = path.access.systemScope(undefined, 'test');
    const receive = (name: string) =>
      path.schema.files.receive(system, { name, content: Readable.from([sqliteFile()]) });
    const [open, left, fresh] = [
      await receive('open.db'),
      await receive('left.db'),
      await receive('fresh.db'),
    ];
    const external = { type: 'sqlite3', settings: { file: open.file } } as const;
    await path.schema.createProject(system, { title: 'Pets', external });
    const before = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const { file } of [open, left]) await utimes(join(folder, file), before, before);
    await path.schema.files.sweep();
    const names = await readdir(join(folder, 'uploads'));
    expect(names.filter((name) => name.endsWith('.sqlite')).toSorted()).toEqual(
      [fresh, open].map(({ file }) => file.slice('uploads/'.length)).toSorted(),
    );
  } finally {
    await path.dispose();
    await rm(folder, { recursive: true, force: true });
  }
});
