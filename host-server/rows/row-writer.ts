import type { RowInput, RowRestores, RowWrites, TableHandle, WriteAnswer } from '@trellis/sdk/server';
import type { CellValue, Row, RowKey } from '@trellis/sdk/shared';
import type { Unit } from '../sql/unit.ts';
import { admitCells } from './admit-cells.ts';
import { deleteRows } from './change-matching.ts';
import { createRevise } from './revise-cell.ts';
import { assertFewSearches, lockNamed, updateNamed } from './change-named.ts';
import { insertMany, insertOne } from './insert-rows.ts';
import { lockAll } from './lock-rows.ts';
import { createLinkChanges, type LinkedChanges } from './link-changes.ts';
import { createMatchingWrites } from './matching-writes.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { RecordedWrites, type Intent, type RecordedWritesDependencies } from './recorded-writes.ts';
import type { HostSchemaStore } from '../schema/schema-store.ts';
import { createRestore } from './restore-rows.ts';
import { rowErrors } from './row-errors.ts';
import { placedBeside } from './row-order.ts';
import { keyOf, whereOfKey, whereOfValues } from './row-keys.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import { byTitle, insertionsOf, keyRows, shownRow } from './row-values.ts';
import type { Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';
import { numbered } from './take-numbers.ts';
import { deletingAlong, takesAlong } from './taken-along.ts';
import { createUndo } from './undo-operation.ts';
import { WriteInput } from './write-input.ts';
import { assertUnseen, createTableWrites } from './writes-on-table.ts';

export type RowWriterDependencies = RecordedWritesDependencies &
  RowReaderDependencies & {
    readonly schema: HostSchemaStore;
    readonly tables: OpenTables;
  };

const ofOneRow = { isOfOneRow: true };

const permissionToDo = {
  insert: 'bulkDataInsert',
  update: 'bulkDataUpdate',
  delete: 'bulkDataDelete',
} as const;

/** Writes of rows with what the host itself needs of them. */
export interface HostRowWrites extends Omit<RowWrites, 'purge'>, RowRestores {
  /** As `update`, where the row holds these values (by title) at that moment; undefined also where it does not. */
  updateHolding(
    handle: TableHandle,
    key: RowKey,
    { held, values }: Readonly<Record<'held' | 'values', Readonly<Record<string, CellValue>>>>,
  ): Promise<WriteAnswer<Row | undefined>>;
  /**
   * Adds, changes and deletes rows of one table in one write.
   *
   * @param holdsStill asked at the beginning of the transaction; where it says no, nothing is written and the result is false
   */
  changeLinks(
    handle: TableHandle,
    changes: LinkedChanges,
    holdsStill?: (unit: Unit) => Promise<boolean>,
  ): Promise<WriteAnswer<boolean>>;
}

/** What the write takes that is asked about: of one row, of some, or of a new one. */
function permissionToAsk(keys: readonly RowKey[] | undefined): string {
  if (keys === undefined) return 'dataInsert';
  return keys.length === 1 ? 'dataUpdate' : 'bulkDataUpdate';
}

/** Writes of rows: each is one transaction together with its log entries. */
export function createRowWrites(deps: RowWriterDependencies): HostRowWrites {
  const { tables } = deps;
  const { onTable, atPlace } = createTableWrites(deps);
  const asked = new WriteInput(deps.hooks);
  const writes = new RecordedWrites(deps);

  const readAll = (inputs: readonly RowInput[]) => (open: OpenTable) => asked.readAll(open, inputs);

  async function updateOne(
    handle: TableHandle,
    key: RowKey,
    input: RowInput,
    held?: Readonly<Record<string, CellValue>>,
  ): Promise<WriteAnswer<Row | undefined>> {
    const answer = await onTable(handle, 'dataUpdate', async (open) => {
      const values = asked.read(open, input);
      if (values.size === 0) throw rowErrors.create('NOTHING_TO_UPDATE');
      const where = whereOfKey(open.plan, key);
      if (where === undefined) return { result: undefined, operationId: undefined };
      const [patch] = await asked.willUpdate(open, [{ key, values }]);
      const holding = held && [...where, ...whereOfValues(open.plan, held)];
      const update = async (write: TableWrite) => {
        const isHeld = holding === undefined || (await write.lockCells(holding)) !== undefined;
        const updated = isHeld ? await write.update(where, patch?.values ?? values) : undefined;
        if (updated === undefined) return { result: undefined, changes: [] };
        return {
          result: shownRow(open, updated.cells),
          changes: updated.change ? [updated.change] : [],
        };
      };
      const intents: readonly Intent[] = [{ op: 'update', key, values: patch?.values }];
      // Looking at the row first is a step of its own.
      return writes.run(open, intents, update, { isOfOneRow: holding === undefined });
    });
    if (answer.result === undefined) await assertUnseen(tables, handle, key);
    return answer;
  }

  return {
    create: (handle, input, place) =>
      atPlace(
        { place, handle, permission: 'dataInsert', check: (open) => asked.read(open, input) },
        async (open) => {
          const read = await asked.willCreate(open, [asked.read(open, input)]);
          const [values = new Map()] = await numbered(deps.metadata, open, read);
          const insert = async (write: TableWrite) => {
            const [placed = values] = place === undefined ? [] : await placedBeside(write, [values], place);
            const { cells, change } = await insertOne(write, placed);
            return { result: shownRow(open, cells), changes: [change] };
          };
          // Where it stands among others is looked at first.
          const isOfOneRow = open.plan.rowOrder === undefined;
          return writes.run(open, [{ op: 'insert', values }], insert, { isOfOneRow });
        },
      ),

    check: (handle, input, keys) =>
      onTable(handle, permissionToAsk(keys), async (open) => {
        const values = asked.read(open, input);
        if (keys === undefined) {
          const [kept = values] = await asked.willCreate(open, [values]);
          return byTitle(kept);
        }
        if (values.size === 0) throw rowErrors.create('NOTHING_TO_UPDATE');
        const patches = keys.map((key) => ({ key, values }));
        // Of no row hooks have nothing to say; the types of the columns have.
        const [patch] =
          patches.length === 0 ? await admitCells(open, [{ values }]) : await asked.willUpdate(open, patches);
        return byTitle(patch?.values ?? values);
      }),

    createMany: (handle, inputs, { place, copyOf } = {}) =>
      atPlace({ place, handle, permission: 'bulkDataInsert', check: readAll(inputs) }, async (open) => {
        if (inputs.length === 0) return { result: [], operationId: undefined };
        const read = readAll(inputs)(open);
        const rows = await numbered(deps.metadata, open, await asked.willCreate(open, read, { copyOf }));
        const intents = rows.map((values): Intent => ({ op: 'insert', values }));
        return writes.run(open, intents, async (write) => {
          const inserted = await insertMany(
            write,
            place === undefined ? rows : await placedBeside(write, rows, place),
          );
          return {
            result: keyRows(open.plan, inserted),
            changes: [],
            alike: insertionsOf(open.plan, inserted),
          };
        });
      }),

    move: (handle, keys, place) =>
      atPlace(
        {
          place,
          handle,
          permission: 'bulkDataUpdate',
          moves: { keys, none: { result: 0, operationId: undefined } },
        },
        async (open) => {
          const moved = [...new Set(keys)].filter((key) => key !== place.row);
          const wheres = moved
            .map((key) => whereOfKey(open.plan, key))
            .filter((where) => where !== undefined);
          const intents = moved.map((key): Intent => ({ op: 'update', key }));
          return writes.run(open, intents, async (write) => {
            await lockAll(write, [...moved, place.row]);
            const nothing = wheres.map((): Values => new Map());
            const placed = await placedBeside(write, nothing, place);
            const patches = wheres.map((where, index) => ({ where, values: placed[index] ?? new Map() }));
            const { found, changes } = await updateNamed(write, patches);
            return { result: found.filter(Boolean).length, changes };
          });
        },
      ),

    update: (handle, key, input) => updateOne(handle, key, input),

    revise: createRevise({ tables, asked, writes, onTable }),

    updateHolding: (handle, key, { held, values }) => updateOne(handle, key, values, held),

    updateMany: (handle, inputs) =>
      onTable(handle, 'bulkDataUpdate', async (open) => {
        const named = asked.readAllNamed(open, inputs).flatMap((values) => {
          const key = asked.takeKey(open.plan, values);
          return key === undefined ? [] : [{ key, values: values as Values }];
        });
        const shown = await asked.willUpdate(open, named);
        const patches = named.map((patch, index) => shown[index] ?? patch);
        const intents = patches.map(({ key, values }): Intent => ({ op: 'update', key, values }));
        return writes.run(open, intents, async (write) => {
          await lockAll(
            write,
            patches.map(({ key }) => key),
          );
          // A key that no row can have, and a patch of which a hook left nothing, update nothing.
          const meant = patches.flatMap(({ key, values }, index) => {
            const where = whereOfKey(open.plan, key);
            return where === undefined || values.size === 0 ? [] : [{ index, where, values }];
          });
          const { found, changes } = await updateNamed(write, meant);
          const updated = new Set(meant.filter((_, at) => found[at] === true).map(({ index }) => index));
          return { result: patches.map((_, index) => (updated.has(index) ? 1 : 0)), changes };
        });
      }),

    changeLinks: createLinkChanges({ ...deps, asked, writes, permissionToDo, onTable }),

    async delete(handle, key) {
      const answer = await onTable(handle, 'dataDelete', async (open) => {
        const where = whereOfKey(open.plan, key);
        if (where === undefined) return { result: 0, operationId: undefined };
        await asked.willDelete(open, [key]);
        const intents: readonly Intent[] = [{ op: 'delete', key }];
        const remove = async (write: TableWrite) => {
          const change = await write.delete(where);
          return change === undefined ? [] : [change];
        };
        if (!takesAlong(open)) {
          const removeOne = async (write: TableWrite) => {
            const changes = await remove(write);
            return { result: changes.length, changes };
          };
          return writes.run(open, intents, removeOne, ofOneRow);
        }
        return writes.run(open, intents, async (write) => {
          const { rows } = await write.unit.rows(write.lockQuery(where));
          const done = await deletingAlong(write, tables, rows, () => remove(write));
          return { result: done.changes.length, ...done };
        });
      });
      if (answer.result === 0) await assertUnseen(tables, handle, key);
      return answer;
    },

    deleteMany: (handle, inputs) =>
      onTable(handle, 'bulkDataDelete', async (open) => {
        const conditions = inputs.flatMap((input, index) =>
          Object.keys(input).length > 0 ? [asked.condition(open, input, index + 1)] : [],
        );
        assertFewSearches(conditions);
        const intents = conditions.map(({ key }): Intent => ({ op: 'delete', key }));
        return writes.run(open, intents, async (write) => {
          await lockAll(
            write,
            conditions.map(({ key }) => key),
          );
          const targets = await lockNamed(
            write,
            conditions.map(({ key, where }) => ({ where, isKey: key !== undefined })),
          );
          const rows = targets.flat();
          await asked.willDelete(
            open,
            rows.map((cells) => keyOf(open.plan, cells)),
            { within: open.database },
          );
          const done = await deletingAlong(write, tables, rows, () => deleteRows(write, rows));
          return { result: targets.map(({ length }) => length), ...done };
        });
      }),

    ...createMatchingWrites({ ...deps, asked, writes, onTable }),

    restore: createRestore({ ...deps, asked, writes, onTable }),

    undo: createUndo({ ...deps, asked, writes, permissionToDo, onTable }),
  };
}
