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

  test('is not made for what cannot be put anywhere, nor when nobody waits for it any more', async () => {
    const leaving = new AbortController();
    let isLeaving = false;
    const path = await createDataPath(await open(), {
      async reach(point) {
        if (isLeaving && point === 'arrangeRows.added') leaving.abort();
        await Promise.resolve();
      },
    });
    const scope = await path.newProject('Untouched');
    const { id } = await path.schema.createTable(scope, steps);
    const handle = await path.handleOf(scope, id);
    await path.rowStore.createMany(handle, [{ Title: 'a' }, { Title: 'b' }]);
    const isArranged = async () => (await path.handleOf(scope, id)).table.rowOrder !== undefined;
    const move = (keys: readonly string[], row: string, signal?: AbortSignal) =>
      path.rowStore.move(handle, keys, { side: 'before', row, signal });
    await expect(move(['2'], '99')).rejects.toMatchObject({ code: 'ROW_MISSING' });
    await expect(move(['2'], 'none')).rejects.toMatchObject({ code: 'ROW_MISSING' });
    expect((await move(['99', 'none'], '1')).result).toBe(0);
    const wrong = { Title: { no: 'text' } } as never;
    const place = { side: 'after', row: '1' } as const;
    await expect(path.rowStore.create(handle, wrong, place)).rejects.toMatchObject({ status: 400 });
    await expect(path.rowStore.createMany(handle, [wrong], { place })).rejects.toMatchObject({ status: 400 });
    const readOnly = path.access.narrow(scope, { permissions: new Set(['dataInsert']) });
    const guest = await path.handleOf(readOnly, id);
    await expect(path.rowStore.create(guest, {}, place)).rejects.toMatchObject({ status: 403 });
    expect(await isArranged()).toBe(false);
    isLeaving = true;
    await expect(move(['2'], '1', leaving.signal)).rejects.toMatchObject({ kind: 'cancelled' });
    isLeaving = false;
    expect(await isArranged()).toBe(false);
    expect((await move(['2'], '1')).result).toBe(1);
    const rows = await path.rowStore.list(await path.handleOf(scope, id), {}, { limit: 9, offset: 0 });
    expect(rows.map(({ Title }) => Title)).toEqual(['b', 'a']);
    await path.dispose();
  });

  test('is at first the order in which rows were made, where their keys do not count', async () => {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Made');
    const { id } = await path.schema.createTable(scope, {
      title: 'Notes',
      columns: [
        { title: 'Code', type: 'SingleLineText', primaryKey: true, required: true },
        { title: 'Made', columnName: 'created_at', type: 'DateTime' },
      ],
    });
    const handle = await path.handleOf(scope, id);
    const codes = Array.from({ length: 1300 }, (_, at) => `note ${String(at).padStart(4, '0')}`);
    const made = (at: number) => new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString();
    await path.rowStore.createMany(
      handle,
      codes.map((Code, at) => ({ Code, Made: at < 1200 ? made(at) : null })),
    );
    await path.rowStore.move(handle, ['note 1299'], { side: 'before', row: 'note 0000' });
    const rows = await path.rowStore.list(await path.handleOf(scope, id), {}, { limit: 2000, offset: 0 });
    const [dated, undated] = [codes.slice(0, 1200).toReversed(), codes.slice(1200, -1)];
    const wanted = [...dated.slice(0, -1), 'note 1299', 'note 0000', ...undated];
    expect(rows.map(({ Code }) => Code)).toEqual(wanted);
    await path.dispose();
  });
});
