import { expect, test } from '@jest/globals';
import type { SortKey } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { multiSelect, singleSelect } from '../../plugins/columns-select/shared/index.ts';
import { createDataPath } from './data-path.ts';

const options = (titles: readonly string[]) => ({
  options: titles.map((title) => ({ id: title.toLowerCase(), title, color: '#ffffff' })),
});

describeEachMetadata('columns of options', (open) => {
  async function startTable() {
    const path = await createDataPath(await open());
    for (const type of [singleSelect, multiSelect]) path.columnTypes.register(type, 'columns-select');
    const scope = await path.newProject('Work');
    const { id } = await path.schema.createTable(scope, {
      title: 'Tasks',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'State', type: 'SingleSelect', meta: options(['Open', 'late', 'Über', 'Done', 'Do']) },
        { title: 'Tags', type: 'MultiSelect', meta: options(['red', 'green', 'blue']) },
      ],
    });
    const handle = await path.schema.open(scope, id);
    const column = (title: string) => handle.table.columnByTitle.get(title)?.id ?? '';
    const { rowStore } = path;
    const sorted = async (title: string, direction: SortKey['direction']) =>
      (
        await rowStore.list(
          handle,
          { sort: [`${direction === 'desc' ? '-' : ''}${title}`] },
          { limit: 50, offset: 0 },
        )
      ).map((row) => row[title]);
    return { path, rowStore, handle, column, sorted };
  }

  const states = ['Done', 'zzz', null, 'Über', 'Open', 'late', 'Do', 'Aaa', 'open'];
  const statesInOrder = [null, 'Open', 'Open', 'late', 'Über', 'Done', 'Do', 'Aaa', 'zzz'];

  test('are sorted by the order of their options, with what is no option behind them', async () => {
    const { path, rowStore, handle, sorted } = await startTable();
    await rowStore.createMany(
      handle,
      states.map((State) => ({ State })),
    );
    expect(await sorted('State', 'asc')).toEqual(statesInOrder);
    expect(await sorted('State', 'desc')).toEqual(statesInOrder.toReversed());
    await path.dispose();
  });

  test('are sorted by the first of several options', async () => {
    const { path, rowStore, handle, sorted } = await startTable();
    const tags = ['blue', 'green,red', 'pink,red', 'red,blue', null, 'green', 'red'];
    await rowStore.createMany(
      handle,
      tags.map((Tags) => ({ Tags })),
    );
    const inOrder = [null, 'red', 'red,blue', 'green', 'green,red', 'blue', 'pink,red'];
    expect(await sorted('Tags', 'asc')).toEqual(inOrder);
    expect(await sorted('Tags', 'desc')).toEqual(inOrder.toReversed());
    await path.dispose();
  });

  test('are grouped in the same order, with and without figures', async () => {
    const { path, rowStore, handle, column } = await startTable();
    await rowStore.createMany(
      handle,
      states.map((State) => ({ State })),
    );
    const different = [...new Set(statesInOrder)];
    const figures = async (direction: SortKey['direction']) =>
      (
        await rowStore.groupFigures(handle, { groups: [{ columnId: column('State'), direction }] }, [])
      )[0]?.map(({ values }) => values[0]);
    expect(await figures('asc')).toEqual(different);
    expect(await figures('desc')).toEqual(different.toReversed());
    const groups = await rowStore.groups(handle, {}, { by: 'State', perGroup: 1 });
    expect(groups.map(({ value }) => value)).toEqual(different);
    await path.dispose();
  });

  test('are sorted by their new order once it changes', async () => {
    const { path, rowStore, handle, column } = await startTable();
    await rowStore.createMany(
      handle,
      ['late', 'Done', 'Open'].map((State) => ({ State })),
    );
    const { scope } = handle;
    const sortedBy = async (titles: readonly string[]) => {
      await path.schema.updateColumn(scope, column('State'), {
        meta: { ...options(titles), acceptLoss: true },
      });
      const now = await path.schema.open(scope, handle.table.id);
      return (await rowStore.list(now, { sort: ['State'] }, { limit: 50, offset: 0 })).map(
        ({ State }) => State,
      );
    };
    expect(await sortedBy(['Done', 'Open', 'late', 'Über', 'Do'])).toEqual(['Done', 'Open', 'late']);
    await path.dispose();
  });
});
