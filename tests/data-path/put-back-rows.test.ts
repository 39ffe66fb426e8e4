import { expect, test } from '@jest/globals';
import type { ValuesByColumn } from '@trellis/sdk/server';
import type { Database } from '../../host-server/databases/index.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

const codes = {
  title: 'Codes',
  columns: [{ title: 'Code', type: 'SingleLineText', primaryKey: true, required: true }],
};
const pairs = {
  title: 'Pairs',
  columns: ['Left', 'Right'].map((title) => ({
    title,
    type: 'SingleLineText',
    primaryKey: true,
    required: true,
  })),
};
const people = {
  title: 'People',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
  ],
};

async function start(database: Database, table: typeof codes | typeof pairs | typeof people) {
  const path = await createDataPath(database);
  const scope = await path.newProject('Put back');
  const { id } = await path.schema.createTable(scope, table);
  const handle = await path.handleOf(scope, id);
  const byColumn = (rows: readonly object[]) =>
    rows.map((row): ValuesByColumn =>
      Object.fromEntries(
        Object.entries(row).map(([title, value]) => [handle.table.columnByTitle.get(title)?.id ?? '', value]),
      ),
    );
  return {
    path,
    restore: (rows: readonly object[]) => path.rowStore.restore(handle, byColumn(rows), { mayBeThere: true }),
    list: () => path.rowStore.list(handle, {}, { limit: 10, offset: 0 }),
  };
}

describeEachMetadata('rows of a backup that are put back once more', (open) => {
  test.each([
    ['a table that has a key alone', codes, [{ Code: 'a' }, { Code: 'b' }], [{ Code: 'c' }]],
    [
      'a table that lies between two',
      pairs,
      [
        { Left: 'a', Right: 'a' },
        { Left: 'a', Right: 'b' },
      ],
      [{ Left: 'b', Right: 'a' }],
    ],
  ])('are there once, with those that had not come, in %s', async (_, table, first, others) => {
    const { path, restore, list } = await start(await open(), table);
    const all = [...first, ...others];
    await restore(first);
    expect(await restore(first)).toEqual({ refused: {}, unlinked: {}, leftOut: 0 });
    expect(await restore(all)).toEqual({ refused: {}, unlinked: {}, leftOut: 0 });
    expect(await list()).toMatchObject(all);
    expect(await list()).toHaveLength(all.length);
    await path.dispose();
  });

  test('are as they were where nothing but their keys comes, and have what comes with them', async () => {
    const { path, restore, list } = await start(await open(), people);
    await restore([
      { Id: 1, Name: 'Ada' },
      { Id: 2, Name: 'Bob' },
    ]);
    await restore([{ Id: 1 }, { Id: 2, Name: 'Bert' }, { Id: 3, Name: 'Cleo' }]);
    expect(await list()).toMatchObject([
      { Id: 1, Name: 'Ada' },
      { Id: 2, Name: 'Bert' },
      { Id: 3, Name: 'Cleo' },
    ]);
    await path.dispose();
  });
});
