import { setTimeout as delay } from 'node:timers/promises';
import { TrellisError } from '@trellis/core';
import type {
  EveryRow,
  RowInput,
  RowPlace,
  RowQuery,
  RowWrites,
  TableHandle,
  WriteAnswer,
} from '@trellis/sdk/server';
import type { CellValue, Row, RowKey } from '@trellis/sdk/shared';
import type { RowChange } from '../changes/row-change.ts';
import type { Unit } from '../sql/unit.ts';
import { type CompiledQuery } from '../query/select.ts';
import { deleteMatching, updateMatching } from '../query/write.ts';
import { deleteRows, updateRows } from './change-matching.ts';
import { assertFewSearches, lockNamed, stillHolding, updateNamed } from './change-named.ts';
import { insertMany, insertOne } from './insert-rows.ts';
import { admitCells } from './admit-cells.ts';
import { lockAll } from './lock-rows.ts';
import { matchingKeys, matchingRows } from './matching-rows.ts';
import { requireWrite, type OpenTable, type OpenTables } from './open-table.ts';
import { RecordedWrites, type Intent, type RecordedWritesDependencies } from './recorded-writes.ts';
import type { HostSchemaStore } from '../schema/schema-store.ts';
import { rowErrors } from './row-errors.ts';
import { placedBeside } from './row-order.ts';
import { keyOf, whereOfCells, whereOfKey, whereOfValues } from './row-keys.ts';
import { createResolve } from './resolve-query.ts';
import { countRows, type RowReaderDependencies } from './row-reader.ts';
import { byColumnId, insertionOf, insertionsOf, keyRows, shownRow } from './row-values.ts';
import type { Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';
import { numbered } from './take-numbers.ts';
import { deletingAlong, takesAlong } from './taken-along.ts';
import { createUndo } from './undo-operation.ts';
import { WriteInput } from './write-input.ts';

export type RowWriterDependencies = RecordedWritesDependencies &
  RowReaderDependencies & {
    readonly schema: HostSchemaStore;
    readonly tables: OpenTables;
  };

/** People who change views and columns all the time must not keep a row from being written. */
const mostTries = 5;

/** Milliseconds by which each further try waits longer. */
const pause = 50;

const ofOneRow = { isOfOneRow: true };

const permissionToDo = {
  insert: 'bulkDataInsert',
  update: 'bulkDataUpdate',
  delete: 'bulkDataDelete',
} as const;

/** What becomes of the rows of a table that hold links. */
export interface LinkedChanges {
  readonly inserts?: readonly RowInput[];
  /** Rows that do not hold `held` (by title) any more stay as they are. */
  readonly updates?: readonly {
    readonly key: RowKey;
    readonly values: Readonly<Record<string, CellValue>>;
    readonly held?: Readonly<Record<string, CellValue>>;
  }[];
  readonly deletes?: readonly RowKey[];
}

/** Writes of rows with what the host itself needs of them. */
export interface HostRowWrites extends RowWrites {
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

/** Writes of rows: one transaction each, with its change records. */
export function createRowWrites(deps: RowWriterDependencies): HostRowWrites {
  const { schema, tables } = deps;
  const { generations } = deps.metadata;
  const resolve = createResolve(deps);
  const asked = new WriteInput(deps.hooks);
  const writes = new RecordedWrites(deps);

  /** Does a write of a caller who has the permission for it; one that began before a change of the schema is done again by the schema as it is now. */
  async function onTable<Answer>(
    given: TableHandle,
    permission: string,
    write: (open: OpenTable) => Promise<Answer>,
  ): Promise<Answer> {
    let handle = given;
    for (let tries = 1; ; tries += 1) {
      requireWrite(handle, permission);
      try {
        return await write(await tables.open(handle));
      } catch (error) {
        const isStale = error instanceof TrellisError && error.code === 'SCHEMA_CHANGED';
        if (!isStale || tries === mostTries) throw error;
        if (tries > 1) await delay(pause * tries);
        await generations.poll();
        handle = await schema.open(given.scope, given.table.id, given.view?.id);
      }
    }
  }

  /** As `onTable`, once the rows of the table have an order in which one can be put beside another. */
  async function arranged<Answer>(
    handle: TableHandle,
    permission: string,
    write: (open: OpenTable) => Promise<Answer>,
  ): Promise<Answer> {
    requireWrite(handle, permission);
    const { scope, table, view } = handle;
    await schema.arrangeRows(scope, table.id);
    return onTable(await schema.open(scope, table.id, view?.id), permission, write);
  }

  /** As `onTable`, for rows that may be meant to stand beside another one. */
  function atPlace<Answer>(
    place: RowPlace | undefined,
    handle: TableHandle,
    permission: string,
    write: (open: OpenTable) => Promise<Answer>,
  ): Promise<Answer> {
    if (place === undefined || handle.table.rowOrder !== undefined) return onTable(handle, permission, write);
    return arranged(handle, permission, write);
  }

  /** @throws TrellisError 400 `CONFIRM_ALL` for a query that asks nothing, unless the caller says that every row is meant. */
  async function resolveSome(
    open: OpenTable,
    query: RowQuery,
    consent: EveryRow = {},
  ): Promise<CompiledQuery> {
    const { compiled, asksNothing } = resolve(open, query);
    if (asksNothing && consent.everyRow !== true)
      throw rowErrors.create('CONFIRM_ALL', {
        count: await countRows(deps.memory, { open, compiled }),
      });
    return compiled;
  }

  function updateOne(
    handle: TableHandle,
    key: RowKey,
    input: RowInput,
    held?: Readonly<Record<string, CellValue>>,
  ): Promise<WriteAnswer<Row | undefined>> {
    return onTable(handle, 'dataUpdate', async (open) => {
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
  }

  return {
    create: (handle, input, place) =>
      atPlace(place, handle, 'dataInsert', async (open) => {
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
      }),

    createMany: (handle, inputs, { place, copyOf } = {}) =>
      atPlace(place, handle, 'bulkDataInsert', async (open) => {
        if (inputs.length === 0) return { result: [], operationId: undefined };
        const read = inputs.map((input, index) => asked.read(open, input, index + 1));
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
      atPlace(place, handle, 'bulkDataUpdate', async (open) => {
        const moved = [...new Set(keys)].filter((key) => key !== place.row);
        const wheres = moved.map((key) => whereOfKey(open.plan, key)).filter((where) => where !== undefined);
        const intents = moved.map((key): Intent => ({ op: 'update', key }));
        return writes.run(open, intents, async (write) => {
          await lockAll(write, [...moved, place.row]);
          const nothing = wheres.map((): Values => new Map());
          const placed = await placedBeside(write, nothing, place);
          const patches = wheres.map((where, index) => ({ where, values: placed[index] ?? new Map() }));
          const { found, changes } = await updateNamed(write, patches);
          return { result: found.filter(Boolean).length, changes };
        });
      }),

    update: (handle, key, input) => updateOne(handle, key, input),

    updateHolding: (handle, key, { held, values }) => updateOne(handle, key, values, held),

    updateMany: (handle, inputs) =>
      onTable(handle, 'bulkDataUpdate', async (open) => {
        const named = inputs.flatMap((input, index) => {
          const values = new Map(asked.read(open, input, index + 1));
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

    changeLinks: (handle, { inserts = [], updates = [], deletes = [] }, holdsStill) =>
      onTable(handle, 'bulkDataUpdate', async (open) => {
        const { plan } = open;
        if (inserts.length > 0) handle.scope.require(permissionToDo.insert);
        if (deletes.length > 0) handle.scope.require(permissionToDo.delete);
        if (inserts.length + updates.length + deletes.length === 0)
          return { result: true, operationId: undefined };
        const added = inserts.map((input) => asked.read(open, input));
        const rows = await numbered(deps.metadata, open, await asked.willCreate(open, added));
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
      }),

    delete: (handle, key) =>
      onTable(handle, 'dataDelete', async (open) => {
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
      }),

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

    updateAll: (handle, query, input, consent) =>
      onTable(handle, 'bulkDataUpdate', async (open) => {
        const { plan } = open;
        const read = asked.read(open, input);
        // The v1 API promises that a body which holds a key updates nothing: it means a row, not all of them.
        if ([...read.keys()].some(({ column }) => column.primaryKey))
          return { result: 0, operationId: undefined };
        if (read.size === 0) throw rowErrors.create('NOTHING_TO_UPDATE');
        const [{ values } = { values: read }] = await admitCells(open, [{ values: read }]);
        const compiled = await resolveSome(open, query, consent);
        const keys = await matchingKeys(deps.memory, open, compiled);
        return writes.run(open, [{ op: 'update', values }], async (write) => {
          const rows = await matchingRows(write, compiled, keys);
          if (rows === undefined) {
            asked.assertUnasked('rows.willUpdate', open);
            write.assertStaysWithin(values);
            const { changes } = await write.unit.run(updateMatching(compiled, write.assignments(values)));
            const set = { op: 'update', predicate: predicateText(handle, query), count: changes } as const;
            return { result: changes, changes: [], set: { ...set, patch: byColumnId(values) } };
          }
          const patches = await asked.willUpdate(
            open,
            rows.map((cells) => ({ key: keyOf(plan, cells), values })),
            { within: open.database },
          );
          if (patches.every((patch) => patch.values === values))
            return { result: rows.length, changes: await updateRows(write, rows, values) };
          const changes: RowChange[] = [];
          for (const [index, cells] of rows.entries()) {
            const patch = patches[index]?.values ?? values;
            const updated = await write.update(whereOfCells(plan, cells), patch);
            if (updated?.change) changes.push(updated.change);
          }
          return { result: rows.length, changes };
        });
      }),

    deleteAll: (handle, query, consent) =>
      onTable(handle, 'bulkDataDelete', async (open) => {
        const compiled = await resolveSome(open, query, consent);
        const keys = await matchingKeys(deps.memory, open, compiled);
        return writes.run(open, [{ op: 'delete' }], async (write) => {
          const rows = await matchingRows(write, compiled, keys);
          if (rows === undefined) {
            asked.assertUnasked('rows.willDelete', open);
            const { changes } = await write.unit.run(deleteMatching(compiled));
            const set = { op: 'delete', predicate: predicateText(handle, query), count: changes } as const;
            return { result: changes, changes: [], set: { ...set, patch: {} } };
          }
          await asked.willDelete(
            open,
            rows.map((cells) => keyOf(open.plan, cells)),
            { within: open.database },
          );
          const done = await deletingAlong(write, tables, rows, () => deleteRows(write, rows));
          return { result: done.changes.length, ...done };
        });
      }),

    undo: createUndo({ ...deps, asked, writes, permissionToDo, onTable }),
  };
}

/** The condition of a write to many rows, as the log keeps it. */
function predicateText({ view }: TableHandle, { where, filters }: RowQuery): string {
  return JSON.stringify({ viewId: view?.id, where, filters });
}
