import { expect, jest, test } from '@jest/globals';
import type { LinkAction, TableHandle } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { linkType } from '../../plugins/columns-relation/server/link-type.ts';
import { createDataPath } from './data-path.ts';

const all = { limit: 100, offset: 0 };

describeEachMetadata('a call that changed rows of several tables', (open) => {
  /** Countries with cities, and cities with sights; what goes or changes with a country is said by `onDelete`. */
  async function start(onDelete: LinkAction) {
    const database = await open();
    const path = await createDataPath(database, { listens: true });
    path.columnTypes.register(linkType as never, 'columns-relation');
    const scope = await path.newProject('Atlas');
    const make = (title: string) =>
      path.schema.createTable(scope, {
        title,
        columns: [
          { title: 'Id', type: 'ID' },
          { title: 'Name', type: 'SingleLineText' },
        ],
      });
    const link = (title: string, parentId: string, childId: string, action: string) =>
      path.schema.createColumn(scope, parentId, {
        title,
        type: 'LinkToAnotherRecord',
        meta: { link: { parentId, childId, type: 'hm', onDelete: action } },
      });
    const [country, city, sight] = [await make('Country'), await make('City'), await make('Sight')];
    await link('Cities', country.id, city.id, onDelete);
    await link('Sights', city.id, sight.id, 'cascade');
    const [countries, cities, sights] = [
      await path.schema.open(scope, country.id),
      await path.schema.open(scope, city.id),
      await path.schema.open(scope, sight.id),
    ];
    const keyIn = ({ table }: TableHandle) =>
      table.columns.find(({ type }) => type === 'ForeignKey')?.title ?? '';
    await path.rowStore.createMany(countries, [{ Name: 'France' }, { Name: 'Japan' }]);
    await path.rowStore.createMany(cities, [
      { Name: 'Paris', [keyIn(cities)]: 1 },
      { Name: 'Lyon', [keyIn(cities)]: 1 },
      { Name: 'Kyoto', [keyIn(cities)]: 2 },
    ]);
    await path.rowStore.createMany(sights, [
      { Name: 'Louvre', [keyIn(sights)]: 1 },
      { Name: 'Kinkaku-ji', [keyIn(sights)]: 3 },
    ]);
    const rows = async (handle: TableHandle) => {
      const found = await path.rowStore.list(handle, { fields: ['Id', 'Name'], sort: ['Id'] }, all);
      return found.map(({ Name }) => Name);
    };
    const everything = async () => [await rows(countries), await rows(cities), await rows(sights)];
    return { ...path, database, scope, countries, cities, sights, keyIn, everything };
  }

  const whole = [
    ['France', 'Japan'],
    ['Paris', 'Lyon', 'Kyoto'],
    ['Louvre', 'Kinkaku-ji'],
  ];
  const withoutFrance = [['Japan'], ['Kyoto'], ['Kinkaku-ji']];

  test.each(['one', 'several', 'all'] as const)(
    'brings rows back with those that went along, and takes them away again (%s)',
    async (how) => {
      const { rowStore, scope, countries, cities, everything, feed, live, dispose } = await start('cascade');
      const { operationId = '' } =
        how === 'one'
          ? await rowStore.delete(countries, '1')
          : how === 'several'
            ? await rowStore.deleteMany(countries, [{ Id: 1 }])
            : await rowStore.deleteAll(countries, { where: '(Name,eq,France)' });
      expect(await everything()).toEqual(withoutFrance);
      expect(await rowStore.history(cities, '1', { limit: 5 })).toMatchObject([
        { change: { op: 'delete', origin: 'api' } },
        { change: { op: 'insert' } },
      ]);
      const undone = await rowStore.undo(scope, operationId);
      expect(undone.result).toBe(4);
      expect(await everything()).toEqual(whole);
      live.length = 0;
      const redone = await rowStore.undo(scope, undone.operationId ?? '');
      expect(await everything()).toEqual(withoutFrance);
      const told = () => new Set(live.flatMap((event) => ('tableId' in event ? [event.tableId] : [])));
      // A number that a transaction gave back holds those behind it back for a while.
      while (told().size < 3) await feed.catchUp();
      expect(told().size).toBe(3);
      await rowStore.undo(scope, redone.operationId ?? '');
      expect(await everything()).toEqual(whole);
      await dispose();
    },
  );

  test('links rows again that were unlinked with the row that went', async () => {
    const { rowStore, scope, countries, cities, keyIn, dispose } = await start('set null');
    const keys = async () => {
      const found = await rowStore.list(cities, { sort: ['Id'] }, all);
      return found.map((row) => row[keyIn(cities)]);
    };
    const { operationId = '' } = await rowStore.delete(countries, '1');
    expect(await keys()).toEqual([null, null, 2]);
    await rowStore.undo(scope, operationId);
    expect(await keys()).toEqual([1, 1, 2]);
    await dispose();
  });

  test('is taken back whole or not at all, by somebody with the rights to each table', async () => {
    const { rowStore, access, scope, countries, cities, sights, everything, dispose } =
      await start('cascade');
    const { operationId = '' } = await rowStore.delete(countries, '1');
    const name = new Set([countries.table.columnByTitle.get('Name')?.id ?? '']);
    const narrow = access.narrow(scope, { columns: new Map([[sights.table.id, { writable: name }]]) });
    await expect(rowStore.undo(narrow, operationId)).rejects.toMatchObject({
      status: 403,
      code: 'UNDO_FORBIDDEN',
    });
    const never = { kind: 'always', value: false } as const;
    const blind = access.narrow(scope, { rows: new Map([[sights.table.id, never]]) });
    await expect(rowStore.undo(blind, operationId)).rejects.toMatchObject({ status: 403 });
    expect(await everything()).toEqual(withoutFrance);
    // Somebody else takes the place of one of the rows.
    await rowStore.create(cities, { Id: 2, Name: 'Nara' });
    await expect(rowStore.undo(scope, operationId)).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
    expect(await everything()).toEqual([['Japan'], ['Nara', 'Kyoto'], ['Kinkaku-ji']]);
    await dispose();
  });

  test('is not made where too many rows would go along, which are counted and not read', async () => {
    const { rowStore, database, countries, cities, keyIn, dispose } = await start('cascade');
    for (const country of [1, 2]) {
      const rows = Array.from({ length: 5100 }, () => ({ Name: 'Here', [keyIn(cities)]: country }));
      await rowStore.createMany(cities, rows);
    }
    let read = 0;
    const write = database.write.bind(database);
    jest.spyOn(database, 'write').mockImplementation((work, options) =>
      write((unit) => {
        const batch = unit.batch.bind(unit);
        jest.spyOn(unit, 'batch').mockImplementation(async (queries) => {
          const answers = await batch(queries);
          for (const { rows } of answers) read += rows.length;
          return answers;
        });
        return work(unit);
      }, options),
    );
    await expect(rowStore.deleteMany(countries, [{ Id: 1 }, { Id: 2 }])).rejects.toMatchObject({
      code: 'TOO_MANY_TAKEN_ALONG',
    });
    expect(read).toBeLessThan(100);
    expect(await rowStore.count(cities, {})).toBe(10_203);
    await dispose();
  });

  test('is not taken back while one of the tables is deleted', async () => {
    const { rowStore, schema, scope, countries, sights, everything, dispose } = await start('cascade');
    const { operationId = '' } = await rowStore.delete(countries, '1');
    const { columns } = await schema.table(scope, 'City');
    const shown = columns.find(({ title }) => title === 'Sights');
    await schema.deleteColumn(scope, shown?.id ?? '');
    await schema.deleteTable(scope, sights.table.id);
    await expect(rowStore.undo(scope, operationId)).rejects.toMatchObject({
      status: 409,
      code: 'UNDO_TABLE_GONE',
    });
    expect((await everything().catch(() => []))[0] ?? []).not.toContain('France');
    await dispose();
  });
});
