import type { RowInput, TableHandle, WriteAnswer } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import { deleteRows } from './change-matching.ts';
import { lockNamed, stillHolding, updateNamed } from './change-named.ts';
import { insertMany } from './insert-rows.ts';
import { lockAll } from './lock-rows.ts';
import type { Intent, RecordedWrites } from './recorded-writes.ts';
import { whereOfKey, whereOfValues } from './row-keys.ts';
import { insertionOf } from './row-values.ts';
import { numbered } from './take-numbers.ts';
import type { WriteInput } from './write-input.ts';
import type { OnTable } from './writes-on-table.ts';

/** The changes to the rows of a table that hold links. */
export interface LinkedChanges {
  readonly inserts?: readonly RowInput[];
  /** A row that no longer has the values `held` (by title) stays unchanged. */
  readonly updates?: readonly {
    readonly key: RowKey;
    readonly values: Readonly<Record<string, CellValue>>;
    readonly held?: Readonly<Record<string, CellValue>>;
  }[];
  readonly deletes?: readonly RowKey[];
}

interface LinkChangesDependencies {
  readonly onTable: OnTable;
  readonly metadata: Metadata;
  readonly asked: WriteInput;
  readonly writes: RecordedWrites;
  readonly permissionToDo: Readonly<Record<'insert' | 'delete', string>>;
}

/** Adds, changes and deletes the rows of one table that hold links, in one write. */
export function createLinkChanges({
  metadata,
  asked,
  writes,
  permissionToDo,
  onTable,
}: LinkChangesDependencies) {
  return (
    handle: TableHandle,
    { inserts = [], updates = [], deletes = [] }: LinkedChanges,
    holdsStill?: (unit: Unit) => Promise<boolean>,
  ): Promise<WriteAnswer<boolean>> =>
    onTable(handle, 'bulkDataUpdate', async (open) => {
      const { plan } = open;
      if (inserts.length > 0) handle.scope.require(permissionToDo.insert);
      if (deletes.length > 0) handle.scope.require(permissionToDo.delete);
      if (inserts.length + updates.length + deletes.length === 0)
        return { result: true, operationId: undefined };
      const added = inserts.map((input) => asked.read(open, input));
      const rows = await numbered(metadata, open, await asked.willCreate(open, added));
      const named = updates.map(({ key, values }) => ({ key, values: asked.read(open, values) }));
      const patches = await asked.willUpdate(open, named);
      await asked.willDelete(open, deletes);
      const intents: readonly Intent[] = [
        ...deletes.map((key) => ({ op: 'delete', key }) as const),
        ...patches.map(({ key, values }) => ({ op: 'update', key, values }) as const),
        ...rows.map((values) => ({ op: 'insert', values }) as const),
      ];
      return writes.run(open, intents, async (write) => {
        if ((await holdsStill?.(write.unit)) === false) return { result: false, changes: [] };
        await lockAll(write, [...deletes, ...updates.map(({ key }) => key)]);
        const gone = deletes.flatMap((key) => {
          const where = whereOfKey(plan, key);
          return where === undefined ? [] : [{ where, isKey: true }];
        });
        const deleted = await deleteRows(write, (await lockNamed(write, gone)).flat());
        const meant = patches.flatMap(({ key, values }, index) => {
          const where = whereOfKey(plan, key);
          const { held = {} } = updates[index] ?? {};
          return where === undefined ? [] : [{ where, values, holding: whereOfValues(plan, held) }];
        });
        const { changes } = await updateNamed(write, await stillHolding(write, meant));
        const inserted = rows.length === 0 ? [] : await insertMany(write, rows);
        const insertions = inserted.map((cells) => insertionOf(plan, cells));
        return { result: true, changes: [...deleted, ...changes, ...insertions] };
      });
    });
}
