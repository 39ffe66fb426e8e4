import { expect, test } from '@jest/globals';
import type { Narrowing } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { OpenedTable } from '../../host-server/schema/opened-table.ts';
import { countType, lookupType, rollupType } from '../../plugins/columns-relation/server/computed-types.ts';
import { linkType } from '../../plugins/columns-relation/server/link-type.ts';
import { createDataPath } from './data-path.ts';

const page = { limit: 25, offset: 0 };

describeEachMetadata('links for a caller who may not see everything', (open) => {
  /** Countries with cities; the caller sees cities of more than a million people, and not how many people. */
  async function start() {
    const path = await createDataPath(await open());
    for (const type of [linkType, lookupType, rollupType, countType])
      path.columnTypes.register(type as never, 'columns-relation');
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
});
