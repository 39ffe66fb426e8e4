import { setImmediate } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { ManualClock } from '@trellis/core';
import { Purges } from '../../host-server/changes/retention/purges.ts';
import type { Database } from '../../host-server/databases/index.ts';
import { writeSetting } from '../../host-server/metadata/settings.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createServerHooks } from '../../host-server/plugins/server-hooks.ts';
import { createDataPath } from './data-path.ts';

const counted = {
  title: 'People',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Title', type: 'SingleLineText' },
  ],
};
const named = {
  title: 'Places',
  columns: [
    { title: 'Code', type: 'SingleLineText', primaryKey: true, required: true },
    { title: 'Title', type: 'SingleLineText' },
  ],
};

const textOf = (value: unknown) => JSON.stringify(value).replaceAll('"', '');
const byText = (left: string, right: string) => left.localeCompare(right);

async function start(database: Database, table: typeof counted | typeof named) {
  const path = await createDataPath(database);
  const { rowStore } = path;
  const scope = await path.newProject('Purged');
  const { id } = await path.schema.createTable(scope, table);
  const handle = await path.handleOf(scope, id);
  const purge = (operationId: string | undefined) =>
    rowStore.purge(scope, operationId ?? '', (rows) => ({
      type: 'DATA',
      subType: 'PURGE',
      principal: scope.principal,
      ...(scope.projectId !== undefined && { projectId: scope.projectId }),
      description: `${rows} purged`,
    }));
  return {
    path,
    scope,
    handle,
    rowStore,
    tableId: id,
    purge,
    undo: (operationId: string | undefined) => rowStore.undo(scope, operationId ?? ''),
    remove: async (...keys: readonly string[]) => {
      const rows = keys.map((key) => ({ [table === named ? 'Code' : 'Id']: key }));
      return (await rowStore.deleteMany(handle, rows)).operationId ?? '';
    },
    titles: async () =>
      (await rowStore.list(handle, {}, { limit: 10, offset: 0 }))
        .map(({ Title }) => textOf(Title))
        .toSorted(byText),
    trash: async () =>
      (await rowStore.deletions(scope, { limit: 10 })).map(({ operationId, names }) => [operationId, names]),
    stored: async () =>
      JSON.stringify(
        await database.read((unit) => unit.all(unit.knex('trellis_log_entry').select('rows', 'details'))),
      ),
    audited: async () =>
      (await path.audit.list(scope, { limit: 100, offset: 0 }))
        .filter(({ subType }) => subType === 'PURGE')
        .map(({ description }) => description),
  };
}

