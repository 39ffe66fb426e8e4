import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

describeClient('views', ({ withCities }) => {
  test('makes views with sorts, filters and hidden columns, and lists rows through them', async () => {
    const { api, table } = await withCities();
    const view = await api.dbView.gridCreate(table.id ?? '', { title: 'Big' } as never);
    const id = view.id ?? '';
    const people = table.columns?.find((column) => column.title === 'People')?.id;
    await api.dbTableSort.create(id, { fk_column_id: people, direction: 'desc' } as never);
    await api.dbTableFilter.create(id, {
      fk_column_id: people,
      comparison_op: 'gt',
      value: '200000',
      logical_op: 'and',
    } as never);
    expect(await api.dbTableSort.list(id)).toMatchObject({ sorts: { list: [{ fk_column_id: people }] } });
    expect(await api.dbTableFilter.read(id)).toMatchObject([{ fk_column_id: people, comparison_op: 'gt' }]);
    expect(names(await api.dbViewRow.list('noco', 'Atlas', 'City', 'Big'))).toEqual(['Lima', 'Oslo']);
    const columns = (await api.dbViewColumn.list(id)) as { id: string; fk_column_id: string }[];
    const hidden = columns.find((column) => column.fk_column_id === people);
    await api.dbViewColumn.update(id, hidden?.id ?? '', { show: false });
    await api.dbView.update(id, { title: 'Large' } as never);
    const rows = (await api.dbViewRow.list('noco', 'Atlas', 'City', 'Large')).list as object[];
    expect(rows.map((row) => 'People' in row)).toEqual([false, false]);
    const csv = (await api.dbViewRow.export('noco', 'Atlas', 'City', 'Large', 'csv' as never)) as {
      readonly data: string;
    };
    expect(csv.data.trim().split(/\r?\n/)).toEqual(['Name', 'Lima', 'Oslo']);
    await api.dbView.delete(id);
    expect((await api.dbView.list(table.id ?? '')).list).toHaveLength(1);
  });

  test('lists and sets the roles for which views are listed', async () => {
    const { api, projectId, view } = await withCities();
    const listed = async () =>
      (await api.project.modelVisibilityList(projectId, {})) as unknown as {
        readonly id: string;
        readonly disabled: Readonly<Record<string, boolean>>;
      }[];
    const [rule] = await listed();
    expect(rule).toMatchObject({ _ptn: 'City', _tn: view, ptype: 'table', disabled: { viewer: false } });
    const changed = [{ ...rule, disabled: { ...rule?.disabled, viewer: true } }];
    expect(await api.project.modelVisibilitySet(projectId, changed as never)).toEqual({ msg: 'success' });
    expect(await listed()).toMatchObject([{ disabled: { viewer: true, editor: false, owner: false } }]);
  });
});
