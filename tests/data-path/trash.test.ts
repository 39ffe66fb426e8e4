import { describe, expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { keptForMs } from '../../host-server/schema/jobs/parked-times.ts';
import { purgeParked } from '../../host-server/schema/jobs/purge.ts';
import { linkType } from '../../plugins/columns-relation/server/link-type.ts';
import { createDataPath, silent } from './data-path.ts';

describeEachMetadata('the trash of a project', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Music');
    const { schema, rowStore, views } = path;
    const table = await schema.createTable(scope, {
      title: 'People',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Title', type: 'SingleLineText' },
        { title: 'Code', type: 'SingleLineText', required: true, unique: true },
      ],
    });
    const idOf = (title: string) => {
      const column = table.columnByTitle.get(title);
      if (column === undefined) throw new Error(`no column ${title}`);
      return column.id;
    };
    const insert = async (values: Readonly<Record<string, unknown>>) =>
      rowStore.create(await schema.open(scope, table.id), values);
    const list = async () =>
      rowStore.list(await schema.open(scope, table.id), { sort: ['Id'] }, { limit: 10, offset: 0 });
    return { ...path, scope, table, idOf, insert, list, views };
  }

  test('gives a column back with its values, its rules, and its place in the views', async () => {
    const { schema, scope, table, idOf, insert, views, dispose } = await start();
    await insert({ Title: 'Ada', Code: 'a' });
    const view = table.defaultView?.id ?? '';
    await views.setColumn(scope, view, idOf('Code'), { width: 333 });
    await views.createSort(scope, view, { columnId: idOf('Code'), direction: 'desc' });
    await schema.deleteColumn(scope, idOf('Code'));
    const later = await views.create(scope, table.id, { title: 'Later', type: 'grid' });

    const [item, ...others] = await schema.trash.list(scope);
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      kind: 'column',
      id: idOf('Code'),
      title: 'Code',
      type: 'SingleLineText',
      table: { id: table.id, title: 'People' },
      own: true,
    });
    const after = await schema.trash.restoreColumn(scope, idOf('Code'));

    expect(after.columnByTitle.get('Code')).toMatchObject({ required: true, unique: true });
    const [first, second] = [view, later.id].map((id) => after.views.find((of) => of.id === id));
    expect(first?.columns.find((place) => place.columnId === idOf('Code'))?.width).toBe(333);
    expect(first?.sorts.map((sort) => sort.columnId)).toEqual([idOf('Code')]);
    expect(second?.columns.map((place) => place.columnId)).toContain(idOf('Code'));
    await expect(insert({ Title: 'Eve', Code: 'a' })).rejects.toBeInstanceOf(Error);
    expect(await schema.trash.list(scope)).toEqual([]);
    await dispose();
  });

  test('gives a column back without the rules that its rows break by now, under a title that is free', async () => {
    const { schema, scope, table, idOf, insert, list, dispose } = await start();
    await insert({ Title: 'Ada', Code: 'a' });
    await schema.deleteColumn(scope, idOf('Code'));
    await insert({ Title: 'Eve' });
    await schema.createColumn(scope, table.id, { title: 'code', type: 'Number' });
    const after = await schema.trash.restoreColumn(scope, idOf('Code'));
    expect(after.columnById.get(idOf('Code'))).toMatchObject({
      title: 'Code1',
      required: false,
      unique: true,
    });
    expect((await list()).map((row) => row['Code1'])).toEqual(['a', null]);
    await dispose();
  });

  test('gives a table back with its rows', async () => {
    const { schema, scope, table, insert, list, dispose } = await start();
    await insert({ Title: 'Ada', Code: 'a' });
    await schema.deleteTable(scope, table.id);
    expect(await schema.trash.list(scope)).toMatchObject([{ kind: 'table', id: table.id, title: 'People' }]);
    await schema.createTable(scope, {
      title: 'People',
      columns: [{ title: 'Title', type: 'SingleLineText' }],
    });
    const restored = await schema.trash.restoreTable(scope, table.id);
    expect(restored.title).toBe('People1');
    expect((await list()).map((row) => row['Title'])).toEqual(['Ada']);
    await dispose();
  });

  test('lists a deleted table and not the columns that were deleted before it', async () => {
    const { schema, scope, table, idOf, dispose } = await start();
    await schema.deleteColumn(scope, idOf('Code'));
    await schema.deleteTable(scope, table.id);
    expect((await schema.trash.list(scope)).map(({ kind }) => kind)).toEqual(['table']);
    await expect(schema.trash.restoreColumn(scope, idOf('Code'))).rejects.toMatchObject({
      code: 'TRASH_TABLE_DELETED',
    });
    await schema.trash.restoreTable(scope, table.id);
    expect((await schema.trash.list(scope)).map(({ kind }) => kind)).toEqual(['column']);
    await dispose();
  });

  test('drops a column and a table for good when it is told to', async () => {
    const { schema, scope, table, idOf, metadata, dispose } = await start();
    await schema.deleteColumn(scope, idOf('Code'));
    await schema.trash.purgeColumn(scope, idOf('Code'));
    const hasColumn = () => metadata.database.schema((changer) => changer.hasColumn(table.tableName, 'code'));
    expect(await hasColumn()).toBe(false);
    await expect(schema.trash.restoreColumn(scope, idOf('Code'))).rejects.toMatchObject({ status: 404 });
    await schema.deleteTable(scope, table.id);
    await schema.trash.purgeTable(scope, table.id);
    expect(await metadata.database.schema((changer) => changer.hasTable(table.tableName))).toBe(false);
    expect(await schema.trash.list(scope)).toEqual([]);
    await dispose();
  });

  test('has nothing of another project, and nothing that is not deleted', async () => {
    const { schema, scope, table, idOf, newProject, dispose } = await start();
    await schema.deleteColumn(scope, idOf('Code'));
    const other = await newProject('Films');
    expect(await schema.trash.list(other)).toEqual([]);
    const missing = { code: 'TRASH_NOT_FOUND', status: 404 };
    await expect(schema.trash.restoreColumn(other, idOf('Code'))).rejects.toMatchObject(missing);
    await expect(schema.trash.purgeColumn(other, idOf('Code'))).rejects.toMatchObject(missing);
    await expect(schema.trash.purgeTable(scope, table.id)).rejects.toMatchObject(missing);
    await dispose();
  });

  test('drops a project with all its tables and values', async () => {
    const database = await open();
    const { schema, access, newProject, rowStore, dispose } = await createDataPath(database);
    const scope = await newProject('Gone');
    const table = await schema.createTable(scope, {
      title: 'Parts',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
      ],
    });
    await rowStore.create(await schema.open(scope, table.id), { Name: 'a secret part' });
    await schema.deleteProject(scope);
    await access.grant(table.projectId, 'us_ann', 'owner');
    const ann = await access.scopeFor(
      { kind: 'user', id: 'us_ann', email: '', accountRoles: ['user'] },
      undefined,
      'test',
    );
    await schema.trash.purgeProject(ann, table.projectId);
    expect(await database.schema((changer) => changer.hasTable(table.tableName))).toBe(false);
    const left = await database.read((unit) =>
      Promise.all([
        unit.all(unit.knex('trellis_project').where({ id: table.projectId })),
        unit.all(unit.knex('trellis_table').where({ project_id: table.projectId })),
        unit.all(unit.knex('trellis_log_entry').where({ table_id: table.id }).whereNotNull('rows')),
      ]),
    );
    expect(left).toEqual([[], [], []]);
    await expect(schema.trash.restoreProject(ann, table.projectId)).rejects.toMatchObject({
      code: 'TRASH_NOT_FOUND',
    });
    await dispose();
  });

  describe('drops a project whose tables are linked', () => {
    type Link = Readonly<Record<'from' | 'to', 'Parts' | 'Makers'>> & { readonly type: 'hm' | 'mm' };
    const cases: Readonly<Record<string, readonly Link[]>> = {
      'by a foreign key': [{ from: 'Parts', to: 'Makers', type: 'hm' }],
      'by a table in between': [{ from: 'Parts', to: 'Makers', type: 'mm' }],
      'to themselves': [
        { from: 'Parts', to: 'Parts', type: 'hm' },
        { from: 'Parts', to: 'Parts', type: 'mm' },
      ],
      'in a circle': [
        { from: 'Parts', to: 'Makers', type: 'hm' },
        { from: 'Makers', to: 'Parts', type: 'hm' },
        { from: 'Parts', to: 'Makers', type: 'mm' },
      ],
    };

    /** A deleted project with these links, and what tells whether anything of it is left. */
    async function deletedWith(links: readonly Link[]) {
      const database = await open();
      const path = await createDataPath(database);
      const { schema, access, rowStore } = path;
      path.columnTypes.register(linkType as never, 'columns-relation');
      const scope = await path.newProject('Linked');
      const make = (title: string) =>
        schema.createTable(scope, {
          title,
          columns: [
            { title: 'Id', type: 'ID' },
            { title: 'Name', type: 'SingleLineText' },
          ],
        });
      const tables = { Parts: await make('Parts'), Makers: await make('Makers') };
      for (const [index, { from, to, type }] of links.entries()) {
        const made = await schema.createColumn(scope, tables[from].id, {
          title: `Link ${String(index)}`,
          type: 'LinkToAnotherRecord',
          meta: { link: { parentId: tables[from].id, childId: tables[to].id, type } },
        });
        const linkId = made.columnByTitle.get(`Link ${String(index)}`)?.linkId ?? '';
        const [near, far] = [await schema.open(scope, from), await schema.open(scope, to)];
        if (index === 0)
          for (const handle of new Set([near, far])) await rowStore.create(handle, { Name: 'one' });
        await rowStore.link(near, { key: '1', linkId, other: '1' });
      }
      const { projectId } = tables.Parts;
      const stored = await database.read((unit) =>
        unit.all<{ table_name: string }>(unit.knex('trellis_table').where({ project_id: projectId })),
      );
      await schema.deleteProject(scope);
      await access.grant(projectId, 'us_ann', 'owner');
      const user = { kind: 'user', id: 'us_ann', email: '', accountRoles: ['user'] } as const;
      const ann = await access.scopeFor(user, undefined, 'test');
      const left = () =>
        database.schema(async (changer) => {
          const found: string[] = [];
          for (const { table_name: name } of stored) if (await changer.hasTable(name)) found.push(name);
          return found;
        });
      const projects = () =>
        database.read((unit) => unit.all(unit.knex('trellis_project').where({ id: projectId })));
      return { ...path, database, ann, table: tables.Parts, projectId, stored, left, projects };
    }

    test.each(Object.entries(cases))('%s', async (_, links) => {
      const { schema, ann, projectId, stored, left, projects, dispose } = await deletedWith(links);
      expect(await left()).toHaveLength(stored.length);
      await schema.trash.purgeProject(ann, projectId);
      expect([await left(), await projects()]).toEqual([[], []]);
      await dispose();
    });

    test('in one night, when its time is over', async () => {
      const { metadata, left, projects, dispose } = await deletedWith(cases['in a circle'] ?? []);
      const done = () => Promise.resolve();
      const forget = { table: done, column: done, goneTable: done, project: done };
      await purgeParked({ metadata, logger: silent, forget }, Date.now() + keptForMs + 60_000);
      expect([await left(), await projects()]).toEqual([[], []]);
      await dispose();
    });

    test('and those who keep something of it are told, though the server ended before it could tell them', async () => {
      const { metadata, projectId, dispose } = await deletedWith([]);
      const done = () => Promise.resolve();
      const told: string[] = [];
      const late = Date.now() + keptForMs + 60_000;
      await new Promise<void>((resolve) => {
        const project = () => {
          resolve();
          return new Promise<never>(() => undefined);
        };
        const forget = { table: done, column: done, goneTable: done, project };
        void purgeParked({ metadata, logger: silent, forget }, late);
      });
      const project = async (id: string) => void told.push(id);
      const forget = { table: done, column: done, goneTable: done, project };
      await purgeParked({ metadata, logger: silent, forget }, late);
      await purgeParked({ metadata, logger: silent, forget }, late);
      expect(told).toEqual([projectId]);
      await dispose();
    });

    test('and of its tables, though the server ended before it could tell of them', async () => {
      const { metadata, table, projectId, dispose } = await deletedWith([]);
      const done = () => Promise.resolve();
      const told: unknown[] = [];
      const late = Date.now() + keptForMs + 60_000;
      await new Promise<void>((resolve) => {
        const goneTable = () => {
          resolve();
          return new Promise<never>(() => undefined);
        };
        const forget = { table: done, column: done, goneTable, project: done };
        void purgeParked({ metadata, logger: silent, forget }, late);
      });
      const goneTable = async (of: unknown) => void told.push(of);
      const forget = { table: done, column: done, goneTable, project: done };
      await purgeParked({ metadata, logger: silent, forget }, late);
      expect(told).toContainEqual({ projectId, tableId: table.id });
      const before = told.length;
      await purgeParked({ metadata, logger: silent, forget }, late);
      expect(told).toHaveLength(before);
      await dispose();
    });

    test('and all others are told of, though one cannot be forgotten yet', async () => {
      const { metadata, projectId, stored, dispose } = await deletedWith(cases['in a circle'] ?? []);
      const late = Date.now() + keptForMs + 60_000;
      const told: string[] = [];
      let refused: (id: string) => boolean = () => true;
      const tell = async (id: string) => {
        if (refused(id)) throw new Error('in use');
        told.push(id);
      };
      const done = () => Promise.resolve();
      const forget = {
        table: tell,
        column: done,
        goneTable: done,
        project: tell,
      };
      const purge = () => purgeParked({ metadata, logger: silent, forget }, late);
      await expect(purge()).rejects.toThrow('in use');
      let first: string | undefined;
      refused = (id) => id === (first ??= id);
      await expect(purge()).rejects.toThrow('in use');
      expect([told.length, told.at(-1)]).toEqual([stored.length, projectId]);
      refused = () => false;
      await purge();
      expect(told.slice(stored.length)).toEqual([first]);
      await dispose();
    });

    test('and one that could not be dropped when somebody asked before', async () => {
      const { schema, database, ann, table, projectId, left, projects, dispose } = await deletedWith(
        cases['by a foreign key'] ?? [],
      );
      const [id] = table.primaryKey;
      const references = [id?.columnName ?? ''];
      const key = { name: 'in_the_way', columns: ['of_part'], table: table.tableName, references };
      await database.schema((changer) =>
        changer.createTable({
          name: 'held_by_nobody',
          columns: [{ name: 'of_part', kind: id?.storage ?? 'integer' }],
          foreignKeys: [key],
        }),
      );
      await expect(schema.trash.purgeProject(ann, projectId)).rejects.toBeInstanceOf(Error);
      await database.schema((changer) => changer.dropTable('held_by_nobody'));
      await schema.trash.purgeProject(ann, projectId);
      expect([await left(), await projects()]).toEqual([[], []]);
      await dispose();
    });
  });
});
