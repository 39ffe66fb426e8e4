import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AccessScope, RowQuery, TableSchema } from '@trellis/sdk/server';
import type { Predicate, Row } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { openDatabase } from '../../host-server/databases/index.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

/** A column of every way to store cells, under titles that need care. */
const things = {
  title: 'Things',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: '"Name"', type: 'SingleLineText' },
    { title: '__proto__', type: 'LongText' },
    { title: 'Size', type: 'Number' },
    { title: 'Price', type: 'Decimal' },
    { title: 'Exact', type: 'Decimal', precision: '10', scale: '2' },
    { title: 'Done', type: 'Checkbox' },
    { title: 'Day', type: 'Date' },
    { title: 'Moment', type: 'DateTime' },
    { title: 'Stars', type: 'Rating' },
    { title: 'Tree', type: 'JSON' },
  ],
};

const nasty = fc.constantFrom('', '"', '\\', '\n\r\t', '\u2028\u2029', '</script>', '🦉', 'é', 'null', '1e3');
const text = fc.oneof(nasty, fc.string({ unit: 'grapheme' })).filter((of) => !of.includes('\0'));
const row = fc.record(
  {
    '"Name"': fc.oneof(text, fc.constant(null)),
    ['__proto__']: text,
    Size: fc.oneof(fc.integer(), fc.constantFrom('2147483647', null)),
    Price: fc.constantFrom('1.50', '-0', '12345678901234567890.125', '0', null),
    Exact: fc.constantFrom('1.5', '-0.01', 7, null),
    Done: fc.constantFrom(true, false, null),
    Day: fc.constantFrom('2026-11-21', '0001-01-01', null),
    Moment: fc.constantFrom('2026-11-21T10:11:12.123456Z', '1969-01-01 00:00:00', null),
    Stars: fc.constantFrom(0, 5, null),
    Tree: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify({ value })),
      fc.constant(null),
    ),
  },
  { requiredKeys: [] },
);

describeEachMetadata('a page of rows as JSON', (open) => {
  let folder: string;
  let path: DataPath;
  let scope: AccessScope;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    path = await createDataPath(await open(), { sqliteFolder: folder });
    scope = await path.newProject('Doors');
  });
  afterAll(async () => {
    await path.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Holds both ways of reading a page to each other. */
  async function compare(within: AccessScope, table: TableSchema, query: RowQuery, offset: number) {
    const handle = await path.handleOf(within, table.id);
    // A few cells, so that SQLite may read them in the thread of the server.
    const page = { limit: 90, offset };
    const { rows, totalRows } = await path.rowStore.page(handle, query, page);
    // The second of these knows where the page begins.
    for (const count of [true, false, true]) {
      const json = await path.rowStore.pageJson(handle, query, page, { count });
      const read: unknown = JSON.parse(Buffer.from(json.rows).toString());
      expect(read).toEqual(JSON.parse(JSON.stringify(rows)));
      expect(json.totalRows).toBe(count ? totalRows : undefined);
    }
    return rows;
  }

  test('says what the page of rows says, whatever the cells hold', async () => {
    const table = await path.schema.createTable(scope, things);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (inputs) => {
        const handle = await path.handleOf(scope, table.id);
        await path.rowStore.createMany(handle, inputs);
        expect(await compare(scope, table, { sort: ['-Id'] }, 0)).not.toHaveLength(0);
        await compare(scope, table, { where: '(Size,gt,0)', fields: ['Size', 'Tree', '"Name"'] }, 0);
        await compare(scope, table, {}, 2);
        await path.rowStore.deleteAll(handle, {}, { everyRow: true });
      }),
      { numRuns: 10 },
    );
    expect(await compare(scope, table, {}, 0)).toEqual([]);
  });

  test('holds rows of any length, as reads by key do', async () => {
    const table = await path.schema.createTable(scope, { ...things, title: 'Long things' });
    const handle = await path.handleOf(scope, table.id);
    const sizes = [10, 20_000, 30_000, 1_000_000, 0];
    await path.rowStore.createMany(
      handle,
      sizes.map((size) => ({ ['__proto__']: 'long '.repeat(size / 5), Size: size })),
    );
    const rows = await compare(scope, table, {}, 0);
    expect(rows.map((of) => (of['__proto__'] as string | null)?.length ?? 0)).toEqual(sizes);
    await compare(scope, table, { fields: ['Size', '__proto__'] }, 0);
    for (const row of rows) {
      const key = path.rowStore.keyOf(table, row) ?? '';
      expect(await path.rowStore.read(handle, key, {})).toEqual(row);
    }
  });

  test('holds no more than the caller may see', async () => {
    const table = await path.schema.createTable(scope, { ...things, title: 'Hidden things' });
    const handle = await path.handleOf(scope, table.id);
    await path.rowStore.createMany(handle, [{ Size: 1 }, { Size: 2 }]);
    const size = table.columnByTitle.get('Size')?.id ?? '';
    const isLarge: Predicate = {
      kind: 'compare',
      comparison: 'gt',
      left: { kind: 'column', columnId: size },
      right: { kind: 'literal', value: 1, storage: 'integer' },
    };
    const narrowed = path.access.narrow(scope, {
      columns: new Map([[table.id, { readable: new Set([size]), writable: new Set([size]) }]]),
      rows: new Map([[table.id, isLarge]]),
    });
    const limited = await path.handleOf(narrowed, table.id);
    const { rows } = await path.rowStore.pageJson(limited, {}, { limit: 9, offset: 0 }, { count: true });
    const read = JSON.parse(Buffer.from(rows).toString()) as Row[];
    // PostgreSQL gives wide numbers as texts of digits.
    expect(read.map((of) => [Object.keys(of), Number(of.Size)])).toEqual([[['Size'], 2]]);
  });

  test('agrees on cells that are not what their column says, as SQLite lets others write them', async () => {
    const columns = [
      'integer',
      'text',
      'numeric(3, 1)',
      'real',
      'date',
      'boolean',
      'blob',
      'json',
      'datetime',
    ];
    const file = await openDatabase(
      { kind: 'sqlite', file: join(folder, 'shop.db'), create: true },
      { name: 'shop' },
    );
    const cells = [
      "'12'",
      "'x'",
      'null',
      '1',
      '-0.0',
      '1.5',
      '9e999',
      '9223372036854775807',
      "x'00ff'",
      'true',
    ];
    const values = cells.map((cell) => `(${columns.map(() => cell).join(', ')})`);
    const names = columns.map((_, index) => `c${index}`);
    for (const sql of [
      `create table odd (id integer primary key, ${columns.map((type, index) => `c${index} ${type}`).join(', ')})`,
      `insert into odd (${names.join(', ')}) values ${values.join(', ')}`,
    ])
      await file.write((unit) => unit.run({ sql, bindings: [] }));
    await file.close();
    const project = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external: { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } },
    });
    const within = path.access.systemScope(project.id, 'test');
    const table = await path.schema.table(within, 'Odd');
    expect(await compare(within, table, {}, 0)).toHaveLength(cells.length);
    for (const column of table.columns) await compare(within, table, { fields: [column.title] }, 0);
  });
});