describeEachMetadata('rows that are deleted for good', (open) => {
  test('stay away when another deletion of them is taken back, and the rows beside them come back', async () => {
    const { path, rowStore, handle, purge, undo, remove, titles, stored } = await start(
      await open(),
      counted,
    );
    await rowStore.createMany(handle, [{ Title: 'secret' }, { Title: 'kept' }]);
    const both = await remove('1', '2');
    await undo(both);
    expect(await purge(await remove('1'))).toBe(1);
    expect(await stored()).not.toContain('secret');
    const second = await remove('2');
    expect(await undo(both)).toMatchObject({ result: 1, purged: 1 });
    expect(await titles()).toEqual(['kept']);
    expect(await undo(await remove('2'))).toMatchObject({ result: 1, purged: 0 });
    await expect(undo(second)).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
    await path.dispose();
  });

  test('take nothing from a row that was there before under the same key', async () => {
    const { path, rowStore, handle, purge, undo, remove, titles, trash, stored } = await start(
      await open(),
      named,
    );
    await rowStore.createMany(handle, [
      { Code: 'A', Title: 'one' },
      { Code: 'B', Title: 'two' },
    ]);
    const both = await remove('A', 'B');
    const told: unknown[] = [];
    path.hooks.tap('test', 'rows.didPurge', ({ keys }) => void told.push(...keys));
    await rowStore.create(handle, { Code: 'B', Title: 'secret' });
    await rowStore.update(handle, 'B', { Title: 'secret by now' });
    await purge(await remove('B'));
    expect(await stored()).not.toContain('secret');
    expect(await trash()).toEqual([[both, ['one', 'two']]]);
    expect(await undo(both)).toMatchObject({ result: 2, purged: 0 });
    expect(await titles()).toEqual(['one', 'two']);
    // Who keeps something of rows by their keys is told of those that are nobody's now.
    await rowStore.create(handle, { Code: 'C', Title: 'three' });
    const three = await remove('A', 'C');
    await rowStore.create(handle, { Code: 'C', Title: 'four' });
    await purge(three);
    expect(told).toEqual(['B', 'A']);
    await path.dispose();
  });

  test('are those that a deletion took, whatever stands under the key of its first row since', async () => {
    const { path, rowStore, handle, purge, undo, remove, titles, trash, stored } = await start(
      await open(),
      named,
    );
    const told: unknown[] = [];
    path.hooks.tap('test', 'rows.didPurge', ({ keys }) => void told.push(...keys));
    await rowStore.createMany(handle, [
      { Code: 'A', Title: 'secret' },
      { Code: 'B', Title: 'secret' },
    ]);
    const both = await remove('A', 'B');
    await rowStore.create(handle, { Code: 'A', Title: 'another' });
    await rowStore.update(handle, 'A', { Title: 'another by now' });
    expect(await trash()).toEqual([[both, ['secret', 'secret']]]);
    await expect(undo(both)).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
    // Once the key is free the rows come back, and the deletion is none any more.
    const another = await remove('A');
    expect(await undo(both)).toMatchObject({ result: 2 });
    expect(await trash()).toEqual([[another, ['another by now']]]);
    await expect(purge(both)).rejects.toMatchObject({ code: 'OPERATION_UNKNOWN' });

    const again = await remove('A', 'B');
    await rowStore.create(handle, { Code: 'A', Title: 'third' });
    expect(await purge(again)).toBe(2);
    expect(told).toEqual(['B']);
    expect(await stored()).not.toContain('secret');
    expect(await titles()).toEqual(['third']);
    expect(await trash()).toEqual([[another, ['another by now']]]);
    await path.dispose();
  });

  test('are followed through undo to where they were added, past another row under the same key', async () => {
    const { path, rowStore, handle, purge, undo, remove, titles, stored } = await start(await open(), named);
    await rowStore.create(handle, { Code: 'A', Title: 'secret' });
    const first = await remove('A');
    await rowStore.create(handle, { Code: 'A', Title: 'kept' });
    const second = await remove('A');
    await undo(first);
    await purge(await remove('A'));
    expect(await stored()).not.toContain('secret');
    await expect(undo(first)).rejects.toMatchObject({ code: 'UNDO_PURGED' });
    expect(await undo(second)).toMatchObject({ result: 1, purged: 0 });
    expect(await titles()).toEqual(['kept']);
    await path.dispose();
  });

  test('are not taken for another row by undo of what was done to them', async () => {
    const { path, rowStore, handle, purge, undo, remove, titles } = await start(await open(), named);
    const { operationId: added } = await rowStore.create(handle, { Code: 'A', Title: 'secret' });
    const { operationId: changed } = await rowStore.update(handle, 'A', { Title: 'secret by now' });
    await purge(await remove('A'));
    await rowStore.create(handle, { Code: 'A', Title: 'another' });
    for (const operation of [added, changed])
      await expect(undo(operation)).rejects.toMatchObject({ status: 409, code: 'UNDO_PURGED' });
    expect(await titles()).toEqual(['another']);
    await path.dispose();
  });

  test.each(['asked again', 'by the job', 'by an undo'])(
    'are emptied to the end after a cut (%s), and listed and audited once',
    async (how) => {
      const database = await open();
      const { path, scope, rowStore, handle, purge, undo, remove, trash, stored, audited } = await start(
        database,
        counted,
      );
      for (const Title of ['secret one', 'secret two', 'kept']) await rowStore.create(handle, { Title });
      const both = await remove('1', '2');
      const write = database.write.bind(database);
      let writes = 0;
      const cut = jest.spyOn(database, 'write').mockImplementation((async (work, options) => {
        const found = await write(async (unit) => {
          const answer = await work(unit);
          const [row] = await unit.all<{ readonly key: string }>(
            unit.knex('trellis_setting').where('key', 'like', 'log.purge.%').select('key'),
          );
          if (row !== undefined) writes += 1;
          if (writes > 1) throw new Error('killed');
          return answer;
        }, options);
        return found;
      }) as typeof database.write);
      await expect(purge(both)).rejects.toThrow('killed');
      cut.mockRestore();
      expect(await stored()).toContain('secret');
      expect(await trash()).toEqual([]);
      expect(await audited()).toEqual(['2 purged']);

      if (how === 'asked again') expect(await purge(both)).toBe(2);
      if (how === 'by the job') await new Purges(path).finish();
      await expect(undo(both)).rejects.toMatchObject({ code: 'UNDO_PURGED' });
      expect(await stored()).not.toContain('secret');
      expect(await stored()).toContain('kept');
      await expect(purge(both)).rejects.toMatchObject({ code: 'OPERATION_UNKNOWN' });
      expect(await audited()).toEqual(['2 purged']);
      expect(await rowStore.deletions(scope, { limit: 10 })).toEqual([]);
      await path.dispose();
    },
  );

  test('keep back no others that are marked where they cannot be emptied', async () => {
    const database = await open();
    const { path, scope, rowStore, handle, remove, stored } = await start(database, counted);
    await rowStore.createMany(handle, [{ Title: 'one' }, { Title: 'two' }]);
    const titles = new Map([
      [await remove('1'), 'one'],
      [await remove('2'), 'two'],
    ]);
    await database.write(async (unit) => {
      for (const operationId of titles.keys())
        await writeSetting(unit, `log.purge.${operationId}`, scope.projectId ?? '');
    });
    const purges = new Purges(path);
    const [broken, whole] = (await purges.marked()).map(({ operationId }) => operationId);
    await database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_log_entry')
          .where({ operation_id: broken ?? '' })
          .update({ rows: '{' }),
      ),
    );
    await expect(purges.finishAll(new AbortController().signal)).rejects.toMatchObject({
      message: expect.stringContaining(broken ?? 'none'),
      errors: [expect.any(SyntaxError)],
    });
    expect((await purges.marked()).map(({ operationId }) => operationId)).toEqual([broken]);
    expect(await stored()).toContain(titles.get(broken ?? ''));
    expect(await stored()).not.toContain(titles.get(whole ?? ''));
    await path.dispose();
  });

  test('keep no other row from coming back or going for good where they cannot be emptied', async () => {
    const database = await open();
    const { path, scope, rowStore, handle, purge, undo, remove, titles, stored } = await start(
      database,
      counted,
    );
    const { schema, handleOf } = path;
    await rowStore.createMany(handle, [{ Title: 'secret' }, { Title: 'second' }, { Title: 'third' }]);
    const other = await handleOf(scope, (await schema.createTable(scope, named)).id);
    const { operationId: added } = await rowStore.create(other, { Code: 'A', Title: 'kept' });
    const { operationId: changed } = await rowStore.update(handle, '1', { Title: 'secret by now' });
    const former = await remove('1');
    await undo(former);
    const [broken, second, third] = [await remove('1'), await remove('2'), await remove('3')];
    const spoil = (operationId: string) =>
      database.write((unit) =>
        unit.run(unit.knex('trellis_log_entry').where({ operation_id: operationId }).update({ rows: '{' })),
      );
    await database.write((unit) => writeSetting(unit, `log.purge.${broken}`, scope.projectId ?? ''));
    await spoil(former);
    expect(await undo(second)).toMatchObject({ result: 1, purged: 0 });
    expect(await titles()).toEqual(['second']);
    expect(await purge(third)).toBe(1);
    expect(await stored()).not.toContain('third');
    await expect(undo(broken)).rejects.toMatchObject({ code: 'UNDO_PURGED' });
    await expect(undo(changed)).rejects.toMatchObject({
      code: 'UNDO_PURGE_UNFINISHED',
      message: expect.stringContaining(broken),
    });

    // Nobody knows which rows of the table these are.
    await spoil(broken);
    await expect(undo(broken)).rejects.toMatchObject({ code: 'UNDO_PURGED' });
    await expect(undo(await remove('2'))).rejects.toMatchObject({ code: 'UNDO_PURGE_UNFINISHED' });
    expect(await undo(added)).toMatchObject({ result: 1 });
    await path.dispose();
  });

  test('are gone though a plugin that keeps something of rows never answers, which is told of all of them', async () => {
    const database = await open();
    const { path, scope, rowStore, handle, remove } = await start(database, counted);
    const rows = Array.from({ length: 1200 }, () => ({ Title: 'secret' }));
    const keys = (await rowStore.createMany(handle, rows)).result.map(({ Id }) => textOf(Id));
    const deletion = await remove(...keys);
    await database.write((unit) => writeSetting(unit, `log.purge.${deletion}`, scope.projectId ?? ''));
    const clock = new ManualClock();
    const hooks = createServerHooks({ onContained: () => undefined, limit: 5000, clock });
    const told: unknown[] = [];
    hooks.tap('silent', 'rows.didPurge', async ({ keys: some }) => {
      told.push(...some);
      await new Promise(() => {});
    });
    const purges = new Purges({ metadata: path.metadata, hooks });
    const finishing = purges.finish();
    while (clock.waiting === 0) await setImmediate();
    clock.advance(5000);
    await finishing;
    expect(told).toHaveLength(1200);
    expect(await purges.marked()).toEqual([]);
    await path.dispose();
  });

  test('are gone or back, not both, where somebody purges them while another one restores them', async () => {
    const { path, rowStore, handle, purge, undo, remove, stored } = await start(await open(), counted);
    for (let round = 1; round <= 4; round += 1) {
      const rows = Array.from({ length: 600 }, () => ({ Title: `secret ${round}` }));
      const keys = (await rowStore.createMany(handle, rows)).result.map(({ Id }) => textOf(Id));
      const deletion = await remove(...keys);
      const calls = [() => purge(deletion), () => undo(deletion)];
      const [first, second] = round % 2 === 0 ? calls : calls.toReversed();
      const done = await Promise.allSettled([first?.(), second?.()]);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const isBack = (await rowStore.count(handle, {})) === 600;
      expect((await stored()).includes(`secret ${round}`)).toBe(isBack);
      if (isBack) await remove(...keys);
    }
    await path.dispose();
  });

  test('are all forgotten where several deletions of rows that were added together are purged at once', async () => {
    const { path, rowStore, handle, purge, remove, stored } = await start(await open(), counted);
    await rowStore.createMany(
      handle,
      Array.from({ length: 8 }, () => ({ Title: 'secret' })),
    );
    const deletions: string[] = [];
    for (let key = 1; key <= 8; key += 1) deletions.push(await remove(String(key)));
    expect(await Promise.all(deletions.map((each) => purge(each)))).toEqual(deletions.map(() => 1));
    expect(await stored()).not.toContain('secret');
    await path.dispose();
  });
});
