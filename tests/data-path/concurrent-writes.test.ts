import { expect, test } from '@jest/globals';
import type { ValuesByColumn } from '@trellis/sdk/server';
import { formatRowKey, type CellValue } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';
import { recorded as recordedChanges } from './recorded.ts';

const cities = {
  title: 'Cities',
  columns: [
    { title: 'Id', columnName: 'id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'People', type: 'Number' },
  ],
};

describeEachMetadata('writes at the same moment', (open) => {
  async function start() {
    const database = await open();
    const path = await createDataPath(database);
    const scope = await path.newProject('Atlas');
    const table = await path.schema.createTable(scope, cities);
    const people = table.columnByTitle.get('People')?.id ?? '';
    const { rowStore, handleOf } = path;

    /** The number of people before and after each change of each row, as recorded. */
    async function recorded() {
      const changes = await recordedChanges(database, table.id);
      const valueIn = (values: ValuesByColumn | undefined) => values?.[people];
      const byRow = new Map<
        string,
        { op: string; from: CellValue | undefined; to: CellValue | undefined }[]
      >();
      for (const { op, rowKey = '', before, after } of changes) {
        const of = byRow.get(rowKey) ?? [];
        byRow.set(rowKey, [...of, { op, from: valueIn(before), to: valueIn(after) }]);
      }
      return byRow;
    }

    async function stored() {
      const rows = await rowStore.list(await handleOf(scope, table.id), {}, { limit: 1000, offset: 0 });
      return new Map(rows.map((row) => [formatRowKey([row['Id'] ?? null]), row['People'] ?? null]));
    }

    return { ...path, scope, table, recorded, stored };
  }

  test('are recorded one after the other, each from what the one before it left', async () => {
    const { rowStore, handleOf, scope, table, recorded, stored, dispose } = await start();
    await rowStore.createMany(
      await handleOf(scope, table.id),
      Array.from({ length: 6 }, (_, index) => ({ Name: 'n', People: -1 - index })),
    );
    const keys = [...(await stored()).keys()];
    let next = 0;
    // No two writes set the same number, so the numbers tell in which order they happened.
    const number = () => (next += 1);
    const calls = Array.from({ length: 60 }, (_, index) => {
      const key = keys[index % keys.length] ?? '';
      const other = keys[(index * 5 + 1) % keys.length] ?? '';
      switch (index % 10) {
        case 3:
          return async () =>
            rowStore.updateMany(await handleOf(scope, table.id), [
              { Id: key, People: number() },
              { Id: other, People: number() },
            ]);
        case 6:
          return async () =>
            rowStore.updateAll(
              await handleOf(scope, table.id),
              { where: `(Id,eq,${key})` },
              { People: number() },
            );
        case 9:
          return async () =>
            index > 40
              ? rowStore.delete(await handleOf(scope, table.id), key)
              : rowStore.read(await handleOf(scope, table.id), key);
        default:
          return async () => rowStore.update(await handleOf(scope, table.id), key, { People: number() });
      }
    });
    await Promise.all(calls.map((call) => call()));

    const rows = await stored();
    const changes = await recorded();
    expect([...changes.keys()].toSorted()).toEqual(keys.toSorted());
    for (const [key, of] of changes) {
      const inserted = of.find((change) => change.op === 'insert');
      const deleted = of.find((change) => change.op === 'delete');
      const steps = new Map(of.filter((change) => change.op === 'update').map(({ from, to }) => [from, to]));
      expect(steps.size).toBe(of.filter((change) => change.op === 'update').length);
      let at = inserted?.to;
      for (let left = steps.size; left > 0; left -= 1) {
        expect([key, [...steps.keys()]]).toEqual([key, expect.arrayContaining([at])]);
        at = steps.get(at);
      }
      expect(deleted === undefined ? rows.get(key) : deleted.from).toEqual(at);
      expect(rows.has(key)).toBe(deleted === undefined);
    }
    await dispose();
  });

  test('take an operation back once, and never over somebody else’s change', async () => {
    const { rowStore, handleOf, scope, table, stored, dispose } = await start();
    const outcomeOf = (operationId = '') =>
      rowStore.undo(scope, operationId).then(
        () => 'undone',
        (error: unknown) => `refused with ${(error as { status?: number }).status}`,
      );
    const twinsOf = async (operationId: string | undefined) =>
      (await Promise.all([1, 2, 3].map(() => outcomeOf(operationId)))).toSorted();
    const once = ['refused with 409', 'refused with 409', 'undone'];
    for (let round = 0; round < 5; round += 1) {
      const { result } = await rowStore.create(await handleOf(scope, table.id), { People: 1 });
      const key = rowStore.keyOf(table, result) ?? '';
      const people = async () => Number((await stored()).get(key));
      const changed = await rowStore.update(await handleOf(scope, table.id), key, { People: 2 });
      expect(await twinsOf(changed.operationId)).toEqual(once);
      expect(await people()).toBe(1);

      const again = await rowStore.update(await handleOf(scope, table.id), key, { People: 3 });
      const [, outcome] = await Promise.all([
        rowStore.update(await handleOf(scope, table.id), key, { People: 4 }),
        outcomeOf(again.operationId),
      ]);
      expect(once).toContain(outcome);
      expect(await people()).toBe(4);

      const deleted = await rowStore.delete(await handleOf(scope, table.id), key);
      expect(await twinsOf(deleted.operationId)).toEqual(once);
      expect(await people()).toBe(4);
    }
    await dispose();
  });

  test('delete a row once, and what is recorded is what was deleted', async () => {
    const { rowStore, handleOf, scope, table, recorded, dispose } = await start();
    for (let round = 0; round < 5; round += 1) {
      const { result } = await rowStore.create(await handleOf(scope, table.id), { People: 1 });
      const key = rowStore.keyOf(table, result) ?? '';
      const [, ...deleted] = await Promise.all([
        rowStore.update(await handleOf(scope, table.id), key, { People: 2 }),
        rowStore.delete(await handleOf(scope, table.id), key),
        rowStore.deleteMany(await handleOf(scope, table.id), [{ Id: key }]),
        rowStore.deleteAll(await handleOf(scope, table.id), { where: `(Id,eq,${key})` }),
      ]);
      const count = deleted.map(({ result: of }) => Number(of));
      expect(count.reduce((sum, of) => sum + of, 0)).toBe(1);
      const changes = (await recorded()).get(key) ?? [];
      const updated = changes.some((change) => change.op === 'update');
      const gone = changes.filter((change) => change.op === 'delete').map(({ from }) => Number(from));
      expect(gone).toEqual([updated ? 2 : 1]);
    }
    await dispose();
  });

  test('of the same rows in any order wait for each other and all succeed', async () => {
    const { rowStore, handleOf, scope, table, schema, dispose } = await start();
    const stays = await schema.createTable(scope, {
      title: 'Stays',
      columns: [
        { title: 'Hotel', type: 'SingleLineText', primaryKey: true, required: true },
        { title: 'Room', type: 'Number', primaryKey: true, required: true },
        { title: 'People', type: 'Number' },
      ],
    });
    for (const of of [table, stays]) {
      const rows = Array.from({ length: 20 }, (_, index) => ({
        People: 0,
        ...(of === stays && { Hotel: index % 2 === 0 ? 'Ritz' : 'adlon', Room: index }),
      }));
      const { result: keys } = await rowStore.createMany(await handleOf(scope, of.id), rows);
      await Promise.all(
        Array.from({ length: 15 }, async (_, call) => {
          if (call % 5 === 4)
            return rowStore.updateAll(await handleOf(scope, of.id), {}, { People: call }, { everyRow: true });
          const inOrder = call % 2 === 0 ? keys : keys.toReversed();
          return rowStore.updateMany(
            await handleOf(scope, of.id),
            inOrder.map((key) => ({ ...key, People: call })),
          );
        }),
      );
      const deleted = await Promise.all([
        rowStore.deleteMany(await handleOf(scope, of.id), keys),
        rowStore.deleteMany(await handleOf(scope, of.id), keys.toReversed()),
      ]);
      const count = deleted.flatMap(({ result }) => result).reduce((sum, gone) => sum + gone, 0);
      expect(count).toBe(keys.length);
    }
    await dispose();
  });
});
