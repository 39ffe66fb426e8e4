import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('the history of a row', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Atlas');
    const table = await path.schema.createTable(scope, {
      title: 'Cities',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
        { title: 'People', type: 'Number' },
      ],
    });
    const id = (title: string) => table.columnByTitle.get(title)?.id ?? '';
    return { ...path, scope, table, id, handle: await path.handleOf(scope, table.id) };
  }

  test('tells who changed what, the newest first, page by page, and goes on after the row is gone', async () => {
    const { rowStore, handle, id, dispose } = await start();
    await rowStore.createMany(handle, [{ Name: 'a' }, { Name: 'b' }, { Name: 'c' }]);
    await rowStore.update(handle, '2', { Name: 'B' });
    await rowStore.updateAll(handle, { where: '(Id,gt,1)' }, { People: 5 });
    const deleted = await rowStore.delete(handle, '2');
    await rowStore.undo(handle.scope, deleted.operationId ?? '');
    const entries = await rowStore.history(handle, '2', { limit: 10 });
    expect(entries.map(({ change }) => `${change.op} ${change.origin}`)).toEqual([
      'insert undo',
      'delete api',
      'update api',
      'update api',
      'insert api',
    ]);
    expect(entries[3]?.change).toMatchObject({
      before: { [id('Name')]: 'b' },
      after: { [id('Name')]: 'B' },
      rowKey: '2',
    });
    const first = await rowStore.history(handle, '2', { limit: 2 });
    const rest = await rowStore.history(handle, '2', { limit: 10, before: first.at(-1)?.seq });
    expect([...first, ...rest]).toEqual(entries);
    expect(await rowStore.history(handle, '99', { limit: 10 })).toEqual([]);
    await dispose();
  });

  test('is no way to write a column that the caller may not change', async () => {
    const { access, rowStore, scope, table, handle, id, dispose } = await start();
    await rowStore.create(handle, { Name: 'a', People: 7 });
    const patched = await rowStore.update(handle, '1', { People: 8 });
    const narrowed = access.narrow(scope, {
      columns: new Map([[table.id, { writable: new Set([id('Name')]) }]]),
    });
    await expect(rowStore.undo(narrowed, patched.operationId ?? '')).rejects.toMatchObject({
      status: 403,
      code: 'UNDO_FORBIDDEN',
    });
    expect(await rowStore.read(handle, '1')).toMatchObject({ Name: 'a' });
    expect(await rowStore.history(handle, '1', { limit: 10 })).toHaveLength(2);
    const renamed = await rowStore.update(handle, '1', { Name: 'b' });
    await rowStore.undo(narrowed, renamed.operationId ?? '');
    expect(await rowStore.read(handle, '1')).toMatchObject({ Name: 'a' });
    await dispose();
  });

  test('tells only of columns that the caller may read', async () => {
    const { access, rowStore, handleOf, scope, table, handle, id, dispose } = await start();
    await rowStore.create(handle, { Name: 'a', People: 7 });
    const narrowed = access.narrow(scope, {
      columns: new Map([[table.id, { readable: new Set([id('Id'), id('Name')]) }]]),
    });
    const entries = await rowStore.history(await handleOf(narrowed, table.id), '1', { limit: 10 });
    expect(entries.map(({ change }) => Object.keys(change.after ?? {}).toSorted())).toEqual([
      [id('Id'), id('Name')].toSorted(),
    ]);
    await dispose();
  });
});
