import { setTimeout as delay } from 'node:timers/promises';
import { TrellisError } from '@trellis/core';
import type { RowPlace, TableHandle } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import type { Metadata } from '../metadata/metadata.ts';
import { selectOne } from '../query/select.ts';
import { openedTable } from '../schema/opened-table.ts';
import type { HostSchemaStore } from '../schema/schema-store.ts';
import { inParts } from '../sql/in-parts.ts';
import { requireWrite, type OpenTable, type OpenTables } from './open-table.ts';
import { readOptions, workByKey } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';

/** People who change views and columns all the time must not keep a row from being written. */
const mostTries = 5;

/** Milliseconds by which each further try waits longer. */
const pause = 50;

/** Milliseconds. */
const readLimit = 15_000;
const keysPerRead = 200;

/** A write of rows that may be meant to stand beside another one. */
interface PlacedWrite<Answer> {
  readonly place: RowPlace | undefined;
  readonly handle: TableHandle;
  readonly permission: string;
  /** Throws where nothing could be written. */
  readonly check?: (open: OpenTable) => unknown;
  /** The rows that are moved, where none are added, and the answer where none of them is there. */
  readonly moves?: { readonly keys: readonly RowKey[]; readonly none: Answer };
}

interface TableWritesDependencies {
  readonly schema: Pick<HostSchemaStore, 'open' | 'arrangeRows'>;
  readonly tables: OpenTables;
  readonly metadata: Pick<Metadata, 'generations'>;
}

type Write<Answer> = (open: OpenTable) => Promise<Answer>;

/** Runs a write that is done again where the schema changed meanwhile. */
export type OnTable = <Answer>(
  given: TableHandle,
  permission: string,
  write: Write<Answer>,
) => Promise<Answer>;

/** Writes that go on while tables change, and tables that are made ready for them. */
export function createTableWrites({ schema, tables, metadata: { generations } }: TableWritesDependencies) {
  /** Does a write of a caller who has the permission for it; one that began before a change of the schema is done again by the schema as it is now. */
  async function onTable<Answer>(
    given: TableHandle,
    permission: string,
    write: Write<Answer>,
  ): Promise<Answer> {
    let handle = given;
    for (let tries = 1; ; tries += 1) {
      requireWrite(handle, permission);
      try {
        return await write(await tables.open(openedTable(handle).changing()));
      } catch (error) {
        const isStale = error instanceof TrellisError && error.code === 'SCHEMA_CHANGED';
        if (!isStale || tries === mostTries) throw error;
        if (tries > 1) await delay(pause * tries);
        await generations.poll();
        handle = await schema.open(given.scope, given.table.id, given.view?.id);
      }
    }
  }

  /**
   * Gives the rows of a table an order in which one can be put beside another. Undefined where there is nothing to put.
   *
   * @throws TrellisError 404 `ROW_MISSING` where there is no row to put it beside.
   */
  async function arranged(
    place: RowPlace,
    { handle, permission, check, moves }: PlacedWrite<unknown>,
  ): Promise<TableHandle | undefined> {
    requireWrite(handle, permission);
    // Moving a row takes the right to change rows. It is checked first, since the rest reads rows.
    handle.scope.require('dataUpdate');
    const open = await tables.open(openedTable(handle).changing());
    check?.(open);
    if (open.own) {
      if (!(await isThere(open, [place.row])))
        throw rowErrors.create('ROW_MISSING', { table: handle.table.title });
      if (moves !== undefined && !(await isThere(open, moves.keys))) return undefined;
    }
    const { scope, table, view } = handle;
    await schema.arrangeRows(scope, table.id, place.signal);
    return schema.open(scope, table.id, view?.id);
  }

  return {
    onTable,

    /** As `onTable`, once the table has an order of its rows where one is meant to stand beside another. */
    async atPlace<Answer>(asked: PlacedWrite<Answer>, write: Write<Answer>): Promise<Answer> {
      const { place, handle, permission, moves } = asked;
      const isReady = place === undefined || handle.table.rowOrder !== undefined;
      const ready = isReady ? handle : await arranged(place, asked);
      if (ready === undefined && moves !== undefined) return moves.none;
      return onTable(ready ?? handle, permission, write);
    },
  };
}

/**
 * For a row that a write did not find.
 *
 * @throws TrellisError 403 `ROW_NOT_CHANGEABLE` where the caller sees it and may not change it.
 */
export async function assertUnseen(tables: OpenTables, given: TableHandle, key: RowKey): Promise<void> {
  const handle = openedTable(given);
  if (handle.changing() === handle) return;
  if (await isThere(await tables.open(handle), [key]))
    throw rowErrors.create('ROW_NOT_CHANGEABLE', { table: handle.table.title });
}

/** Whether one of these rows is there for the caller. */
async function isThere(open: OpenTable, keys: readonly RowKey[]): Promise<boolean> {
  const { plan, context, handle } = open;
  const rule = handle.scope.rowPredicate(handle.table.id);
  const columns = plan.key.map(({ column }) => column);
  const wheres = keys.map((key) => whereOfKey(plan, key)).filter((where) => where !== undefined);
  const options = readOptions(handle.scope, workByKey(plan), { timeoutMs: readLimit });
  for (const part of inParts(wheres, keysPerRead)) {
    const statements = part.map((where) => selectOne(context, columns, columnsOf(where), { rule }));
    const found = await open.database.read((unit) => unit.batch(statements), options);
    if (found.some(({ rows }) => rows.length > 0)) return true;
  }
  return false;
}
