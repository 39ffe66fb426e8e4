import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath, expireLeases } from './data-path.ts';

const steps = {
  title: 'Steps',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Title', type: 'SingleLineText' },
  ],
};

describeEachMetadata('the order of rows', (open) => {
  test('is told to browsers when rows move, without the numbers that make it', async () => {
    const path = await createDataPath(await open(), { listens: true });
    const scope = await path.newProject('Told');
    const table = await path.schema.createTable(scope, steps);
    const handle = await path.handleOf(scope, table.id);
    await path.rowStore.createMany(handle, [{ Title: 'a' }, { Title: 'b' }]);
    const { operationId = '' } = await path.rowStore.move(handle, ['2'], { side: 'before', row: '1' });
    await path.rowStore.undo(scope, operationId);
    await path.rowStore.update(handle, '2', { Title: 'c' });
    const told = () => path.live.flatMap((event) => (event.kind === 'rows' ? event.changes : []));
    // PostgreSQL holds back what a transaction of somebody else might still come before.
    while (told().length < 5) await path.feed.catchUp();
    const changes = told();
    expect(changes.slice(2)).toEqual([
      { op: 'update', key: '2', row: {}, moved: true },
      { op: 'update', key: '2', row: {}, moved: true },
      { op: 'update', key: '2', row: { Title: 'c' } },
    ]);
    expect(path.contained).toEqual([]);
    await path.dispose();
  });

  test('is made once, also where the server that began it was killed', async () => {
    const database = await open();
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const killed = await createDataPath(database, {
      async reach(point) {
        if (point !== 'arrangeRows.added') return;
        arrive();
        await new Promise(() => {});
      },
    });
    const scope = await killed.newProject('Cut');
    const table = await killed.schema.createTable(scope, steps);
    const titles = Array.from({ length: 1500 }, (_, at) => `row ${at}`);
    await killed.rowStore.createMany(
      await killed.handleOf(scope, table.id),
      titles.map((Title) => ({ Title })),
    );
    void killed.rowStore.move(await killed.handleOf(scope, table.id), ['3'], { side: 'before', row: '1' });
    await arrived;
    await expireLeases(database);
    const other = await createDataPath(database);
    const handle = await other.handleOf(scope, table.id);
    // Added by a server that knows nothing of the order yet.
    await other.rowStore.create(handle, { Title: 'late' });
    await other.rowStore.move(handle, ['2'], { side: 'before', row: '1' });
    const rows = await other.rowStore.list(handle, {}, { limit: 2000, offset: 0 });
    const now = await other.handleOf(scope, table.id);
    const seen = await other.rowStore.list(now, {}, { limit: 2000, offset: 0 });
    expect(rows).toHaveLength(1501);
    expect(seen.map(({ Title }) => Title)).toEqual(['row 1', 'row 0', ...titles.slice(2), 'late']);
    await other.dispose();
    await killed.dispose();
  });
});
