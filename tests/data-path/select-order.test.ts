import { expect, test } from '@jest/globals';
import type { SortKey } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { multiSelect, singleSelect } from '../../plugins/columns-select/shared/index.ts';
import { lookupType } from '../../plugins/columns-relation/server/computed-types.ts';
import { linkType } from '../../plugins/columns-relation/server/link-type.ts';
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

  test('keep that order where other tables look them up, over several links too', async () => {
    const { path, rowStore, handle } = await startTable();
    for (const type of [linkType, lookupType]) path.columnTypes.register(type as never, 'columns-relation');
    const { scope, table } = handle;
    /** A table whose rows belong to those of another one, and that shows a column of it; gives the table as it then is. */
    const addBelow = async (title: string, parentId: string, shown: string | undefined) => {
      const { id } = await path.schema.createTable(scope, { title, columns: [{ title: 'Id', type: 'ID' }] });
      const linked = await path.schema.createColumn(scope, id, {
        title: 'Of',
        type: 'LinkToAnotherRecord',
        meta: { link: { parentId, childId: id, type: 'bt' } },
      });
      const relationColumnId = linked.columnByTitle.get('Of')?.id;
      const meta = { relationColumnId, columnId: shown };
      await path.schema.createColumn(scope, id, { title: 'State', type: 'Lookup', meta });
      return path.schema.open(scope, id);
    };
    const steps = await addBelow('Steps', table.id, table.columnByTitle.get('State')?.id);
    const notes = await addBelow('Notes', steps.table.id, steps.table.columnByTitle.get('State')?.id);
    const made = await rowStore.createMany(
      handle,
      states.map((State) => ({ State })),
    );
    let above = made.result.map(({ Id }) => Id);
    for (const below of [steps, notes]) {
      const key = below.table.columns.find(({ type }) => type === 'ForeignKey')?.title ?? '';
      const { result } = await rowStore.createMany(
        below,
        above.map((row) => ({ [key]: row })),
      );
      above = result.map(({ Id }) => Id);
      const rows = await rowStore.list(below, { sort: ['State'] }, { limit: 50, offset: 0 });
      expect(rows.map(({ State }) => State)).toEqual(statesInOrder);
      const columnId = below.table.columnByTitle.get('State')?.id ?? '';
      const groups = [{ columnId, direction: 'asc' }] as const;
      const [figures] = await rowStore.groupFigures(below, { groups }, []);
      expect(figures?.map(({ values }) => values[0])).toEqual([...new Set(statesInOrder)]);
    }
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
