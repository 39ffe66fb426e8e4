import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AccessScope, TableSchema } from '@trellis/sdk/server';
import fc from 'fast-check';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

const things = {
  title: 'Things',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'Size', type: 'Number' },
    { title: 'Price', type: 'Decimal' },
    { title: 'Done', type: 'Checkbox' },
  ],
};

/** Values that fit, values that are read as others, and values that are refused. */
const row = fc.record(
  {
    Name: fc.constantFrom('a', '', '  b ', 7, null, ['x']),
    Size: fc.constantFrom(1, '2', '', null, 1.5, 'many'),
    Price: fc.constantFrom('1.50', 2, null, '1e3', 'dear'),
    Done: fc.constantFrom(true, false, 'true', null, 'perhaps'),
    Unknown: fc.constant('dropped'),
  },
  { requiredKeys: [] },
);

describeEachMetadata('rows that are written together', (open) => {
  let path: DataPath;
  let scope: AccessScope;

  beforeAll(async () => {
    path = await createDataPath(await open());
    scope = await path.newProject('Doors');
  });
  afterAll(() => path.dispose());

  const newTable = (title: string) => path.schema.createTable(scope, { ...things, title });
  const contents = async (table: TableSchema) =>
    path.rowStore.list(await path.handleOf(scope, table.id), { sort: ['Id'] }, { limit: 100, offset: 0 });
  const empty = async (table: TableSchema) =>
    path.rowStore.deleteAll(await path.handleOf(scope, table.id), {}, { everyRow: true });
  /** What a row holds, whatever its key is. */
  const valuesOf = (rows: readonly object[]) => rows.map((each) => ({ ...each, Id: undefined }));

  async function outcome(work: () => Promise<unknown>): Promise<string> {
    try {
      await work();
      return 'written';
    } catch (error) {
      return (error as { code?: string }).code?.replace('_IN_ROW', '') ?? 'failed';
    }
  }

  test('are taken, read and refused like each of them alone', async () => {
    const [alone, together] = [await newTable('Alone'), await newTable('Together')];
    const rows = fc.array(row, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, async (inputs) => {
        await empty(alone);
        await empty(together);
        const singles: string[] = [];
        for (const input of inputs)
          singles.push(
            await outcome(async () => path.rowStore.create(await path.handleOf(scope, alone.id), input)),
          );
        const bulk = await outcome(async () =>
          path.rowStore.createMany(await path.handleOf(scope, together.id), inputs),
        );
        // One that is refused refuses them all.
        expect(bulk).toBe(singles.find((each) => each !== 'written') ?? 'written');
        expect(valuesOf(await contents(together))).toEqual(
          bulk === 'written' ? valuesOf(await contents(alone)) : [],
        );
      }),
      { numRuns: 25 },
    );
  });

  test('are changed and refused like each of them alone', async () => {
    const [alone, together] = [await newTable('Alone too'), await newTable('Together too')];
    await fc.assert(
      fc.asyncProperty(fc.tuple(row, row), async (inputs) => {
        await empty(alone);
        await empty(together);
        const start = inputs.map(() => ({ Name: 'start', Size: 1, Price: '1', Done: false }));
        await path.rowStore.createMany(await path.handleOf(scope, alone.id), start);
        await path.rowStore.createMany(await path.handleOf(scope, together.id), start);
        const ids = async (table: TableSchema) =>
          (await contents(table)).map((each) => path.rowStore.keyOf(table, each) ?? '');
        const [aloneIds, togetherIds] = [await ids(alone), await ids(together)];
        const singles: string[] = [];
        for (const [index, input] of inputs.entries())
          singles.push(
            await outcome(async () =>
              path.rowStore.update(await path.handleOf(scope, alone.id), aloneIds[index] ?? '', input),
            ),
          );
        const bulk = await outcome(async () =>
          path.rowStore.updateMany(
            await path.handleOf(scope, together.id),
            inputs.map((input, index) => ({ ...input, Id: togetherIds[index] })),
          ),
        );
        // Alone, a row without anything to change is a mistake; among others it is left as it is.
        const refusal = singles.find((each) => each !== 'written' && each !== 'NOTHING_TO_UPDATE');
        expect(bulk).toBe(refusal ?? 'written');
        if (bulk === 'written')
          expect(valuesOf(await contents(together))).toEqual(valuesOf(await contents(alone)));
        else expect(valuesOf(await contents(together))).toHaveLength(2);
      }),
      { numRuns: 25 },
    );
  });

  test('are answered with the keys under which they stand, across statements and beside keys that were given', async () => {
    const table = await newTable('Counted');
    const named = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ Name: `row ${from + at}`, Size: 1, Price: 1, Done: true }));
    const given = [...named(0, 700), { Id: 5000, ...named(700, 1)[0] }, ...named(701, 600)];
    const { result } = await path.rowStore.createMany(await path.handleOf(scope, table.id), given);

    const names = new Map<unknown, unknown>();
    for (let offset = 0; offset < given.length; offset += 500) {
      const page = { limit: 500, offset };
      const handle = await path.handleOf(scope, table.id);
      for (const { Id, Name } of await path.rowStore.list(handle, { sort: ['Id'] }, page))
        names.set(Id, Name);
    }
    expect(result.map(({ Id }) => names.get(Id))).toEqual(given.map(({ Name }) => Name));
  });
});
