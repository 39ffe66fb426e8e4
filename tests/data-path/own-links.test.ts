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
});
