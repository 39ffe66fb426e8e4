import { TrellisError } from '@trellis/core';
import type { LinkedPair, LinkedRowWrites, LinkSchema, TableHandle, TableSchema } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import { selectWhere } from '../query/select.ts';
import { openedTable, type OpenedTable } from '../schema/opened-table.ts';
import { emptiedColumns, linkingCells } from './link-ends.ts';
import { linkOf } from './linked-rows.ts';
import { readOptions } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfValues } from './row-keys.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import type { HostRowWrites } from './row-writer.ts';
import { planLinks } from './set-links/set-links.ts';
import { assertUnseen } from './writes-on-table.ts';

/** Plans for cells that others keep setting; each time at least one of them is done. */
const mostTries = 20;

/** What holds the link between two rows: the foreign key of one of them. */
interface Holder {
  readonly handle: OpenedTable;
  readonly key: string;
  /** The values of the other row, by the titles of the foreign key's columns. */
  readonly values: Readonly<Record<string, CellValue>>;
}

/**
 * Links between rows, written as what they are: cells of a foreign key, or rows of a junction table. Who links two rows or takes a link
 * away may change the row that the call is about and sees the other one; where that one holds the foreign key, it may be changed, too.
 */
export function createLinkedRowWrites(deps: RowReaderDependencies, writes: HostRowWrites): LinkedRowWrites {
  const { tables, memory } = deps;

  /** Counts of both tables may go by the link. */
  function touch(link: LinkSchema): void {
    memory.touch(link.tableId);
    memory.touch(link.toTableId);
  }

  function tableOf({ snapshot }: OpenedTable, tableId: string): TableSchema {
    const table = snapshot.tables.get(tableId);
    if (table === undefined) throw rowErrors.create('ROW_MISSING', { table: '' });
    return table;
  }

  /**
   * The values by which the row is linked that a call is about, which has to be one that the caller may change.
   *
   * @throws TrellisError 404 where it is not there for the caller, 403 `ROW_NOT_CHANGEABLE` where it is seen and may not be changed.
   */
  async function nearCells(handle: OpenedTable, key: RowKey, columnIds: readonly string[]) {
    const near = handle.whole();
    try {
      return await linkingCells(await tables.open(near.changing()), key, columnIds);
    } catch (error) {
      if (error instanceof TrellisError && error.code === 'ROW_MISSING')
        await assertUnseen(tables, near, key);
      throw error;
    }
  }

  /** @throws TrellisError 404 for a row that is not there for the caller. */
  async function holderOf(
    handle: OpenedTable,
    link: LinkSchema,
    { key, other }: LinkedPair,
  ): Promise<Holder> {
    const there = handle.linked(tableOf(handle, link.toTableId));
    const isChild = link.kind === 'belongsTo';
    if (isChild) {
      const values = await linkingCells(await tables.open(there), other, link.toColumnIds);
      return { handle: handle.whole(), key, values: byTitle(handle.table, link.columnIds, values) };
    }
    const values = await nearCells(handle, key, link.columnIds);
    return { handle: there, key: other, values: byTitle(there.table, link.toColumnIds, values) };
  }

  /** The row of the junction table that says that the two are linked, as it is written. */
  async function junctionRow(handle: OpenedTable, link: LinkSchema, { key, other }: LinkedPair) {
    const { through } = link;
    if (through === undefined) throw rowErrors.create('ROW_MISSING', { table: handle.table.title });
    const there = handle.linked(tableOf(handle, link.toTableId));
    const near = await nearCells(handle, key, link.columnIds);
    const far = await linkingCells(await tables.open(there), other, link.toColumnIds);
    const junction = handle.linked(tableOf(handle, through.tableId));
    const values = {
      ...byTitle(junction.table, through.columnIds, near),
      ...byTitle(junction.table, through.toColumnIds, far),
    };
    return { junction, values };
  }

  async function isThere(
    junction: OpenedTable,
    values: Readonly<Record<string, CellValue>>,
  ): Promise<boolean> {
    const open = await tables.open(junction);
    const where = whereOfValues(open.plan, values);
    const statement = selectWhere(open.context, junction.table.primaryKey, columnsOf(where));
    const { rows } = await open.database.read(
      (unit) => unit.rows(statement),
      readOptions(junction.scope, 'page', { timeoutMs: 15_000 }),
    );
    return rows.length > 0;
  }

  return {
    async link(given, pair) {
      const handle = openedTable(given);
      handle.scope.require('relationDataAdd');
      const link = linkOf(handle, pair.linkId);
      if (link.kind !== 'manyToMany') {
        const { handle: child, key, values } = await holderOf(handle, link, pair);
        const { result, operationId } = await writes.update(child, key, values);
        if (result === undefined) throw rowErrors.create('ROW_MISSING', { table: child.table.title });
        touch(link);
        return { result: child.table.id, operationId };
      }
      const { junction, values } = await junctionRow(handle, link, pair);
      const done = { result: junction.table.id, operationId: undefined };
      if (await isThere(junction, values)) return done;
      try {
        const { operationId } = await writes.create(junction, values);
        touch(link);
        return { result: junction.table.id, operationId };
      } catch (error) {
        // Somebody else linked them a moment ago.
        if (await isThere(junction, values)) return done;
        throw error;
      }
    },

    async unlink(given, pair) {
      const handle = openedTable(given);
      handle.scope.require('relationDataRemove');
      const link = linkOf(handle, pair.linkId);
      if (link.kind !== 'manyToMany') {
        const { handle: child, key, values: held } = await holderOf(handle, link, pair);
        const titles = Object.keys(held);
        const ids = titles.flatMap((title) => child.table.columnByTitle.get(title)?.id ?? []);
        const now = await linkingCells(await tables.open(child), key, ids);
        const nothing = { result: child.table.id, operationId: undefined };
        if (formatRowKey(now) !== formatRowKey(Object.values(held))) return nothing;
        const emptied = emptiedColumns(child.table, ids);
        const values = byTitle(
          child.table,
          emptied,
          emptied.map(() => null),
        );
        // Somebody else may link the row to another one until it is written.
        const { result, operationId } = await writes.updateHolding(child, key, { held, values });
        if (result === undefined) return nothing;
        touch(link);
        return { result: child.table.id, operationId };
      }
      const { junction, values } = await junctionRow(handle, link, pair);
      const { operationId } = await writes.deleteMany(junction, [values]);
      touch(link);
      return { result: junction.table.id, operationId };
    },

    async setLinks(given, linkId, cells, signal) {
      const handle = openedTable(given);
      handle.scope.require('relationDataAdd');
      handle.scope.require('relationDataRemove');
      const link = linkOf(handle, linkId);
      for (let tries = 1; tries <= mostTries; tries += 1) {
        const { holder, changes, refused, holdsStill } = await planLinks(deps, handle, link, {
          cells,
          signal,
        });
        const { result: isDone, operationId } = await writes.changeLinks(holder, changes, holdsStill);
        if (!isDone) continue;
        touch(link);
        return { result: refused, operationId };
      }
      throw rowErrors.create('LINKS_CHANGED', {});
    },
  };
}

function byTitle(
  table: TableHandle['table'],
  columnIds: readonly string[],
  values: readonly CellValue[],
): Readonly<Record<string, CellValue>> {
  return Object.fromEntries(
    columnIds.map((id, index) => [table.columnById.get(id)?.title ?? '', values[index] ?? null]),
  );
}
