import { expect, jest, test } from '@jest/globals';
import type { Narrowing, RowQuery, TableHandle } from '@trellis/sdk/server';
import type { Expression, Predicate, Row } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { OpenedTable } from '../../host-server/schema/opened-table.ts';
import { countType, lookupType, rollupType } from '../../plugins/columns-relation/server/computed-types.ts';
import { linkType } from '../../plugins/columns-relation/server/link-type.ts';
import { linkOperators } from '../../plugins/columns-relation/shared/index.ts';
import { createDataPath } from './data-path.ts';

const page = { limit: 25, offset: 0 };

describeEachMetadata('links for a caller who may not see everything', (open) => {
  /** Countries with cities; the caller sees cities of more than a million people, and not how many people. */
  async function start() {
    const path = await createDataPath(await open());
    for (const type of [linkType, lookupType, rollupType, countType])
      path.columnTypes.register(type as never, 'columns-relation');
    for (const operator of linkOperators) path.filterOperators.register(operator, 'columns-relation');
    const scope = await path.newProject('Atlas');
    const make = (title: string, extra: readonly { title: string; type: string }[] = []) =>
      path.schema.createTable(scope, {
        title,
        columns: [{ title: 'Id', type: 'ID' }, { title: 'Name', type: 'SingleLineText' }, ...extra],
      });
    const country = await make('Country');
    const city = await make('City', [{ title: 'Pop', type: 'Number' }]);
    const link = { parentId: country.id, childId: city.id, type: 'hm' };
    const linked = await path.schema.createColumn(scope, country.id, {
      title: 'Cities',
      type: 'LinkToAnotherRecord',
      meta: { link },
    });
    const relationColumnId = linked.columnByTitle.get('Cities')?.id;
    const columnId = city.columnByTitle.get('Pop')?.id;
    const add = (title: string, type: string, meta: object) =>
      path.schema.createColumn(scope, country.id, { title, type, meta: { relationColumnId, ...meta } });
    await add('Pops', 'Lookup', { columnId });
    await add('People', 'Rollup', { columnId, function: 'sum' });
    await add('Number', 'Count', {});
    const countries = await path.schema.open(scope, country.id);
    await path.rowStore.createMany(countries, [{ Name: 'France' }, { Name: 'Peru' }]);
    const key = [...(await path.schema.snapshot(scope)).tables.values()]
      .find(({ id }) => id === city.id)
      ?.columns.find(({ type }) => type === 'ForeignKey')?.title;
    await path.rowStore.createMany(await path.schema.open(scope, city.id), [
      { Name: 'Paris', Pop: 2_000_000, [key ?? '']: 1 },
      { Name: 'Lyon', Pop: 500_000, [key ?? '']: 1 },
      { Name: 'Lima', Pop: 10_000_000 },
      { Name: 'Cuzco', Pop: 400_000 },
    ]);
    const rule: Predicate = {
      kind: 'compare',
      comparison: 'gt',
      left: { kind: 'column', columnId: columnId ?? '' },
      right: { kind: 'literal', value: 1_000_000, storage: 'bigint' },
    };
    const snapshot = await path.schema.snapshot(scope);
    const shown = new Set(
      snapshot.tables
        .get(city.id)
        ?.columns.filter(({ title }) => title !== 'Pop')
        .map(({ id }) => id),
    );
    const narrowing = { rows: new Map([[city.id, rule]]) } satisfies Narrowing;
    const hiding = {
      columns: new Map([[city.id, { readable: shown, writable: 'all' as const }]]),
    } as unknown as Narrowing;
    const as = (to: Narrowing) => {
      const table = snapshot.tables.get(country.id);
      if (table === undefined) throw new Error('the table is gone');
      return new OpenedTable({ snapshot, table, view: undefined, scope: path.access.narrow(scope, to) });
    };
    return {
      ...path,
      scope,
      narrowing,
      hiding,
      as,
      linkId: snapshot.column(relationColumnId ?? '')?.linkId ?? '',
    };
  }

  test('show, count and add up only rows that exist for the caller', async () => {
    const { rowStore, as, narrowing, linkId } = await start();
    const handle = as(narrowing);
    const rows = await rowStore.list(handle, {}, page);
    expect(rows[0]).toMatchObject({ Name: 'France', Cities: [{ Id: 1, Name: 'Paris' }] });
    expect([Number(rows[0]?.['People']), Number(rows[0]?.['Number'])]).toEqual([2_000_000, 1]);
    expect(await rowStore.list(handle, { where: '(Cities,eq,Lyon)' }, page)).toEqual([]);
    const linked = await rowStore.linked(handle, { key: '1', linkId }, {}, page);
    expect([linked.totalRows, linked.rows.map((row) => row['Name'])]).toEqual([1, ['Paris']]);
    const others = await rowStore.linked(handle, { key: '1', linkId, others: true }, {}, page);
    expect(others.rows.map((row) => row['Name'])).toEqual(['Lima']);
  });

  test('are asked for by their keys only as far as they exist for the caller', async () => {
    const { rowStore, as, narrowing, scope, schema } = await start();
    const named = async (handle: TableHandle, where: string) =>
      (await rowStore.list(handle, { where }, page)).map((row) => row['Name']);
    const everything = await schema.open(scope, 'Country');
    expect(await named(everything, '(Cities,linkedto,2)')).toEqual(['France']);
    expect(await named(as(narrowing), '(Cities,linkedto,2)')).toEqual([]);
    expect(await named(as(narrowing), '(Cities,linkedto,1,2)')).toEqual(['France']);
    expect(await named(as(narrowing), '(Cities,notlinkedto,2)')).toEqual(['France', 'Peru']);
  });

  test('are those of each caller, whoever has read the same page before', async () => {
    const { rowStore, as, narrowing, hiding } = await start();
    const everything = as({});
    const cellsOf = async (handle: typeof everything) =>
      (await rowStore.list(handle, {}, page)).map((row) => [
        (row['Cities'] as readonly Row[]).length,
        (row['Pops'] as readonly unknown[]).length,
        row['People'] === null ? null : Number(row['People']),
        Number(row['Number']),
      ]);
    for (let time = 0; time < 2; time += 1) {
      expect((await cellsOf(everything))[0]).toEqual([2, 2, 2_500_000, 2]);
      expect((await cellsOf(as(narrowing)))[0]).toEqual([1, 1, 2_000_000, 1]);
      expect((await cellsOf(as(hiding)))[0]).toEqual([2, 0, null, 2]);
    }
  });

  test('are put together over a lookup of several values as far as the caller may see each table on the way', async () => {
    const { rowStore, schema, access, scope } = await start();
    const [country, city] = [await schema.open(scope, 'Country'), await schema.open(scope, 'City')];
    const region = await schema.createTable(scope, {
      title: 'Region',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
      ],
    });
    const linked = await schema.createColumn(scope, region.id, {
      title: 'Countries',
      type: 'LinkToAnotherRecord',
      meta: { link: { parentId: region.id, childId: country.table.id, type: 'mm' } },
    });
    const countries = linked.columnByTitle.get('Countries');
    const pops = country.table.columnByTitle.get('Pops');
    for (const [title, fn] of [
      ['People', 'sum'],
      ['Number', 'count'],
    ])
      await schema.createColumn(scope, region.id, {
        title: title ?? '',
        type: 'Rollup',
        meta: { relationColumnId: countries?.id, columnId: pops?.id, function: fn },
      });
    const regions = await schema.open(scope, 'Region');
    await rowStore.createMany(regions, [{ Name: 'West' }]);
    for (const other of ['1', '2'])
      await rowStore.link(regions, { key: '1', linkId: countries?.linkId ?? '', other });
    const key = city.table.columns.find(({ type }) => type === 'ForeignKey');
    await rowStore.update(city, '3', { [key?.title ?? '']: 2 });
    const figuresFor = async (narrowing: Narrowing, sort: readonly string[] = []) => {
      const handle = await schema.open(access.narrow(scope, narrowing), 'Region');
      const [row] = await rowStore.list(handle, { sort: [...sort] }, page);
      const found = await rowStore.count(handle, { where: '(Number,gt,0)' });
      return [row?.['People'] === null ? null : Number(row?.['People']), Number(row?.['Number']), found];
    };
    const isAbove = (columnId: string | undefined, value: number): Predicate => ({
      kind: 'compare',
      comparison: 'gt',
      left: { kind: 'column', columnId: columnId ?? '' },
      right: { kind: 'literal', value, storage: 'bigint' },
    });
    const hiding = (tableId: string, id: string | undefined) => {
      const { columns = [] } = linked.id === tableId ? linked : (country.snapshot.tables.get(tableId) ?? {});
      const readable = new Set(columns.map((column) => column.id).filter((of) => of !== id));
      return {
        columns: new Map([[tableId, { readable, writable: 'all' as const }]]),
      } as unknown as Narrowing;
    };
    const { through } = linked.links.find(({ id }) => id === countries?.linkId) ?? {};
    const pop = city.table.columnByTitle.get('Pop')?.id;
    const id = country.table.columnByTitle.get('Id')?.id;
    for (const sort of [[], ['-People']]) {
      expect(await figuresFor({}, sort)).toEqual([12_500_000, 3, 1]);
      const rows = (tableId: string, rule: Predicate) => ({ rows: new Map([[tableId, rule]]) });
      expect(await figuresFor(rows(city.table.id, isAbove(pop, 1_000_000)), sort)).toEqual([
        12_000_000, 2, 1,
      ]);
      expect(await figuresFor(rows(country.table.id, isAbove(id, 1)), sort)).toEqual([10_000_000, 1, 1]);
      const junction = rows(through?.tableId ?? '', isAbove(through?.toColumnIds[0], 1));
      expect(await figuresFor(junction, sort)).toEqual([10_000_000, 1, 1]);
      for (const [tableId, columnId] of [
        [city.table.id, pop],
        [city.table.id, key?.id],
        [country.table.id, pops?.id],
      ] as const)
        expect(await figuresFor(hiding(tableId, columnId), sort)).toEqual([null, 0, 0]);
    }
  });

  test('are made one value of in their own row as far as the caller may see them', async () => {
    const { rowStore, schema, scope, access, narrowing, hiding, columnTypes } = await start();
    const compute = ({ meta }: { readonly meta?: { readonly columnId?: string } }): Expression => {
      const columnId = meta?.columnId ?? '';
      return { kind: 'values', columnId, aggregate: 'sum', of: { kind: 'column', columnId } };
    };
    columnTypes.register({ ...countType, id: 'Summed', server: { compute } } as never, 'acme');
    const { table } = await schema.open(scope, 'Country');
    const pops = table.columnByTitle.get('Pops')?.id ?? '';
    await schema.createColumn(scope, table.id, { title: 'Summed', type: 'Summed', meta: { columnId: pops } });
    const sumFor = async (to: Narrowing, query: RowQuery = {}) => {
      const handle = await schema.open(access.narrow(scope, to), 'Country');
      const rows = await rowStore.list(handle, { ...query, fields: ['Name', 'Summed'] }, page);
      return rows.map((row) => [row['Name'], row['Summed'] === null ? null : Number(row['Summed'])]);
    };
    const others = (await schema.open(scope, 'Country')).table.columns.filter(({ id }) => id !== pops);
    const readable = new Set(others.map(({ id }) => id));
    const hidingList = {
      columns: new Map([[table.id, { readable, writable: 'all' as const }]]),
    } as unknown as Narrowing;
    for (const sort of [[], ['-Summed']]) {
      expect((await sumFor({}, { sort }))[0]).toEqual(['France', 2_500_000]);
      expect((await sumFor(narrowing, { sort }))[0]).toEqual(['France', 2_000_000]);
      for (const hidden of [hiding, hidingList])
        expect(await sumFor(hidden, { sort: [...sort, 'Id'] })).toEqual([
          ['France', null],
          ['Peru', null],
        ]);
    }
  });

  test('are told of in the audit by the linked rows only where the caller may see which they are', async () => {
    const { rowStore, schema, scope, as, narrowing, hiding, audit, dispose } = await start();
    const cities = await schema.open(scope, 'City');
    const key = cities.table.columns.find(({ type }) => type === 'ForeignKey')?.title ?? '';
    await rowStore.update(cities, '3', { [key]: 2 });
    const lineFor = async (to: Narrowing) => (await audit.list(as(to).scope, { limit: 1, offset: 0 }))[0];
    for (const to of [{}, hiding])
      expect(await lineFor(to)).toMatchObject({
        description: 'Row 3 of City was linked to row 2 of Country',
        rowKey: '3',
        changes: [{ to: 'Country 2' }],
      });
    const others = cities.table.columns.filter(({ title }) => title !== key).map(({ id }) => id);
    const keyless = {
      columns: new Map([[cities.table.id, { readable: new Set(others), writable: 'all' as const }]]),
    } as unknown as Narrowing;
    for (const to of [narrowing, keyless]) {
      const line = await lineFor(to);
      expect(line).toMatchObject({ type: 'DATA', tableTitle: 'City', changes: [] });
      expect(line?.rowKey).toBeUndefined();
      expect(line?.description).toBe('A row updated in City');
    }
    await dispose();
  });

  test('are the same as JSON, whatever is asked of them', async () => {
    const { rowStore, schema, scope, as, narrowing, hiding, databases } = await start();
    const countries = await schema.open(scope, 'Country');
    await rowStore.create(countries, { Name: '"Chad"' });
    const queries: readonly RowQuery[] = [
      {},
      { sort: ['-Name'], fields: ['Number', 'Cities', 'Name'] },
      { where: '(Id,gt,1)', fields: ['Pops', 'People'] },
      { nested: { Cities: { fields: ['Pop', 'Name'], sort: ['-Pop'], limit: 1 } } },
      { nested: { Cities: { fields: ['Id'], where: '(Pop,lt,1000000)', offset: 1 } } },
      { where: '(Id,eq,99)' },
    ];
    for (const to of [{}, narrowing, hiding])
      for (const query of queries) {
        if (to === hiding && JSON.stringify(query).includes('Pop')) continue;
        for (const limit of [1, 3, 25, 500]) {
          const rows = await rowStore.list(as(to), query, { limit, offset: 0 });
          const { rows: json } = await rowStore.pageJson(
            as(to),
            query,
            { limit, offset: 0 },
            { count: false },
          );
          expect(JSON.parse(Buffer.from(json).toString())).toEqual(JSON.parse(JSON.stringify(rows)));
        }
      }
    const base = countries.snapshot.bases.get(countries.table.baseId);
    if (base === undefined) throw new Error('the table has no base');
    const database = await databases.of(base);
    const reads = jest.spyOn(database, 'read');
    await rowStore.pageJson(as({}), {}, page, { count: false });
    // SQLite makes the cells of linked rows where it reads the page.
    if (database.dialect.name === 'sqlite') expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
  });

  test('are computed anew when what they are computed from changes', async () => {
    const { rowStore, schema, scope } = await start();
    const people = async () =>
      (await rowStore.list(await schema.open(scope, 'Country'), {}, page)).map((row) =>
        row['People'] === undefined || row['People'] === null ? null : Number(row['People']),
      );
    expect((await people())[0]).toBe(2_500_000);
    const pop = (await schema.open(scope, 'City')).table.columnByTitle.get('Pop')?.id ?? '';
    await schema.deleteColumn(scope, pop);
    expect((await people())[0]).toBeNull();
  });

  test('are read for all links of a page in one journey', async () => {
    const { rowStore, schema, scope, databases } = await start();
    const [country, city] = [await schema.open(scope, 'Country'), await schema.open(scope, 'City')];
    const link = { parentId: country.table.id, childId: city.table.id, type: 'mm' };
    await schema.createColumn(scope, country.table.id, {
      title: 'Twins',
      type: 'LinkToAnotherRecord',
      meta: { link },
    });
    const handle = await schema.open(scope, 'Country');
    const base = handle.snapshot.bases.get(handle.table.baseId);
    if (base === undefined) throw new Error('the table has no base');
    await rowStore.list(handle, {}, page);
    const reads = jest.spyOn(await databases.of(base), 'read');
    const rows = await rowStore.list(handle, {}, page);
    expect(rows[0]).toMatchObject({ Cities: [{ Name: 'Paris' }, { Name: 'Lyon' }], Twins: [] });
    // One for the page itself.
    expect(reads).toHaveBeenCalledTimes(2);
    reads.mockRestore();
  });

  test('are not made with rows that do not exist for the caller', async () => {
    const { rowStore, as, narrowing, linkId } = await start();
    const handle = as(narrowing);
    for (const how of ['link', 'unlink'] as const)
      await expect(rowStore[how](handle, { key: '2', linkId, other: '4' })).rejects.toMatchObject({
        status: 404,
      });
    await rowStore.link(handle, { key: '2', linkId, other: '3' });
    expect((await rowStore.list(handle, {}, page)).map((row) => row['Cities'])).toMatchObject([
      [{ Name: 'Paris' }],
      [{ Name: 'Lima' }],
    ]);
  });

  test('tell nothing of a column that is hidden from the caller', async () => {
    const { rowStore, as, hiding } = await start();
    const handle = as(hiding);
    const rows = await rowStore.list(handle, {}, page);
    expect(rows.map((row) => [row['Name'], row['Pops'], row['People']])).toEqual([
      ['France', [], null],
      ['Peru', [], null],
    ]);
    expect(await rowStore.list(handle, { where: '(People,gt,1)' }, page)).toEqual([]);
    expect(await rowStore.list(handle, { where: '(Pops,gt,1)' }, page)).toEqual([]);
    await expect(
      rowStore.list(handle, { nested: { Cities: { fields: ['Pop'] } } }, page),
    ).rejects.toMatchObject({ status: 400 });
    await expect(
      rowStore.list(handle, { nested: { Cities: { where: '(Pop,gt,1)' } } }, page),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('lead nowhere by a foreign key that is hidden from the caller, in cells as in conditions and figures', async () => {
    const { rowStore, schema, access, scope } = await start();
    const tableOf = async (title: string) => (await schema.open(scope, title)).table;
    const city = await tableOf('City');
    const back = city.columns.find(({ linkId }) => linkId !== undefined);
    await schema.createColumn(scope, city.id, {
      title: 'Land',
      type: 'Lookup',
      meta: {
        relationColumnId: back?.id,
        columnId: (await tableOf('Country')).columnByTitle.get('Name')?.id,
      },
    });
    const { columns } = await tableOf('City');
    const readable = new Set(columns.flatMap(({ type, id }) => (type === 'ForeignKey' ? [] : [id])));
    const narrowed = access.narrow(scope, {
      columns: new Map([[city.id, { readable, writable: readable }]]),
    });
    const cities = await schema.open(narrowed, 'City');
    const countries = await schema.open(narrowed, 'Country');
    for (const condition of ['(Land,eq,France)', `(${back?.title},eq,France)`])
      expect([
        await rowStore.list(cities, { where: condition }, page),
        await rowStore.count(cities, { where: condition }),
        (await rowStore.list(await schema.open(scope, 'City'), { where: condition }, page)).length,
      ]).toEqual([[], 0, 2]);
    const ascending = await rowStore.list(cities, { sort: ['Land', 'Id'] }, page);
    expect(ascending.map((row) => row['Id'])).toEqual([1, 2, 3, 4]);
    const descending = await rowStore.list(cities, { sort: ['-Land', 'Id'] }, page);
    expect(descending.map((row) => row['Id'])).toEqual([1, 2, 3, 4]);
    expect((await rowStore.list(countries, {}, page)).map(computedOf)).toEqual([
      [[], [], null, 0],
      [[], [], null, 0],
    ]);
    expect(await rowStore.count(countries, { where: '(Number,gt,0)' })).toBe(0);
    expect(await rowStore.count(countries, { where: '(Cities,eq,Lyon)' })).toBe(0);
  });

  test('lead nowhere by a junction column that is hidden from the caller', async () => {
    const { rowStore, schema, access, scope } = await start();
    const [country, city] = [await schema.open(scope, 'Country'), await schema.open(scope, 'City')];
    const link = { parentId: country.table.id, childId: city.table.id, type: 'mm' };
    const made = await schema.createColumn(scope, country.table.id, {
      title: 'Twins',
      type: 'LinkToAnotherRecord',
      meta: { link },
    });
    const twins = made.columnByTitle.get('Twins');
    await schema.createColumn(scope, country.table.id, {
      title: 'Twin number',
      type: 'Count',
      meta: { relationColumnId: twins?.id },
    });
    await rowStore.link(await schema.open(scope, 'Country'), {
      key: '1',
      linkId: twins?.linkId ?? '',
      other: '3',
    });
    const { through } = made.links.find(({ id }) => id === twins?.linkId) ?? {};
    const ends = [...(through?.columnIds ?? []), ...(through?.toColumnIds ?? [])];
    const twinned = async (hidden: string | undefined) => {
      const readable = new Set(ends.filter((id) => id !== hidden));
      const columns = new Map([[through?.tableId ?? '', { readable }]]);
      const handle = await schema.open(access.narrow(scope, { columns }), 'Country');
      const [row] = await rowStore.list(handle, {}, page);
      const cell = row?.['Twins'] as readonly unknown[];
      const count = await rowStore.count(handle, { where: '(Twins,eq,Lima)' });
      return [cell.length, count, Number(row?.['Twin number'])];
    };
    expect(ends).toHaveLength(2);
    expect(await twinned(undefined)).toEqual([1, 1, 1]);
    for (const hidden of ends) expect(await twinned(hidden)).toEqual([0, 0, 0]);
  });
});

function computedOf(row: Row) {
  return [row['Cities'], row['Pops'], row['People'], Number(row['Number'])];
}
