import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { AccessScope } from '@trellis/sdk/server';
import { openDatabase } from '../../host-server/databases/index.ts';
import { untilFree } from '../../host-server/databases/testing/until-free.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { number } from '../../plugins/columns-basic/shared/index.ts';
import { createDataPath } from './data-path.ts';

const people = {
  title: 'People',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Title', type: 'SingleLineText' },
    { title: 'Points', type: 'SingleLineText' },
  ],
};

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

async function rowsOf({ rowStore, handleOf }: DataPath, scope: AccessScope, tableId: string) {
  const rows = await rowStore.list(await handleOf(scope, tableId), {}, { limit: 25, offset: 0 });
  // Bigint of PostgreSQL arrives as text.
  return rows.map((row) => [row.Title, Number(row.Points)]);
}

describeEachMetadata('a row that is written while a column changes', (open, dialect) => {
  const closing: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  /** A server, and what it shall do once when a schema change comes to a point. */
  async function startServer(
    database: Parameters<typeof createDataPath>[0],
    options: { readonly sqliteFolder?: string } = {},
  ) {
    const meanwhile = new Map<string, () => Promise<unknown>>();
    const path = await createDataPath(database, {
      ...options,
      async reach(point) {
        const work = meanwhile.get(point);
        meanwhile.delete(point);
        await work?.();
      },
    });
    closing.push(() => path.dispose());
    return { path, at: (point: string, work: () => Promise<unknown>) => void meanwhile.set(point, work) };
  }

  async function startTable() {
    const database = await open();
    const { path, at } = await startServer(database);
    const scope = await path.newProject('Shared');
    const table = await path.schema.createTable(scope, people);
    await path.rowStore.createMany(await path.handleOf(scope, table.id), [
      { Title: 'Ada', Points: '1' },
      { Title: 'Bob', Points: '2' },
    ]);
    return { database, path, at, scope, table, points: table.columnByTitle.get('Points')?.id ?? '' };
  }

  const points = [
    'retypeColumn.intent',
    'retypeColumn.added',
    'retypeColumn.converted',
    'retypeColumn.applied',
  ];

  test.each(points)('keeps its value when the type changes, written at %s', async (point) => {
    const { path, at, scope, table, points: columnId } = await startTable();
    at(point, async () => {
      await path.rowStore.create(await path.handleOf(scope, table.id), { Title: 'Eve', Points: '3' });
      await path.rowStore.update(await path.handleOf(scope, table.id), '1', { Points: '10' });
    });
    await path.schema.updateColumn(scope, columnId, { type: 'Number' });
    expect(await rowsOf(path, scope, table.id)).toEqual([
      ['Ada', 10],
      ['Bob', 2],
      ['Eve', 3],
    ]);
  });

  test('is looked at alone by the last transaction, and not with all rows of the table', async () => {
    const { path, at, scope, table, points: columnId } = await startTable();
    let converted = 0;
    path.columnTypes.register(
      {
        ...number,
        id: 'Counted',
        parse(input, context) {
          converted += 1;
          return number.parse(input, context);
        },
      },
      'counter',
    );
    const handle = () => path.handleOf(scope, table.id);
    const rows = Array.from({ length: 1500 }, (_, index) => ({ Title: 'Eve', Points: String(index) }));
    await path.rowStore.createMany(await handle(), rows);
    at('retypeColumn.applied', async () => {
      await path.rowStore.update(await handle(), '1', { Points: '10' });
      converted = 0;
    });
    await path.schema.updateColumn(scope, columnId, { type: 'Counted' });
    expect(converted).toBeLessThan(10);
    expect((await rowsOf(path, scope, table.id))[0]).toEqual(['Ada', 10]);
  });

  test('is shown to a new type that is asked about values, also when it is written while the type is asked', async () => {
    const { path, at, scope, table, points: columnId } = await startTable();
    const update = async (key: string, Points: string) =>
      path.rowStore.update(await path.handleOf(scope, table.id), key, { Points });
    const asked: unknown[] = [];
    let meanwhile: (() => Promise<unknown>) | undefined;
    path.columnTypes.register(
      {
        ...number,
        id: 'Asked',
        server: {
          async adopt(values, { projectId, principalId, isTrial }) {
            expect([projectId, principalId]).toEqual([scope.projectId, scope.principal.id]);
            asked.push(...(isTrial ? [] : values));
            const work = meanwhile;
            meanwhile = undefined;
            await work?.();
            return values.map((value) => ({ value: Number(value) + 100, lost: false }));
          },
        },
      },
      'asker',
    );
    at('retypeColumn.applied', async () => {
      await update('1', '10');
      meanwhile = () => update('2', '20');
    });
    await path.schema.updateColumn(scope, columnId, { type: 'Asked' });
    expect(asked).toEqual([1, 2, 10, 20]);
    expect(await rowsOf(path, scope, table.id)).toEqual([
      ['Ada', 110],
      ['Bob', 120],
    ]);
  });

  test('is found by a key of several columns, in a table of more values than the answers of a type are kept for', async () => {
    const { path, at } = await startServer(await open());
    const scope = await path.newProject('Hotels');
    const table = await path.schema.createTable(scope, {
      title: 'Stays',
      columns: [
        { title: 'Hotel', type: 'SingleLineText', primaryKey: true },
        { title: 'Room', type: 'Number', primaryKey: true },
        { title: 'Points', type: 'SingleLineText' },
      ],
    });
    const handle = () => path.handleOf(scope, table.id);
    // What is kept does not differ by database, what the rows are found by does.
    const last = dialect === 'sqlite' ? 20_499 : 499;
    const all = Array.from({ length: last + 1 }, (_, room) => ({
      Hotel: 'a___b_',
      Room: room,
      Points: String(room),
    }));
    for (let from = 0; from < all.length; from += 5000)
      await path.rowStore.createMany(await handle(), all.slice(from, from + 5000));
    path.columnTypes.register(
      {
        ...number,
        id: 'Asked',
        server: {
          adopt: (values) =>
            Promise.resolve(values.map((value) => ({ value: Number(value) + 1, lost: false }))),
        },
      },
      'asker',
    );
    at('retypeColumn.applied', async () => {
      await path.rowStore.updateMany(await handle(), [
        { Hotel: 'a___b_', Room: 0, Points: '50000' },
        { Hotel: 'a___b_', Room: last, Points: '60000' },
      ]);
    });
    await path.schema.updateColumn(scope, table.columnByTitle.get('Points')?.id ?? '', { type: 'Asked' });
    const count = async (where: string) => path.rowStore.count(await handle(), { where });
    expect(await count('(Points,eq,50001)')).toBe(1);
    expect(await count('(Points,eq,60001)')).toBe(1);
    expect(await count('(Points,eq,2)')).toBe(1);
    expect(await count('(Points,gte,1)')).toBe(all.length);
  });

  test('is brought up to date with all others when there are too many for the last transaction', async () => {
    const { path, at, scope, table, points: columnId } = await startTable();
    const handle = () => path.handleOf(scope, table.id);
    const rows = Array.from({ length: 1100 }, (_, index) => ({ Title: 'Eve', Points: String(index) }));
    at('retypeColumn.applied', async () => {
      await path.rowStore.createMany(await handle(), rows);
      await path.rowStore.update(await handle(), '2', { Points: '20' });
    });
    await path.schema.updateColumn(scope, columnId, { type: 'Number' });
    const isRight = { where: '(Points,gte,0)' };
    expect(await path.rowStore.count(await handle(), isRight)).toBe(1102);
    expect((await rowsOf(path, scope, table.id))[1]).toEqual(['Bob', 20]);
  });

  test('stays as it is when the change of its column is cancelled on the way', async () => {
    const { path, at, scope, table, points: columnId } = await startTable();
    let shown: unknown;
    const running = async () => (await path.tasks.list(scope)).find(({ state }) => state === 'running');
    at('retypeColumn.added', async () => {
      shown = await path.tasks.cancel(scope, (await running())?.id ?? '');
    });
    const change = path.schema.updateColumn(scope, columnId, { type: 'Number' });
    await expect(change).rejects.toMatchObject({ code: 'TASK_CANCELLED' });
    expect(shown).toMatchObject({ is_cancelling: true, is_cancellable: true });
    expect(await path.tasks.list(scope)).toContainEqual(expect.objectContaining({ state: 'cancelled' }));
    expect((await path.schema.table(scope, table.id)).columnByTitle.get('Points')?.type).toBe(
      'SingleLineText',
    );
    expect(await rowsOf(path, scope, table.id)).toEqual([
      ['Ada', 1],
      ['Bob', 2],
    ]);
    // Nothing of the cancelled change is in the way of the next one.
    let progress: unknown;
    at('retypeColumn.converted', async () => {
      progress = (await running())?.progress;
    });
    await path.schema.updateColumn(scope, columnId, { type: 'Number' });
    expect(progress).toMatchObject({ done: 2, total: 2 });
  });

  test('waits for a column that demands values before it is there to be written', async () => {
    const { path, at, scope, table, points: columnId } = await startTable();
    let writing: Promise<unknown> | undefined;
    at('retypeColumn.applied', async () => {
      writing = path.rowStore.create(await path.handleOf(scope, table.id), { Title: 'Eve', Points: '3' });
      return Promise.resolve();
    });
    await path.schema.updateColumn(scope, columnId, { type: 'Number', required: true });
    await writing;
    expect(await rowsOf(path, scope, table.id)).toContainEqual(['Eve', 3]);
  });

  test('keeps its value on an existing database too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const file = await openDatabase(
      { kind: 'sqlite', file: join(folder, 'shop.db'), create: true },
      { name: 'shop' },
    );
    const statements = [
      'create table people (id integer primary key, title text, points text)',
      "insert into people values (1, 'Ada', '1')",
    ];
    for (const sql of statements) await file.write((unit) => unit.run({ sql, bindings: [] }));
    await file.close();
    const { path, at } = await startServer(await open(), { sqliteFolder: folder });
    const project = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external: { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } },
    });
    const scope = path.access.systemScope(project.id, 'test');
    const table = await path.schema.table(scope, 'People');
    const [title, column] = ['title', 'points'].map((name) => table.columnByName.get(name));
    const written = (points_: string) => ({ [title?.title ?? '']: 'Eve', [column?.title ?? '']: points_ });
    at('replaceColumn.applied', async () =>
      path.rowStore.create(await path.handleOf(scope, table.id), written('3')),
    );
    await path.schema.updateColumn(scope, column?.id ?? '', { type: 'Number', meta: { acceptLoss: true } });
    const rows = await path.rowStore.list(await path.handleOf(scope, table.id), {}, { limit: 25, offset: 0 });
    expect(rows.map((row) => row[column?.title ?? ''])).toEqual([1, 3]);
  });

  test('is written by the new schema on a server that has not heard of it', async () => {
    const { database, path, scope, table, points: columnId } = await startTable();
    const { path: other } = await startServer(database);
    expect(await rowsOf(other, scope, table.id)).toHaveLength(2);
    await path.schema.updateColumn(scope, columnId, { type: 'Number' });
    await other.rowStore.create(await other.handleOf(scope, table.id), { Title: 'Eve', Points: '3' });
    await other.rowStore.updateMany(await other.handleOf(scope, table.id), [{ Id: 1, Points: '10' }]);
    expect(await rowsOf(path, scope, table.id)).toEqual([
      ['Ada', 10],
      ['Bob', 2],
      ['Eve', 3],
    ]);
    await expect(
      other.rowStore.create(await other.handleOf(scope, table.id), { Title: 'Mia', Points: 'x' }),
    ).rejects.toMatchObject({
      code: 'VALUE_REFUSED',
    });
  });

  test('is not refused because somebody changes a view', async () => {
    const { path, scope, table } = await startTable();
    const [view] = table.views;
    const writes = Array.from({ length: 20 }, async (_, index) => {
      const handle = await path.handleOf(scope, table.id);
      return untilFree(() => path.rowStore.create(handle, { Title: `Row ${index}` }));
    });
    const changes = Array.from({ length: 10 }, (_, index) =>
      untilFree(() => path.views.update(scope, view?.id ?? '', { title: `View ${index}` })),
    );
    await Promise.all([...writes, ...changes]);
    expect(await rowsOf(path, scope, table.id)).toHaveLength(22);
  });
});
