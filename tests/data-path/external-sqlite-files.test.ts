import { execFile } from 'node:child_process';
import { link, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import type { AccessScope } from '@trellis/sdk/server';
import SqliteFile from 'better-sqlite3';
import { forgetLost } from '../../host-server/changes/retention/forget.ts';
import { openDatabase } from '../../host-server/databases/index.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { films, runIn, SqliteFiles } from './sqlite-files.ts';

/** Another application reads a file and closes it. */
async function useElsewhere(file: string): Promise<void> {
  const script = `
    const SqliteFile = require('better-sqlite3');
    const database = new SqliteFile(process.argv[1]);
    database.prepare('select count(*) from sqlite_master').get();
    database.close();`;
  await promisify(execFile)(process.execPath, ['-e', script, file]);
}

describeEachMetadata('the file of an existing SQLite database', (open) => {
  const files = new SqliteFiles(open);

  test('is open as one project at a time, by whatever name it is called', async () => {
    const { metadata, schema: store, access, scope } = await files.connect();
    await link(join(files.folder, 'shop.db'), join(files.folder, 'same.db'));
    const system = access.systemScope(undefined, 'test');
    const again = (as: AccessScope, filename: string) =>
      store.createProject(as, {
        title: 'Shop two',
        external: { type: 'sqlite3', config: { connection: { filename } } },
      });
    for (const name of ['shop.db', './shop.db', 'same.db'])
      await expect(again(system, name)).rejects.toMatchObject({ status: 409, code: 'FILE_OPEN' });
    // Another application that is done finds the file in use and leaves its log: had we looked into the file past SQLite, all our
    // locks on it would be gone, and so would the log be, with what stands in it.
    await useElsewhere(join(files.folder, 'shop.db'));
    expect(await readdir(files.folder)).toContain('shop.db-wal');

    const member = { account_id: 'us_ann', project_id: scope.projectId, role: 'viewer', created_at: 1 };
    await metadata.database.write((unit) => unit.run(unit.knex('trellis_grant').insert(member)));
    const principal = { kind: 'user', id: 'us_ann', email: 'ann@x.co', accountRoles: ['super'] } as const;
    const ann = await access.scopeFor(principal, undefined, 'test');
    await expect(again(ann, 'shop.db')).rejects.toMatchObject({
      code: 'FILE_OPEN_AS',
      params: { project: 'Shop', projectId: scope.projectId },
    });

    await store.deleteProject(scope);
    expect((await again(system, 'shop.db')).title).toBe('Shop two');
  });

  test('has the journal that it had before once nobody uses it any more', async () => {
    const name = join(files.folder, 'shop.db');
    const made = new SqliteFile(name);
    made.exec("create table film (id integer primary key, title text); insert into film values (1, 'Alien')");
    made.close();
    const { rowStore, handle } = await files.connectFile('shop.db');
    await rowStore.create(await handle('Film'), { Title: 'Solaris' });
    await files.close();
    expect(await readdir(files.folder)).toEqual(['shop.db']);
    const other = new SqliteFile(name);
    expect(other.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(other.prepare('select count(*) from film').pluck().get()).toBe(2);
    other.close();
  });

  test('is taken out whole, whatever of its end is cut off', async () => {
    await files.openFile('shop.db', films);
    const database = await open();
    const path = await files.startPath(database);
    const { metadata, forget, rowStore, handleOf } = path;
    const { bases } = path.schema;
    const scope = await path.newProject('Shop');
    const settings = { filename: 'shop.db' };
    const baseId = await bases.add(scope, { type: 'sqlite3', config: { connection: settings } });
    const kept = await path.schema.createTable(scope, {
      title: 'Kept',
      columns: [
        { title: 'Id', columnName: 'id', type: 'ID' },
        { title: 'Name', columnName: 'name', type: 'SingleLineText' },
      ],
    });
    await rowStore.create(await handleOf(scope, kept.id), { Name: 'Seen' });
    await rowStore.create(await handleOf(scope, 'Film'), { Title: 'Hidden' });
    // A change of its tables that could not be taken back: nobody can do so any more.
    await database.write((unit) =>
      unit.run(
        unit.knex('trellis_task').insert({
          id: 'task_stuck',
          project_id: scope.projectId ?? '',
          kind: 'schema.createColumn',
          title: 'A change',
          state: 'reverting',
          payload: JSON.stringify({ payload: { base: { id: baseId, own: false }, tableName: 'gone' } }),
          done: 0,
          cancelling: false,
          fence: 0,
          lease_until: 0,
          attempts: 0,
          created_at: 1,
          updated_at: 1,
        }),
      ),
    );
    const forgetting = jest.spyOn(forget, 'table').mockRejectedValue(new Error('the process was killed'));
    await bases.remove(scope, baseId);
    forgetting.mockRestore();
    expect((await path.schema.snapshot(scope)).bases.has(baseId)).toBe(false);
    const state = await database.read((unit) =>
      unit.first(unit.knex('trellis_task').where({ id: 'task_stuck' }).select('state')),
    );
    expect(state).toEqual({ state: 'failed' });
    const logged = async () =>
      JSON.stringify(await database.read((unit) => unit.all(unit.knex('trellis_log_entry').select('rows'))));
    expect(await logged()).toContain('Hidden');
    await forgetLost(metadata, new AbortController().signal);
    expect(await logged()).not.toContain('Hidden');
    expect(await logged()).toContain('Seen');
  });

  test('is opened again after a restart', async () => {
    const { metadata, scope, table } = await files.connect();
    const { id } = await table('Film');
    const again = await files.startPath(metadata.database);
    expect(await again.rowStore.count(await again.handleOf(scope, id), {})).toBe(2);
  });

  test('is only opened inside the folder, and a failed try leaves no project', async () => {
    const metadata = await open();
    const path = await files.startPath(metadata);
    const outside = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    files.closeLater(() => rm(outside, { recursive: true, force: true }));
    const other = await openDatabase(
      { kind: 'sqlite', file: join(outside, 'x.db'), create: true },
      { name: 'x' },
    );
    files.closeLater(() => other.close());
    await runIn(other, 'create table t (id integer primary key)');
    await symlink(join(outside, 'x.db'), join(files.folder, 'link.db'));
    await writeFile(
      join(files.folder, 'text.db'),
      'this is no database, only text that is long enough'.repeat(50),
    );
    await files.openFile('empty.db');
    const system: AccessScope = path.access.systemScope(undefined, 'test');
    const create = (filename: unknown) =>
      path.schema.createProject(system, {
        title: 'Shop',
        external: { type: 'sqlite3', config: { connection: { filename } } },
      });
    for (const file of [join(outside, 'x.db'), 'link.db', '../x.db', 'missing.db', 'file:x.db', '', 7, '.']) {
      await expect(create(file)).rejects.toMatchObject({ status: 400, code: 'SQLITE_FILE_MISSING' });
    }
    for (const file of ['a\u0000b.db', 'a\nb.db', 'folder\u001b/x.db'])
      await expect(create(file)).rejects.toMatchObject({
        status: 400,
        code: 'SQLITE_FILE_CHARACTER',
        message: 'Invalid character in folder path.',
      });
    await expect(create('text.db')).rejects.toMatchObject({ kind: 'notADatabase', status: 400 });
    await expect(create('empty.db')).rejects.toMatchObject({ code: 'DATABASE_EMPTY' });
    expect((await readdir(files.folder)).filter((name) => name.startsWith('missing'))).toEqual([]);
    const projects = await metadata.read((unit) => unit.all(unit.knex('trellis_project').select('id')));
    expect(projects).toEqual([]);
    const listed = await path.schema.listSqliteFiles(system);
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['empty.db', 'text.db']);
  });
});
