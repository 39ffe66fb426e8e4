import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

describeClient('rows', ({ withCities }) => {
  test('lists, counts, finds, groups, changes and deletes rows', async () => {
    const { api, view } = await withCities();
    const at = ['noco', 'Atlas', 'City'] as const;
    const sorted = await api.dbTableRow.list(...at, { sort: '-People', fields: 'Name', limit: 2 } as never);
    expect(names(sorted)).toEqual(['Lima', 'Oslo']);
    expect(sorted.pageInfo).toEqual({
      totalRows: 3,
      page: 1,
      pageSize: 2,
      isFirstPage: true,
      isLastPage: false,
    });
    expect(names(await api.dbTableRow.list(...at, { where: '(Name,like,%er%)' }))).toEqual(['Bern']);
    await expect(api.dbTableRow.list(...at, { where: '(Nme,eq,x)' })).rejects.toMatchObject({
      response: { status: 400 },
    });
    expect(await api.dbTableRow.findOne(...at, { where: '(Name,eq,Oslo)' })).toMatchObject({ Name: 'Oslo' });
    expect(await api.dbViewRow.count(...at, view)).toEqual({ count: 3 });
    const groups = await api.dbTableRow.groupBy(...at, { column_name: 'name', sort: 'Name' } as never);
    expect(
      (groups as { list: { name: string; count: unknown }[] }).list.map((group) => Number(group.count)),
    ).toEqual([1, 1, 1]);
    const [oslo] = (await api.dbTableRow.list(...at)).list as { Id: number }[];
    const id = String(oslo?.Id);
    expect(await api.dbTableRow.read(...at, id)).toMatchObject({ Name: 'Oslo' });
    expect(await api.dbTableRow.exist(...at, id)).toBe(true);
    expect(await api.dbTableRow.update(...at, id, { Name: 'Kristiania' })).toMatchObject({
      Name: 'Kristiania',
    });
    expect(await api.dbTableRow.delete(...at, id)).toBe(1);
    await expect(api.dbTableRow.read(...at, id)).rejects.toMatchObject({ response: { status: 404 } });
  });

  test('links tables and rows, lists what is linked and what could be, and takes links away', async () => {
    const { api, projectId, table } = await withCities();
    const country = await api.dbTable.create(projectId, {
      table_name: 'country',
      title: 'Country',
      columns: [
        { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true },
        { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
      ],
    } as never);
    for (const Name of ['Norway', 'Peru']) await api.dbTableRow.create('noco', 'Atlas', 'Country', { Name });
    type Column = { id: string; title: string; uidt: string; colOptions: Record<string, unknown> };
    const columnsOf = (of: unknown) => (of as { columns: Column[] }).columns;
    const made = await api.dbTableColumn.create(country.id ?? '', {
      uidt: 'LinkToAnotherRecord',
      title: 'Cities',
      parentId: country.id,
      childId: table.id,
      type: 'hm',
    } as never);
    const cities = columnsOf(made).find(({ title }) => title === 'Cities');
    expect(cities?.colOptions).toMatchObject({ type: 'hm', fk_related_model_id: table.id });
    const at = ['noco', 'Atlas', 'Country', '1', 'hm', 'Cities'] as const;
    expect(await api.dbTableRow.nestedAdd(...at, '1')).toEqual({ msg: 'success' });
    expect(names((await api.dbTableRow.nestedList(...at)) as never)).toEqual(['Oslo']);
    expect(names((await api.dbTableRow.nestedChildrenExcludedList(...at)) as never)).toEqual([
      'Bern',
      'Lima',
    ]);
    const listed = (await api.dbTableRow.list('noco', 'Atlas', 'Country', {
      'nested[Cities][fields]': 'Name',
    } as never)) as { list: Record<string, unknown>[] };
    expect(listed.list.map((row) => row['Cities'])).toEqual([[{ Name: 'Oslo' }], []]);
    // The client sends an object as JSON.
    const asObject = { nested: { Cities: { fields: ['Name'], limit: 5 } }, fields: ['Cities'] };
    expect((await api.dbTableRow.list('noco', 'Atlas', 'Country', asObject as never)).list).toEqual([
      { Cities: [{ Name: 'Oslo' }] },
      { Cities: [] },
    ]);
    await expect(
      api.dbTableRow.list('noco', 'Atlas', 'Country', { nested: '{"Cities":' } as never),
    ).rejects.toMatchObject({ response: { status: 400, data: { code: 'PARAMETER_NOT_NESTED' } } });
    const people = columnsOf(await api.dbTable.read(table.id ?? '')).find(({ title }) => title === 'People');
    await api.dbTableColumn.create(country.id ?? '', {
      uidt: 'Rollup',
      title: 'Total',
      fk_relation_column_id: cities?.id,
      fk_rollup_column_id: people?.id,
      rollup_function: 'sum',
    } as never);
    const row = (await api.dbTableRow.read('noco', 'Atlas', 'Country', '1')) as Record<string, unknown>;
    expect(Number(row['Total'])).toBe(700_000);
    expect(await api.dbTableRow.nestedRemove(...at, '1')).toEqual({ msg: 'success' });
    expect(names((await api.dbTableRow.nestedList(...at)) as never)).toEqual([]);
    const left = await api.dbTableColumn.delete(cities?.id ?? '');
    expect(columnsOf(left).map(({ title }) => title)).toEqual(['Id', 'Name']);
  });

  test('writes rows in bulk', async () => {
    const { api } = await withCities();
    const at = ['noco', 'Atlas', 'City'] as const;
    const made = (await api.dbTableRow.bulkCreate(...at, [{ Name: 'Rome' }, { Name: 'Kyiv' }])) as {
      Id: unknown;
    }[];
    expect(made.map(({ Id }) => Number(Id))).toEqual([4, 5]);
    await api.dbTableRow.bulkUpdate(...at, [{ Id: 4, Name: 'Roma' }]);
    expect(names(await api.dbTableRow.list(...at, { where: '(Id,gt,3)', sort: 'Id' } as never))).toEqual([
      'Roma',
      'Kyiv',
    ]);
    await api.dbTableRow.bulkDelete(...at, [{ Id: 4 }]);
    await expect(api.dbTableRow.bulkUpdateAll(...at, { People: 1 })).rejects.toMatchObject({
      response: { status: 400, data: { code: 'CONFIRM_ALL', params: { count: 4 } } },
    });
    // Its type has no place for parameters, so that callers pass them on.
    await api.dbTableRow.bulkUpdateAll(...at, { People: 1 }, { query: { confirm: 'all' } } as never);
    const rows = (await api.dbTableRow.list(...at)).list as { People: unknown }[];
    expect(rows.map(({ People }) => Number(People))).toEqual([1, 1, 1, 1]);
    const condition = { query: { where: '(Id,lt,3)' } };
    await api.dbTableRow.bulkDeleteAll(...at, {}, condition as never);
    const left = (await api.dbTableRow.list(...at, { sort: 'Id' } as never)).list as { Id: unknown }[];
    expect(left.map(({ Id }) => Number(Id))).toEqual([3, 5]);
    await expect(api.dbTableRow.bulkDeleteAll(...at, {})).rejects.toMatchObject({
      response: { status: 400, data: { code: 'CONFIRM_ALL', params: { count: 2 } } },
    });
  });
});
