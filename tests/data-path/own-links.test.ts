import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { lookupType } from '../../plugins/columns-relation/server/computed-types.ts';
import { linkType } from '../../plugins/columns-relation/server/link-type.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('links that were made here', (open) => {
  /** Countries with cities, and a column with the names of the cities. */
  async function start() {
    const path = await createDataPath(await open());
    for (const type of [linkType, lookupType]) path.columnTypes.register(type as never, 'columns-relation');
    const scope = await path.newProject('Atlas');
    const make = (title: string) =>
      path.schema.createTable(scope, {
        title,
        columns: [
          { title: 'Id', type: 'ID' },
          { title: 'Name', type: 'SingleLineText' },
        ],
      });
    const [country, city] = [await make('Country'), await make('City')];
    const made = await path.schema.createColumn(scope, country.id, {
      title: 'Cities',
      type: 'LinkToAnotherRecord',
      meta: { link: { parentId: country.id, childId: city.id, type: 'hm' } },
    });
    const linkColumn = made.columnByTitle.get('Cities');
    await path.schema.createColumn(scope, country.id, {
      title: 'City names',
      type: 'Lookup',
      meta: {
        relationColumnId: linkColumn?.id,
        columnId: city.columnByTitle.get('Name')?.id,
      },
    });
    const cities = await path.schema.open(scope, 'City');
    const key = cities.table.columns.find(({ type }) => type === 'ForeignKey')?.title ?? '';
    const countries = await path.schema.open(scope, 'Country');
    return {
      ...path,
      cities,
      countries,
      key,
      linkId: linkColumn?.linkId ?? '',
    };
  }

  test('are not taken away from a row that somebody else has just linked elsewhere', async () => {
    const { rowStore, hooks, cities, countries, key, linkId } = await start();
    await rowStore.createMany(countries, [{ Name: 'France' }, { Name: 'Monaco' }]);
    await rowStore.createMany(cities, [{ Name: 'Monte Carlo', [key]: 1 }]);
    // Between the look at the row and the write of it.
    const elsewhere = hooks.tap('test', 'rows.willUpdate', async () => {
      await elsewhere.dispose();
      await rowStore.link(countries, { key: '2', linkId, other: '1' });
      return undefined;
    });
    const late = await rowStore.unlink(countries, {
      key: '1',
      linkId,
      other: '1',
    });
    expect(late.operationId).toBeUndefined();
    expect(await rowStore.read(cities, '1', {})).toMatchObject({ [key]: 2 });
    const meant = await rowStore.unlink(countries, {
      key: '2',
      linkId,
      other: '1',
    });
    expect(meant.operationId).toBeDefined();
    expect(await rowStore.read(cities, '1', {})).toMatchObject({ [key]: null });
  });

  test('show as many linked rows in a long page as in a short one', async () => {
    const { rowStore, cities, countries, key } = await start();
    await rowStore.createMany(countries, named('Country', 1000));
    await rowStore.createMany(
      cities,
      named('City', 60).map((row) => ({ ...row, [key]: 1 })),
    );
    const shown = async (limit: number, nested = {}) => {
      const [row] = await rowStore.list(countries, { nested }, { limit, offset: 0 });
      return [lengthOf(row?.['Cities']), lengthOf(row?.['City names'])];
    };
    expect([await shown(1), await shown(1000)]).toEqual([
      [25, 25],
      [25, 25],
    ]);
    expect(await shown(1000, { Cities: { limit: 100 } })).toEqual([60, 60]);
  });

  test('share what a page may hold, so that each row shows its first ones', async () => {
    const { rowStore, cities, countries, key } = await start();
    await rowStore.createMany(countries, named('Country', 20));
    const many = Array.from({ length: 20 }, (_, index) => (index === 19 ? 3 : 600));
    const linked = many.flatMap((count, index) =>
      named('City', count).map((row) => ({ ...row, [key]: index + 1 })),
    );
    await rowStore.createMany(cities, linked);
    const query = { fields: ['Cities'], nested: { Cities: { fields: ['Id'], limit: 1000 } } };
    const rows = await rowStore.list(countries, query, { limit: 20, offset: 0 });
    const lengths = rows.map((row) => lengthOf(row['Cities']));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(10_000);
    expect(lengths[19]).toBe(3);
    expect(Math.min(...lengths.slice(0, 19))).toBeGreaterThan(500);
  });

  test('lose nothing in an export, however many a row has', async () => {
    const { rowStore, cities, countries, key } = await start();
    await rowStore.createMany(countries, named('Country', 501));
    const linked = [60, 10_001, 40].flatMap((count, index) =>
      named('City', count).map((row) => ({ ...row, [key]: index + 1 })),
    );
    await rowStore.createMany(cities, linked);
    const { batches } = await rowStore.stream(countries, { sort: ['Id'] });
    const lengths: number[][] = [];
    for await (const rows of batches)
      lengths.push(...rows.map((row) => [lengthOf(row['Cities']), lengthOf(row['City names'])]));
    expect(lengths).toHaveLength(501);
    expect(lengths.slice(0, 4)).toEqual([
      [60, 60],
      [10_001, 10_001],
      [40, 40],
      [0, 0],
    ]);
  });

  test('are exported with a mark where a row has more of them than memory should hold', async () => {
    const { rowStore, cities, countries, key } = await start();
    await rowStore.createMany(countries, named('Country', 2));
    for (let left = 30_002; left > 0; left -= 10_000)
      await rowStore.createMany(
        cities,
        named('City', Math.min(left, 10_000)).map((row) => ({ ...row, [key]: 1 })),
      );
    await rowStore.createMany(
      cities,
      named('City', 2).map((row) => ({ ...row, [key]: 2 })),
    );
    const { batches } = await rowStore.stream(countries, { sort: ['Id'] });
    const cells: unknown[][] = [];
    for await (const rows of batches) cells.push(...rows.map((row) => [row['Cities'], row['City names']]));
    expect(cells.map((of) => of.map(lengthOf))).toEqual([
      [30_001, 30_001],
      [2, 2],
    ]);
    const mark = '… (more rows are linked)';
    expect(cells[0]?.map((cell) => (cell as unknown[]).at(-1))).toEqual([mark, mark]);
  });
});

function named(what: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({ Name: `${what} ${index}` }));
}

function lengthOf(cell: unknown): number {
  return Array.isArray(cell) ? cell.length : 0;
}
