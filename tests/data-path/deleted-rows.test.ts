import { expect, jest, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

const people = {
  title: 'People',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Title', type: 'SingleLineText' },
  ],
};

describeEachMetadata('deleted rows', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Kept');
    const table = await path.schema.createTable(scope, people);
    const handle = await path.handleOf(scope, table.id);
    await path.rowStore.createMany(
      handle,
      ['a', 'b', 'c', 'd', 'e'].map((Title) => ({ Title })),
    );
    const list = async () =>
      (await path.rowStore.deletions(scope, { limit: 10 })).map(({ count, names, table: of }) => ({
        table: of.title,
        count,
        names,
      }));
    return { path, scope, table, handle, list };
  }

  test('are listed by the call that deleted them, the newest first, until they are back', async () => {
    const { path, scope, handle, list } = await start();
    const { rowStore } = path;
    await rowStore.delete(handle, '1');
    await rowStore.deleteMany(
      handle,
      ['2', '3', '4', '5'].map((Id) => ({ Id })),
    );
    expect(await list()).toEqual([
      { table: 'People', count: 4, names: ['b', 'c', 'd'] },
      { table: 'People', count: 1, names: ['a'] },
    ]);
    const [newest] = await rowStore.deletions(scope, { limit: 1 });
    await rowStore.undo(scope, newest?.operationId ?? '');
    expect(await list()).toEqual([{ table: 'People', count: 1, names: ['a'] }]);
    // What is back hides nothing that is still gone.
    expect(await rowStore.deletions(scope, { limit: 1 })).toHaveLength(1);
    expect(await rowStore.count(handle, {})).toBe(4);
    await path.dispose();
  });

  test('that were only added by mistake and taken back are not among them', async () => {
    const { path, scope, handle, list } = await start();
    const { operationId = '' } = await path.rowStore.create(handle, { Title: 'wrong' });
    await path.rowStore.undo(scope, operationId);
    expect(await list()).toEqual([]);
    await path.dispose();
  });

  test('that undo brought back and took away again are among them, come back from there, and can be forgotten for good', async () => {
    const { path, scope, handle, list } = await start();
    const { rowStore } = path;
    const newest = async () => (await rowStore.deletions(scope, { limit: 1 }))[0]?.operationId ?? '';
    const { operationId = '' } = await rowStore.delete(handle, '1');
    const { operationId: back = '' } = await rowStore.undo(scope, operationId);
    await rowStore.undo(scope, back);
    expect(await list()).toEqual([{ table: 'People', count: 1, names: ['a'] }]);
    expect(await rowStore.undo(scope, await newest())).toMatchObject({ result: 1 });
    expect(await list()).toEqual([]);
    const { operationId: once = '' } = await rowStore.delete(handle, '1');
    const { operationId: more = '' } = await rowStore.undo(scope, once);
    await rowStore.undo(scope, more);
    expect(await rowStore.purge(scope, await newest())).toBe(1);
    expect(await list()).toEqual([]);
    expect((await rowStore.history(handle, '1', { limit: 20 })).every(({ change }) => change.isPurged)).toBe(
      true,
    );
    await path.dispose();
  });

  test('of deleted tables, and of tables of which only some rows are in reach, are not told of', async () => {
    const { path, scope, table, handle, list } = await start();
    await path.rowStore.delete(handle, '1');
    const rule = jest.spyOn(scope, 'rowPredicate').mockReturnValue({ kind: 'always', value: true });
    expect(await list()).toEqual([]);
    rule.mockRestore();
    expect(await list()).toHaveLength(1);
    await path.schema.deleteTable(scope, table.id);
    expect(await list()).toEqual([]);
    await path.dispose();
  });

  test('are forgotten for good with all that they ever held, and the rows beside them are not', async () => {
    const database = await open();
    const path = await createDataPath(database);
    const { rowStore } = path;
    const scope = await path.newProject('Purged');
    const table = await path.schema.createTable(scope, people);
    const handle = await path.handleOf(scope, table.id);
    const titles = ['kept first', 'secret one', 'secret two', 'kept last', 'secret three'];
    await rowStore.createMany(
      handle,
      titles.map((Title) => ({ Title })),
    );
    await rowStore.update(handle, '2', { Title: 'secret by now' });
    const { operationId: several = '' } = await rowStore.deleteMany(handle, [{ Id: '2' }, { Id: '3' }]);
    const { operationId: single = '' } = await rowStore.delete(handle, '5');
    const operations = async () =>
      (await rowStore.deletions(scope, { limit: 10 })).map(({ operationId }) => operationId);
    const stored = async () =>
      JSON.stringify(
        await database.read((unit) => unit.all(unit.knex('trellis_log_entry').select('rows', 'details'))),
      );
    expect(await operations()).toEqual([single, several]);

    expect(await rowStore.purge(scope, several)).toBe(2);
    expect(await operations()).toEqual([single]);
    expect(await stored()).not.toMatch(/secret (one|two|by now)/);
    expect(await stored()).toMatch(/kept first.*kept last.*secret three/);
    const history = async (key: string) =>
      (await rowStore.history(handle, key, { limit: 10 })).map(({ change }) => [
        change.op,
        change.isPurged ?? false,
        Object.keys({ ...change.before, ...change.after }).length > 0,
      ]);
    expect(await history('2')).toEqual([
      ['delete', true, false],
      ['update', true, false],
      ['insert', true, false],
    ]);
    expect(await history('1')).toEqual([['insert', false, true]]);
    await expect(rowStore.undo(scope, several)).rejects.toMatchObject({ status: 409, code: 'UNDO_PURGED' });
    await expect(rowStore.purge(scope, several)).rejects.toMatchObject({ code: 'OPERATION_UNKNOWN' });

    // What is back, and what somebody may not see, is not theirs to forget.
    const rule = jest.spyOn(scope, 'rowPredicate').mockReturnValue({ kind: 'always', value: true });
    await expect(rowStore.purge(scope, single)).rejects.toMatchObject({ code: 'OPERATION_UNKNOWN' });
    rule.mockRestore();
    await rowStore.undo(scope, single);
    await expect(rowStore.purge(scope, single)).rejects.toMatchObject({ code: 'OPERATION_UNKNOWN' });
    expect(await rowStore.read(handle, '5')).toMatchObject({ Title: 'secret three' });
    await path.dispose();
  });
});
