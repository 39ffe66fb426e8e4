import { TrellisError } from '@trellis/core';
import type { LinkedPair, LinkedRowWrites, LinkSchema, TableSchema } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import { columnIn } from '../query/compile-related.ts';
import { selectHolding, selectSpellings } from '../query/partitions.ts';
import { openedTable, type OpenedTable } from '../schema/opened-table.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import { keysOfEnds, linkedKey } from './keys-of-ends.ts';
import { emptiedColumns, linkingCells } from './link-ends.ts';
import { linkOf } from './linked-rows.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import type { HostRowWrites } from './row-writer.ts';
import { byTitle, decoded, encoded } from './set-links/link-values.ts';
import { planLinks } from './set-links/set-links.ts';
import { assertUnseen } from './writes-on-table.ts';

/** How often a write is planned anew when others set the same cells meanwhile. Each time at least one of the writers succeeds. */
const mostTries = 20;

/** Milliseconds. */
const readLimit = 15_000;

/** The foreign key of one of two rows that links them. */
interface Holder {
  readonly handle: OpenedTable;
  readonly key: string;
  /** The values of the other row, by the titles of the foreign key's columns. */
  readonly values: Readonly<Record<string, CellValue>>;
}

/** The cells of the junction row that links two rows, as they are written. */
interface JunctionRow {
  readonly junction: OpenedTable;
  readonly columnIds: readonly string[];
  readonly values: readonly CellValue[];
}

/**
 * Links between rows, written as what they are: cells of a foreign key, or rows of a junction table. Who links two rows or takes a link
 * away may change the row that the call is about and sees the other one; where that one holds the foreign key, it may be changed, too.
 */
export function createLinkedRowWrites(deps: RowReaderDependencies, writes: HostRowWrites): LinkedRowWrites {
  const { tables, memory } = deps;

  /** Forgets remembered counts of both tables, since filters and computed columns may depend on the link. */
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
      return { handle: handle.whole(), key, values: byTitle(handle, link.columnIds, values) };
    }
    const values = await nearCells(handle, key, link.columnIds);
    return { handle: there, key: other, values: byTitle(there, link.toColumnIds, values) };
  }

  async function junctionRow(
    handle: OpenedTable,
    link: LinkSchema,
    { key, other }: LinkedPair,
  ): Promise<JunctionRow> {
    const { through } = link;
    if (through === undefined) throw rowErrors.create('ROW_MISSING', { table: handle.table.title });
    const there = handle.linked(tableOf(handle, link.toTableId));
    const near = await nearCells(handle, key, link.columnIds);
    const far = await linkingCells(await tables.open(there), other, link.toColumnIds);
    const junction = handle.linked(tableOf(handle, through.tableId));
    const columnIds = [...through.columnIds, ...through.toColumnIds];
    return { junction, columnIds, values: [...near, ...far] };
  }

  /** Whether the junction table has a row for this link. */
  async function areLinked({ junction, columnIds, values }: JunctionRow): Promise<boolean> {
    const open = await tables.open(junction);
    const ends = columnIds.map((id) => columnIn(junction.table, id));
    const asked = { ends, keys: [encoded(open, columnIds, values)], rule: undefined, limit: 1 };
    const { rows } = await readFrom(open, selectHolding(open.context, ends, asked));
    return rows.length > 0;
  }

  /** The cells of the junction rows for this link, by title and each once. There may be several, since some databases ignore case in keys. */
  async function writtenAs({ junction, columnIds, values }: JunctionRow) {
    const open = await tables.open(junction);
    const given = byTitle(junction, columnIds, values);
    if (open.context.dialect.functions.ofKeys === undefined) return [given];
    const statement = selectSpellings(open.context, columnIds, {
      keys: [encoded(open, columnIds, values)],
    });
    if (statement === undefined) return [given];
    const { rows } = await readFrom(open, statement);
    const same = rows.flatMap(([place, ...cells]) => (Number(place) === 0 ? [cells] : []));
    if (same.length === 0) return [given];
    return same.map((cells) => byTitle(junction, columnIds, decoded(open, columnIds, cells)));
  }

  /** Whether a row holds these values in the columns of a link, as the database compares them. */
  async function isSameEnd(
    child: OpenedTable,
    columnIds: readonly string[],
    { now, values }: Readonly<Record<'now' | 'values', readonly CellValue[]>>,
  ): Promise<boolean> {
    if (now.includes(null) || values.includes(null)) return false;
    const open = await tables.open(child);
    const [end, key] = [encoded(open, columnIds, now), encoded(open, columnIds, values)];
    const named = await keysOfEnds(
      { near: open.context, nearIds: columnIds },
      { keys: [key], ends: [end], areUnique: true, areOfKeys: false },
      (statement) => readFrom(open, statement),
    );
    return named.get(linkedKey(end))?.includes(linkedKey(key)) === true;
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
      if (await areLinked(row)) return done;
      try {
        const { operationId } = await writes.create(junction, byTitle(junction, columnIds, values));
        touch(link);
        return { result: junction.table.id, operationId };
      } catch (error) {
        // Somebody else linked them a moment ago.
        if (await areLinked(row)) return done;
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
          child,
          emptied,
          emptied.map(() => null),
        );
        // Somebody else may link the row to another one until it is written.
        const held = byTitle(child, ids, now);
        const { result, operationId } = await writes.updateHolding(child, key, { held, values });
        if (result === undefined) return nothing;
        touch(link);
        return { result: child.table.id, operationId };
      }
      const row = await junctionRow(handle, link, pair);
      const { junction } = row;
      const { operationId } = await writes.deleteMany(junction, await writtenAs(row));
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
