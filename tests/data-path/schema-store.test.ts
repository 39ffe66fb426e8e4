import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { keptForMs } from '../../host-server/schema/jobs/parked-times.ts';
import { purgeParked } from '../../host-server/schema/jobs/purge.ts';
import { createDataPath, expireLeases, silent } from './data-path.ts';

const people = {
  title: 'People',
  tableName: 'people',
  columns: [
    { title: 'Id', columnName: 'id', type: 'ID' },
    { title: 'Title', columnName: 'title', type: 'SingleLineText', precision: '45' },
    { title: 'Age', type: 'Number' },
    { title: 'CreatedAt', columnName: 'created_at', type: 'DateTime', defaultValue: 'CURRENT_TIMESTAMP' },
  ],
};

describeEachMetadata('the schema store', (open) => {
  async function start() {
    const database = await open();
    const path = await createDataPath(database);
    const scope = await path.newProject('Music');
    const table = await path.schema.createTable(scope, people);
    const base = { id: table.baseId, own: true };
    const insert = async (rows: readonly object[]) => {
      for (const row of rows)
        await database.write((unit) => unit.run(unit.knex(table.tableName).insert(row)));
    };
    const values = async (column: string, of = table.tableName) => {
      const rows = await database.read((unit) =>
        unit.all<Record<string, unknown>>(unit.knex(of).select(column).orderBy('id')),
      );
      return rows.map((row) => row[column]);
    };
    return { database, ...path, scope, table, base, insert, values };
  }

  test('makes a table with its default view, its key and the column that names a row', async () => {
    const { table, schema, scope, dispose } = await start();
    expect(table.title).toBe('People');
    expect(table.tableName).toMatch(/^nc_[0-9a-z]{4}__people$/);
    expect(table.primaryKey.map((column) => column.title)).toEqual(['Id']);
    expect(table.displayColumn?.title).toBe('Title');
    expect(table.columns.map(({ title, columnName }) => [title, columnName])).toEqual([
      ['Id', 'id'],
      ['Title', 'title'],
      ['Age', 'age'],
      ['CreatedAt', 'created_at'],
    ]);
    expect(table.views.map(({ title, isDefault }) => [title, isDefault])).toEqual([['People', true]]);
    const shown = table.defaultView?.columns.filter((column) => column.show);
    expect(shown?.map((column) => table.columnById.get(column.columnId)?.title)).toEqual(['Title', 'Age']);
    expect((await schema.snapshot(scope)).table('People')?.id).toBe(table.id);
    await dispose();
  });

  test('tells plugins of a project that was made and of one that was deleted', async () => {
    const { schema, hooks, access, dispose } = await start();
    const made = new Promise<string>((resolve) => {
      hooks.tap('test', 'projects.didCreate', ({ project }) => resolve(project.title));
    });
    const deleted = new Promise<string>((resolve) => {
      hooks.tap('test', 'projects.didDelete', ({ projectId }) => resolve(projectId));
    });
    const { id } = await schema.createProject(access.systemScope(undefined, 'test'), { title: 'Films' });
    expect(await made).toBe('Films');
    await schema.deleteProject(access.systemScope(id, 'test'));
    expect(await deleted).toBe(id);
    await dispose();
  });

  test('deletes a project once where two ask for it at the same moment, and tells the other that it is gone', async () => {
    const { schema, hooks, access, dispose } = await start();
    const told: string[] = [];
    hooks.tap('test', 'projects.didDelete', ({ projectId }) => void told.push(projectId));
    const { id } = await schema.createProject(access.systemScope(undefined, 'test'), { title: 'Films' });
    const deleteIt = () => schema.deleteProject(access.systemScope(id, 'test'));
    const outcomes = await Promise.allSettled([deleteIt(), deleteIt()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'PROJECT_NOT_FOUND' }),
    });
    expect(told).toEqual([id]);
    await dispose();
  });

  test('refuses names by the rules of the product and says which rule', async () => {
    const { schema, scope, dispose } = await start();
    const create = (title: string) => schema.createTable(scope, { ...people, title });
    await expect(create('')).rejects.toThrow('Table name required');
    await expect(create(' People 2')).rejects.toThrow('whitespace');
    await expect(create('people')).rejects.toThrow('Duplicate table alias');
    await expect(create('a.b')).rejects.toThrow('Following characters are not allowed');
    await expect(
      schema.createTable(scope, {
        title: 'Hostile',
        columns: [{ title: 'A', type: 'SingleLineText', nativeType: 'varchar); drop table x' }],
      }),
    ).rejects.toMatchObject({ status: 400 });
    await expect(
      schema.createTable(scope, { title: 'X', columns: [{ title: 'A', type: 'constructor' }] }),
    ).rejects.toThrow('UI Datatype not found');
    await dispose();
  });

  test('keeps hostile titles as titles: the physical names stay plain', async () => {
    const { schema, scope, dispose } = await start();
    const titles = [
      'select',
      '__proto__',
      'čtvrtek 🙂',
      '"; drop table x; --',
      '?',
      'a as b',
      'x'.repeat(200),
    ];
    const table = await schema.createTable(scope, {
      title: 'Hostile',
      columns: titles.map((title) => ({ title, type: 'SingleLineText' })),
    });
    expect(table.columns.slice(1).map((column) => column.title)).toEqual(titles);
    for (const column of table.columns) expect(column.columnName).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
    await dispose();
  });

  test('adds a column to the table and to the end of every view', async () => {
    const { schema, scope, table, insert, values, dispose } = await start();
    await insert([{ title: 'Ada' }]);
    const after = await schema.createColumn(scope, table.id, {
      title: 'Points',
      type: 'Number',
      required: true,
      defaultValue: '3',
    });
    expect(after.columns.at(-1)?.title).toBe('Points');
    expect((await values('points')).map(Number)).toEqual([3]);
    expect(after.defaultView?.columns.at(-1)?.columnId).toBe(after.columns.at(-1)?.id);
    await expect(
      schema.createColumn(scope, table.id, { title: 'Must', type: 'SingleLineText', required: true }),
    ).rejects.toMatchObject({ code: 'COLUMN_NEEDS_DEFAULT', params: { count: 1 } });
    await dispose();
  });

  test('duplicates a column with its values and without its rules, also while its title is taken', async () => {
    const { schema, scope, table, insert, values, dispose } = await start();
    const made = await schema.createColumn(scope, table.id, {
      title: 'Price',
      type: 'Decimal',
      precision: '10',
      scale: '4',
      defaultValue: '1.5',
      unique: true,
      meta: { precision: 1 },
    });
    const price = made.columnByTitle.get('Price');
    const name = price?.columnName ?? '';
    await insert([{ [name]: '12.3456' }, { [name]: null }, { title: ' kept as it is ' }]);

    await schema.duplicateColumn(scope, price?.id ?? '');
    const after = await schema.duplicateColumn(scope, price?.id ?? '');
    const copy = after.columnByTitle.get('Price copy 2');
    expect(copy).toMatchObject({
      type: 'Decimal',
      scale: '4',
      required: false,
      unique: false,
      meta: { precision: 1 },
    });
    const numbers = await values(copy?.columnName ?? '');
    expect(numbers.map((value) => (value === null ? null : Number(value)))).toEqual([12.3456, null, 1.5]);

    const id = table.columnByTitle.get('Title')?.id ?? '';
    const named = await schema.duplicateColumn(scope, id, { title: 'Second title' });
    const second = named.columnByTitle.get('Second title');
    expect(await values(second?.columnName ?? '')).toEqual([null, null, ' kept as it is ']);
    await dispose();
  });

  test('says which views and columns a column is used by', async () => {
    const { schema, scope, table, views, dispose } = await start();
    const id = table.columnByTitle.get('Age')?.id ?? '';
    const sorted = await views.create(scope, table.id, { title: 'By age', type: 'grid' });
    await views.createSort(scope, sorted.id, { columnId: id, direction: 'asc' });
    const filtered = await views.create(scope, table.id, { title: 'Grown up', type: 'grid' });
    await views.setFilters(scope, filtered.id, [
      { isGroup: true, children: [{ columnId: id, operator: 'gt', value: '17' }] },
    ]);
    const grouped = await views.create(scope, table.id, { title: 'Ages', type: 'grid' });
    await views.update(scope, grouped.id, { meta: { groups: [{ columnId: id }] } });
    expect(await schema.columnUses(scope, id)).toEqual({
      views: [
        { id: sorted.id, title: 'By age', filters: false, sorts: true, options: false },
        { id: filtered.id, title: 'Grown up', filters: true, sorts: false, options: false },
        { id: grouped.id, title: 'Ages', filters: false, sorts: false, options: true },
      ],
      columns: [],
      namesRows: false,
    });
    const title = table.columnByTitle.get('Title')?.id ?? '';
    expect(await schema.columnUses(scope, title)).toEqual({ views: [], columns: [], namesRows: true });
    expect(await schema.tableUses(scope, table.id)).toEqual({ links: [] });
    await dispose();
  });

  test('renames by metadata alone', async () => {
    const { schema, scope, table, dispose } = await start();
    const column = table.columnByTitle.get('Age');
    const after = await schema.updateColumn(scope, column?.id ?? '', { title: 'Years' });
    expect(after.columnByTitle.get('Years')?.columnName).toBe('age');
    expect((await schema.updateTable(scope, table.id, { title: 'Persons' })).tableName).toBe(table.tableName);
    await dispose();
  });

  test('converts values when the type changes, and keeps the old ones', async () => {
    const { database, schema, scope, table, insert, values, dispose } = await start();
    await insert([{ title: '12' }, { title: ' 1,234 ' }, { title: null }, { title: '' }]);
    const id = table.columnByTitle.get('Title')?.id ?? '';
    const after = await schema.updateColumn(scope, id, { type: 'Number' });
    const column = after.columnById.get(id);
    expect(column?.type).toBe('Number');
    expect(
      (await values(column?.columnName ?? '')).map((value) => (value === null ? null : Number(value))),
    ).toEqual([12, 1234, null, null]);
    expect(await values('title')).toEqual(['12', ' 1,234 ', null, '']);
    const parked = await database.read((unit) =>
      unit.all(
        unit.knex('trellis_column').where({ table_id: table.id }).whereNotNull('parked_at').select('title'),
      ),
    );
    expect(parked.map((row) => ({ ...row }))).toEqual([{ title: 'Title (old)' }]);
    await dispose();
  });

  test('says what a type change would lose before anything is lost', async () => {
    const { schema, scope, table, insert, values, dispose } = await start();
    await insert([{ title: 'twelve' }, { title: '3' }]);
    const id = table.columnByTitle.get('Title')?.id ?? '';
    await expect(schema.updateColumn(scope, id, { type: 'Number' })).rejects.toMatchObject({
      code: 'RETYPE_LOSES_VALUES',
      params: { lost: 1, total: 2, samples: ['twelve'] },
    });
    const after = await schema.updateColumn(scope, id, { type: 'Number', meta: { acceptLoss: true } });
    const column = after.columnById.get(id);
    expect(
      (await values(column?.columnName ?? '')).map((value) => (value === null ? null : Number(value))),
    ).toEqual([null, 3]);
    expect(column?.meta).toBeUndefined();
    await dispose();
  });

  test('changes the label of a type in place where the storage stays', async () => {
    const { schema, scope, table, dispose } = await start();
    const id = table.columnByTitle.get('Title')?.id ?? '';
    const after = await schema.updateColumn(scope, id, { required: true, title: 'Name' });
    expect(after.columnById.get(id)).toMatchObject({ required: true, title: 'Name', columnName: 'title' });
    await dispose();
  });

  test('parks a deleted column: hidden at once, its values still there, and its name free', async () => {
    const { schema, scope, table, insert, values, dispose } = await start();
    await insert([{ title: 'Ada', age: 36 }]);
    await schema.deleteColumn(scope, table.columnByTitle.get('Age')?.id ?? '');
    expect((await values('age')).map(Number)).toEqual([36]);
    const after = await schema.createColumn(scope, table.id, { title: 'Age', type: 'Number' });
    expect(after.columnByTitle.get('Age')?.columnName).toBe('age_2');
    await expect(schema.deleteColumn(scope, table.columnByTitle.get('Id')?.id ?? '')).rejects.toMatchObject({
      code: 'KEY_COLUMN',
    });
    await dispose();
  });

  test('parks a deleted table and frees its title', async () => {
    const { schema, scope, table, insert, values, dispose } = await start();
    await insert([{ title: 'Ada' }]);
    await schema.deleteTable(scope, table.id);
    await expect(schema.table(scope, table.id)).rejects.toThrow('Table not found');
    const again = await schema.createTable(scope, people);
    expect(again.tableName).not.toBe(table.tableName);
    expect(await values('title')).toEqual(['Ada']);
    await dispose();
  });

  test('drops what was parked only after 30 days, and nothing else', async () => {
    const { database, metadata, forget, schema, scope, table, insert, dispose } = await start();
    await insert([{ title: 'Ada', age: 36 }]);
    const other = await schema.createTable(scope, { ...people, title: 'Other', tableName: 'other' });
    await schema.deleteColumn(scope, table.columnByTitle.get('Age')?.id ?? '');
    await schema.deleteTable(scope, other.id);
    const has = (name: string, column: string) =>
      database.schema((changer) => changer.hasColumn(name, column));

    await purgeParked({ metadata, logger: silent, forget }, Date.now() + keptForMs - 60_000);
    expect([await has(table.tableName, 'age'), await has(other.tableName, 'title')]).toEqual([true, true]);

    await purgeParked({ metadata, logger: silent, forget }, Date.now() + keptForMs + 60_000);
    expect([await has(table.tableName, 'age'), await has(other.tableName, 'title')]).toEqual([false, false]);
    const rows = await database.read((unit) => unit.all(unit.knex(table.tableName).select('title')));
    expect(rows.map((row) => ({ ...row }))).toEqual([{ title: 'Ada' }]);
    expect((await schema.table(scope, table.id)).columnByTitle.has('Age')).toBe(false);
    await dispose();
  });

  test('tells all who come by one link the same snapshot, until the schema, their rights or a type of views is another', async () => {
    const { schema, access, scope, table, scopeRules, viewTypes, dispose } = await start();
    const age = table.columnByTitle.get('Age')?.id ?? '';
    let hidden = new Set([age]);
    scopeRules.register(
      {
        id: 'link',
        async narrow({ principal }) {
          if (principal.kind !== 'sharedBase') return undefined;
          const readable = new Set(table.columns.map(({ id }) => id).filter((id) => !hidden.has(id)));
          return { permissions: new Set(['projectGet']), columns: new Map([[table.id, { readable }]]) };
        },
      },
      'test',
    );
    const visitor = {
      kind: 'sharedBase',
      id: '',
      email: '',
      accountRoles: [],
      credentialId: 'link-1',
      scopeRules: ['link'],
    } as const;
    const told = async () =>
      schema.snapshot(await access.scopeFor(visitor, table.projectId, `${Math.random()}`));
    const titles = (of: Awaited<ReturnType<typeof told>>) => [
      ...(of.tables.get(table.id)?.columnByTitle.keys() ?? []),
    ];
    const first = await told();
    expect(titles(first)).not.toContain('Age');
    expect(await told()).toBe(first);
    viewTypes.register({ id: 'map', label: 'Map' }, 'test');
    const second = await told();
    expect(second).not.toBe(first);
    hidden = new Set();
    await access.didChangeRules();
    const third = await told();
    expect(titles(third)).toContain('Age');
    await schema.updateTable(scope, table.id, { title: 'Persons' });
    expect((await told()).tables.get(table.id)?.title).toBe('Persons');
    await dispose();
  });

  test('lets one of two simultaneous creations of the same name win', async () => {
    const { schema, scope, dispose } = await start();
    const outcomes = await Promise.allSettled([
      schema.createTable(scope, { ...people, title: 'Twins', tableName: 'twins' }),
      schema.createTable(scope, { ...people, title: 'Twins', tableName: 'twins' }),
    ]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    await dispose();
  });

  test('finishes a column that was cut off between the database and the metadata', async () => {
    const database = await open();
    let cut = false;
    const path = await createDataPath(database, {
      reach: (point) =>
        cut && point === 'createColumn.applied' ? new Promise<void>(() => undefined) : Promise.resolve(),
    });
    const scope = await path.newProject('Cut');
    const table = await path.schema.createTable(scope, people);
    cut = true;
    void path.schema.createColumn(scope, table.id, { title: 'Late', type: 'Number' });
    const running = async () =>
      database.read((unit) => unit.first(unit.knex('trellis_task').where({ state: 'running' }).select('id')));
    while ((await running()) === undefined) await new Promise((resolve) => setImmediate(resolve));
    // The former process is gone: its lease has run out.
    await expireLeases(database);
    const next = await createDataPath(database);
    await next.schema.resumeJobs();
    const after = await next.schema.table(scope, table.id);
    expect(after.columnByTitle.get('Late')?.columnName).toBe('late');
    await next.dispose();
    await path.dispose();
  });
});
