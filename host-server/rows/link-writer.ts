import { TrellisError } from '@trellis/core';
import type { LinkedPair, LinkedRowWrites, LinkSchema, TableHandle, TableSchema } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import { columnIn } from '../query/compile-related.ts';
import { selectHolding, selectSpellings } from '../query/partitions.ts';
import { openedTable, type OpenedTable } from '../schema/opened-table.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import { emptiedColumns, linkingCells } from './link-ends.ts';
import { linkOf } from './linked-rows.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import type { HostRowWrites } from './row-writer.ts';
import { planLinks } from './set-links/set-links.ts';
import { assertUnseen } from './writes-on-table.ts';

/** Plans for cells that others keep setting; each time at least one of them is done. */
const mostTries = 20;

/** Rows of a junction table that link the same two rows. */
const mostAlike = 100;
/** Milliseconds. */
const readLimit = 15_000;

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
    const columnIds = [...through.columnIds, ...through.toColumnIds];
    return { junction, columnIds, values: [...near, ...far] };
  }

  /** The rows of a junction table that say so, by title: some databases know a key in other letters for the same. */
  async function linkingRows({ junction, columnIds, values }: Awaited<ReturnType<typeof junctionRow>>) {
    const open = await tables.open(junction);
    const ends = columnIds.map((id) => columnIn(junction.table, id));
    const asked = { ends, keys: [bindingsOf(open, columnIds, values)], rule: undefined, limit: mostAlike };
    const { rows } = await readFrom(open, selectHolding(open.context, ends, asked));
    return rows.map((cells) => byTitle(junction.table, columnIds, cellsOf(open, columnIds, cells)));
  }

  /** Whether what a row holds in the columns of a link is the same as some values, to the database at least. */
  async function isSameEnd(
    child: OpenedTable,
    columnIds: readonly string[],
    { now, values }: Readonly<Record<'now' | 'values', readonly CellValue[]>>,
  ): Promise<boolean> {
    const held = formatRowKey(now);
    if (held === formatRowKey(values)) return true;
    if (now.includes(null) || values.includes(null)) return false;
    const open = await tables.open(child);
    const statement = selectSpellings(open.context, columnIds, [bindingsOf(open, columnIds, values)]);
    if (statement === undefined) return false;
    const { rows } = await readFrom(open, statement);
    return rows.some(([, ...cells]) => formatRowKey(cellsOf(open, columnIds, cells)) === held);
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
      const row = await junctionRow(handle, link, pair);
      const { junction, columnIds, values } = row;
      const done = { result: junction.table.id, operationId: undefined };
      const isThere = async () => (await linkingRows(row)).length > 0;
      if (await isThere()) return done;
      try {
        const { operationId } = await writes.create(junction, byTitle(junction.table, columnIds, values));
        touch(link);
        return { result: junction.table.id, operationId };
      } catch (error) {
        // Somebody else linked them a moment ago.
        if (await isThere()) return done;
        throw error;
      }
    },

    async unlink(given, pair) {
      const handle = openedTable(given);
      handle.scope.require('relationDataRemove');
      const link = linkOf(handle, pair.linkId);
      if (link.kind !== 'manyToMany') {
        const { handle: child, key, values: wanted } = await holderOf(handle, link, pair);
        const titles = Object.keys(wanted);
        const ids = titles.flatMap((title) => child.table.columnByTitle.get(title)?.id ?? []);
        const now = await linkingCells(await tables.open(child), key, ids);
        const nothing = { result: child.table.id, operationId: undefined };
        if (!(await isSameEnd(child, ids, { now, values: Object.values(wanted) }))) return nothing;
        const emptied = emptiedColumns(child.table, ids);
        const values = byTitle(
          child.table,
          emptied,
          emptied.map(() => null),
        );
        // Somebody else may link the row to another one until it is written.
        const held = byTitle(child.table, ids, now);
        const { result, operationId } = await writes.updateHolding(child, key, { held, values });
        if (result === undefined) return nothing;
        touch(link);
        return { result: child.table.id, operationId };
      }
      const row = await junctionRow(handle, link, pair);
      const { junction, columnIds, values } = row;
      const there = await linkingRows(row);
      const named = there.length > 0 ? there : [byTitle(junction.table, columnIds, values)];
      const { operationId } = await writes.deleteMany(junction, named);
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

function readFrom({ database, handle }: OpenTable, statement: SqlFragment) {
  const options = readOptions(handle.scope, 'page', { timeoutMs: readLimit });
  return database.read((unit) => unit.rows(statement), options);
}

/** Cells of some columns as the database holds them. */
function bindingsOf(
  { plan }: OpenTable,
  columnIds: readonly string[],
  values: readonly CellValue[],
): readonly Binding[] {
  return columnIds.map((id, index) => plan.byId.get(id)?.encode(values[index] ?? null) ?? null);
}

/** The way back. */
function cellsOf({ plan }: OpenTable, columnIds: readonly string[], cells: Cells): readonly CellValue[] {
  return columnIds.map((id, index) => plan.byId.get(id)?.decode(cells[index]) ?? null);
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
