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
});
