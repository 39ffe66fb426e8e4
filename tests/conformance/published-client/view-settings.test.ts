import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

interface ViewColumn {
  readonly id: string;
  readonly fk_column_id: string;
  readonly show: boolean | number;
  readonly width?: string;
}

describeClient('settings of views', ({ withCities }) => {
  test('reads, changes and deletes single sorts and filters, and the filters of a group', async () => {
    const { api, table, view } = await withCities();
    const [{ id: viewId = '' } = {}] = ((await api.dbView.list(table.id ?? '')).list ?? []) as {
      id?: string;
    }[];
    const idOf = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';
    const shown = async () => names(await api.dbViewRow.list('noco', 'Atlas', 'City', view));

    await api.dbTableSort.create(viewId, { fk_column_id: idOf('Name'), direction: 'asc' } as never);
    const { sorts } = (await api.dbTableSort.list(viewId)) as unknown as {
      sorts: { list: readonly { id: string }[] };
    };
    const sort = sorts.list[0]?.id ?? '';
    expect(await api.dbTableSort.get(sort)).toMatchObject({ id: sort, direction: 'asc' });
    expect(await shown()).toEqual(['Bern', 'Lima', 'Oslo']);
    await api.dbTableSort.update(sort, { direction: 'desc' } as never);
    expect(await shown()).toEqual(['Oslo', 'Lima', 'Bern']);
    await api.dbTableSort.delete(sort);
    expect(await shown()).toEqual(['Oslo', 'Bern', 'Lima']);

    const like = (value: string) => ({
      fk_column_id: idOf('Name'),
      comparison_op: 'eq',
      value,
      logical_op: 'or',
    });
    await api.dbTableFilter.create(viewId, {
      is_group: true,
      logical_op: 'and',
      children: [like('Oslo'), like('Lima')],
    } as never);
    const [group] = (await api.dbTableFilter.read(viewId)) as unknown as readonly { id: string }[];
    const groupId = group?.id ?? '';
    expect(await api.dbTableFilter.get(groupId)).toMatchObject({ id: groupId, is_group: true });
    const children = (await api.dbTableFilter.childrenRead(groupId)) as unknown as readonly {
      id: string;
      value: string;
    }[];
    expect(children.map(({ value }) => value)).toEqual(['Oslo', 'Lima']);
    expect(await shown()).toEqual(['Oslo', 'Lima']);
    await api.dbTableFilter.update(children[1]?.id ?? '', {
      ...like('Bern'),
      fk_parent_id: groupId,
    } as never);
    expect(await shown()).toEqual(['Oslo', 'Bern']);
    await api.dbTableFilter.delete(groupId);
    expect(await shown()).toEqual(['Oslo', 'Bern', 'Lima']);
    expect(await api.dbTableFilter.read(viewId)).toEqual([]);
  });

  test('shows and hides columns one by one and all together, and sets how wide they are', async () => {
    const { api, table } = await withCities();
    const made = (await api.dbView.gridCreate(table.id ?? '', { title: 'Wide' } as never)) as { id?: string };
    const viewId = made.id ?? '';
    const people = table.columns?.find((column) => column.title === 'People')?.id ?? '';
    const columns = async () =>
      (await api.dbView.gridColumnsList(viewId)) as unknown as readonly ViewColumn[];
    const shows = async (id: string) => Boolean((await columns()).find((of) => of.fk_column_id === id)?.show);

    const ofPeople = (await columns()).find((of) => of.fk_column_id === people)?.id ?? '';
    await api.dbView.gridColumnUpdate(ofPeople, { width: '321px' });
    expect((await columns()).find(({ id }) => id === ofPeople)?.width).toBe('321px');
    await api.dbView.hideAllColumn(viewId, {} as never);
    expect(await shows(people)).toBe(false);
    await api.dbViewColumn.create(viewId, { fk_column_id: people, show: true } as never);
    expect(await shows(people)).toBe(true);
    await api.dbView.hideAllColumn(viewId, { ignoreIds: [people] });
    expect(await shows(people)).toBe(true);
    await api.dbView.showAllColumn(viewId, { ignoreIds: [people] });
    expect((await columns()).filter(({ show }) => Boolean(show)).length).toBeGreaterThan(1);
  });
});
