import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { RowQuery, RowStore, TableHandle } from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { openDatabase } from '../../host-server/databases/index.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

/** Mixed case, so that the order of the product is none that a database has by itself. */
const names = ['alpha', 'Beta', 'ALPHA', 'beta', 'éclair', 'Zed', '_', ''];
const codeOf = (index: number) => `${names[index % names.length] ?? ''}${(index * 7919) % 100_003}`;

const counted = {
  title: 'Counted',
  columns: [
    { title: 'Id', columnName: 'id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'People', type: 'Number' },
  ],
};
const named = {
  title: 'Named',
  columns: [
    { title: 'Code', type: 'SingleLineText', primaryKey: true, required: true },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'People', type: 'Number' },
  ],
};
const priced = {
  title: 'Priced',
  columns: [
    { title: 'Price', type: 'Decimal', primaryKey: true, required: true },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'People', type: 'Number' },
  ],
};
const paired = {
  title: 'Paired',
  columns: [
    { title: 'Code', type: 'SingleLineText', primaryKey: true, required: true },
    { title: 'Room', type: 'Number', primaryKey: true, required: true },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'People', type: 'Number' },
  ],
};
const tables = [
  { input: counted, key: () => ({}) },
  { input: named, key: (index: number) => ({ Code: codeOf(index) }) },
  { input: priced, key: (index: number) => ({ Price: `${(index % 90) - 40}.${index}5` }) },
  { input: paired, key: (index: number) => ({ Code: codeOf(index % 50), Room: index }) },
] as const;

function rowsFrom(first: number, count: number, key: (index: number) => Row): Row[] {
  return Array.from({ length: count }, (_, at) => {
    const index = first + at;
    return { ...key(index), Name: index % 9 === 8 ? null : (names[index % 9] ?? null), People: index % 13 };
  });
}

const wheres = [undefined, '(People,gt,3)', '(Name,like,a)', '(Name,null)~or(People,lt,2)'];
const orders = [undefined, ['Name'], ['-Name', 'People'], ['-People']];
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('page' as const),
      offset: fc.oneof(fc.nat(1300), fc.constantFrom(1000, 1001, 1100)),
      limit: fc.integer({ min: 1, max: 200 }),
      where: fc.constantFrom(...wheres),
      sort: fc.constantFrom(...orders),
    }),
  },
  fc.record({ do: fc.constant('create' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('delete' as const), at: fc.nat(1300) }),
  fc.record({ do: fc.constant('change' as const), at: fc.nat(1300), people: fc.nat(13) }),
);

/** The whole list in one page: at offset 0 nothing is skipped and nothing remembered is used. */
function whole(rowStore: RowStore, handle: TableHandle, query: RowQuery) {
  return rowStore.list(handle, query, { limit: 100_000, offset: 0 });
}

describeEachMetadata('pages', (open) => {
  for (const { input, key } of tables) {
    test(`of '${input.title}' are slices of the whole list, whatever was read and written before`, async () => {
      const path = await createDataPath(await open());
      const scope = await path.newProject('Atlas');
      const table = await path.schema.createTable(scope, input);
      const { rowStore, handleOf } = path;
      let made = 1250;
      await rowStore.createMany(await handleOf(scope, table.id), rowsFrom(0, made, key));

      async function rowAt(at: number) {
        const [row] = await rowStore.list(await handleOf(scope, table.id), {}, { limit: 1, offset: at });
        return (row && rowStore.keyOf(table, row)) ?? '';
      }

      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          for (const of of steps) {
            if (of.do === 'create') {
              await rowStore.createMany(await handleOf(scope, table.id), rowsFrom(made, of.count, key));
              made += of.count;
            } else if (of.do === 'delete') {
              await rowStore.delete(await handleOf(scope, table.id), await rowAt(of.at));
            } else if (of.do === 'change') {
              await rowStore.update(await handleOf(scope, table.id), await rowAt(of.at), {
                People: of.people,
              });
            } else {
              const { where, sort, limit, offset } = of;
              const all = await whole(rowStore, await handleOf(scope, table.id), { where, sort });
              const page = await rowStore.list(
                await handleOf(scope, table.id),
                { where, sort },
                { limit, offset },
              );
              expect(page).toEqual(all.slice(offset, offset + limit));
              expect(await rowStore.count(await handleOf(scope, table.id), { where, sort })).toBe(all.length);
            }
          }
        }),
        { numRuns: 12, seed: 3 },
      );
      await path.dispose();
    });

    test(`of '${input.title}' join to the whole list for any size of page, forwards and backwards`, async () => {
      const path = await createDataPath(await open());
      const scope = await path.newProject('Atlas');
      const table = await path.schema.createTable(scope, input);
      const { rowStore, handleOf } = path;
      await rowStore.createMany(await handleOf(scope, table.id), rowsFrom(0, 1250, key));
      for (const [limit, query] of [
        [97, {}],
        [250, { sort: ['-Name'] }],
        [101, { where: '(People,gt,3)' }],
      ] as const) {
        const all = await whole(rowStore, await handleOf(scope, table.id), query);
        const offsets = Array.from(
          { length: Math.ceil(all.length / limit) + 1 },
          (_, index) => index * limit,
        );
        for (const order of [offsets, offsets.toReversed(), offsets]) {
          const pages = new Map<number, readonly Row[]>();
          for (const offset of order)
            pages.set(offset, await rowStore.list(await handleOf(scope, table.id), query, { limit, offset }));
          expect(offsets.flatMap((offset) => pages.get(offset) ?? [])).toEqual(all);
        }
        expect(new Set(all.map((row) => rowStore.keyOf(table, row))).size).toBe(all.length);
      }
      await path.dispose();
    });
  }
});

describe('pages of tables with one name in two external databases', () => {
  test('do not take the places of rows in one for those in the other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    async function makeFile(file: string, firstId: number) {
      const database = await openDatabase(
        { kind: 'sqlite', file: join(folder, file), create: true },
        { name: file },
      );
      await database.schema((changer) =>
        changer.createTable({
          name: 'people',
          columns: [{ name: 'id', kind: 'integer', nullable: false }],
          primaryKey: ['id'],
        }),
      );
      const ids = Array.from({ length: 50 }, (_, index) => ({ id: firstId + index }));
      await database.write((unit) => unit.run(unit.knex('people').insert(ids)));
      await database.close();
    }
    await makeFile('low.db', 1);
    await makeFile('high.db', 1001);
    const metadata = await openDatabase(
      { kind: 'sqlite', file: join(folder, 'metadata.db'), create: true },
      { name: 'metadata' },
    );
    const path = await createDataPath(metadata, { sqliteFolder: folder });
    async function pageOf(file: string) {
      const { id } = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
        title: file,
        external: { type: 'sqlite3', config: { connection: { filename: join(folder, file) } } },
      });
      const scope = path.access.systemScope(id, 'test');
      const [table] = (await path.schema.snapshot(scope)).tables.values();
      if (table === undefined) throw new Error('the external table was not read');
      return async () => {
        const rows = await path.rowStore.list(
          await path.handleOf(scope, table.id),
          {},
          { limit: 2, offset: 10 },
        );
        return rows.map((row) => Number(Object.values(row)[0]));
      };
    }
    const low = await pageOf('low.db');
    const high = await pageOf('high.db');
    for (let round = 0; round < 2; round += 1) {
      expect(await low()).toEqual([11, 12]);
      expect(await high()).toEqual([1011, 1012]);
    }
    await path.dispose();
    await metadata.close();
    await rm(folder, { recursive: true, force: true });
  });
});
