import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('the connection of an opened database', (open) => {
  let folder: string;
  let closing: (() => Promise<unknown>)[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-connections-'));
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing.toReversed()) await close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start() {
    const file = new SqliteFile(join(folder, 'shop.db'));
    file.exec('create table customer (id integer primary key)');
    file.close();
    const path = await createDataPath(await open(), { sqliteFolder: folder });
    closing.push(() => path.dispose());
    const project = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external: { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } },
    });
    const scope = path.access.systemScope(project.id, 'test');
    const baseOf = async () => {
      const [base] = (await path.schema.snapshot(scope)).bases.values();
      if (base === undefined) throw new Error('The project has no database');
      return base;
    };
    return { ...path, scope, baseOf };
  }

  test('is opened anew once it was changed, and not for a caller who looked at the base before', async () => {
    const { schema, scope, databases, baseOf } = await start();
    const before = await baseOf();
    const former = await databases.of(before);
    const { settings } = await schema.bases.connection(scope, before.id);
    await schema.bases.update(scope, before.id, { settings: { ...settings, readOnly: true } });
    const after = await baseOf();
    const [now, same] = await Promise.all([databases.of(after), databases.of(after)]);
    expect(now).not.toBe(former);
    expect(same).toBe(now);
    expect(await databases.of(before)).toBe(now);
    expect(await databases.of(after)).toBe(now);
  });

  test.each([true, false])(
    'keeps who said where the database is when somebody else changes its rules (a super admin: %s)',
    async (isSetBySuperAdmin) => {
      const { metadata, schema, scope, databases, baseOf } = await start();
      const { id } = await baseOf();
      const stored = async () => {
        const row = await metadata.database.read((unit) =>
          unit.first<{ config: string }>(unit.knex('trellis_base').where({ id }).select('config')),
        );
        return databases.unseal(row?.config ?? '');
      };
      const config = databases.seal({ ...(await stored()), isSetBySuperAdmin });
      await metadata.database.write((unit) =>
        unit.run(unit.knex('trellis_base').where({ id }).update({ config })),
      );
      const accountRoles = isSetBySuperAdmin ? [] : ['super'];
      const principal = { ...scope.principal, accountRoles };
      const other = new Proxy(scope, {
        get(of, name) {
          const value: unknown = name === 'principal' ? principal : Reflect.get(of, name, of);
          return typeof value === 'function' ? (value.bind(of) as unknown) : value;
        },
      });
      const { settings } = await schema.bases.connection(other, id);
      await schema.bases.update(other, id, { settings: { ...settings, readOnly: true } });
      expect(await stored()).toMatchObject({ isSetBySuperAdmin, settings: { readOnly: true } });
    },
  );
});
