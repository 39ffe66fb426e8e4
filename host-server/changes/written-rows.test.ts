import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../metadata/testing.ts';
import type { RowChange } from './row-change.ts';
import { createTestLog, loggedTable, rowChange as change } from './testing.ts';
import { createFindWrittenRows } from './written-rows.ts';

const table = loggedTable();

describeEachMetadata('the rows that were written since a moment', (open, dialect) => {
  async function start() {
    const { database, metadata, statementsOf, write: record } = await createTestLog(await open());
    const rows = createFindWrittenRows(metadata)(table.id);
    const statements = (changes: readonly RowChange[]) => statementsOf({ table, changes });
    const write = (...changes: readonly RowChange[]) => record({ table, changes });
    const since = (mark: number) => database.read((unit) => rows.since(unit, mark));
    return { database, rows, statements, write, since };
  }

  test('are those that were inserted or changed, each named once', async () => {
    const { rows, write, since } = await start();
    await write(change('insert', '1'));
    const mark = await rows.mark();
    expect(await since(mark)).toEqual([]);
    await write(change('update', '1'), change('insert', '2'));
    await write(change('update', '2'), change('delete', '3'));
    expect((await since(mark))?.toSorted()).toEqual(['1', '2']);
  });

  // Only one transaction at a time writes to a file.
  if (dialect === 'sqlite') return;

  test('are also those of a transaction that was open then, under a number smaller than the newest', async () => {
    const { database, rows, statements, write, since } = await start();
    let opened = (): void => {};
    let commit = (): void => {};
    const isOpen = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    await write(change('insert', '1'));
    const slow = database.write(async (unit) => {
      await unit.batch(statements([change('update', '1')]));
      opened();
      await mayCommit;
    });
    await isOpen;
    await write(change('insert', '2'));
    const mark = await rows.mark();
    commit();
    await slow;
    expect(await since(mark)).toContain('1');
  });
});
