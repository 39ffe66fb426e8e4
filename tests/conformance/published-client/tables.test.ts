import { expect, test } from '@jest/globals';
import { describeClient } from './ground.ts';

describeClient('tables and columns', ({ withCities }) => {
  test('makes, reads, renames and deletes tables and columns', async () => {
    const { api, projectId, table } = await withCities();
    const id = table.id ?? '';
    // The types of the client say less than it answers.
    const readTable = async (of: string) =>
      (await api.dbTable.read(of)) as unknown as { columns: { id: string; title: string }[] };
    expect((await api.dbTable.list(projectId)).list).toMatchObject([{ id, title: 'City' }]);
    const added = await api.dbTableColumn.create(id, {
      column_name: 'note',
      title: 'Note',
      uidt: 'LongText',
    } as never);
    const note = (added as unknown as { columns: { id: string; title: string }[] }).columns.find(
      (column) => column.title === 'Note',
    );
    await api.dbTableColumn.update(note?.id ?? '', { ...note, title: 'Remark' } as never);
    const titles = async () => (await readTable(id)).columns.map((column) => column.title);
    expect(await titles()).toEqual(['Id', 'Name', 'People', 'Remark']);
    await api.dbTableColumn.primaryColumnSet(note?.id ?? '');
    await api.dbTableColumn.delete(note?.id ?? '');
    expect(await titles()).toEqual(['Id', 'Name', 'People']);
    await api.dbTable.update(id, { title: 'Town' } as never);
    expect((await api.dbTable.read(id)).title).toBe('Town');
    await api.dbTable.delete(id);
    expect((await api.dbTable.list(projectId)).list).toEqual([]);
  });

  test('reads the options of a select from `dtxp` and keeps them when it sends the column back', async () => {
    const { api, table } = await withCities();
    type Select = {
      readonly id: string;
      readonly title: string;
      readonly dtxp: string;
      readonly colOptions: { readonly options: readonly object[] };
    };
    const area = (answer: unknown, title: string) => {
      const found = (answer as { columns: readonly Select[] }).columns.find((of) => of.title === title);
      if (found === undefined) throw new Error(`There is no column ${title}`);
      return found;
    };
    const made = area(
      await api.dbTableColumn.create(table.id ?? '', {
        column_name: 'area',
        title: 'Area',
        uidt: 'SingleSelect',
        dtxp: "'North','South pole'",
      } as never),
      'Area',
    );
    expect(made.dtxp).toBe("'North','South pole'");
    const rest = { ...made, colOptions: undefined };
    const renamed = await api.dbTableColumn.update(made.id, { ...rest, title: 'Region' } as never);
    expect(area(renamed, 'Region')).toMatchObject({
      title: 'Region',
      dtxp: made.dtxp,
      colOptions: made.colOptions,
    });
    const bare = { title: 'Region', column_name: 'area', uidt: 'SingleSelect' };
    const longer = await api.dbTableColumn.update(made.id, {
      ...bare,
      dtxp: "'North','South pole','East'",
    } as never);
    expect(area(longer, 'Region').colOptions.options).toEqual([
      ...made.colOptions.options,
      expect.objectContaining({ title: 'East', order: 3 }),
    ]);
  });
});
