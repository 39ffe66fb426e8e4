import {
  mayRead,
  type LinkSchema,
  type LinkedReads,
  type NestedRow,
  type RowGroup,
  type TableHandle,
} from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { columnIn } from '../query/compile-related.ts';
import { selectLinkedPage } from '../query/linked-pages.ts';
import { selectGroupPages } from '../query/partitions.ts';
import { queryErrors } from '../query/query-errors.ts';
import { selectPage, shapeOf } from '../query/select.ts';
import type { ReadWork } from '../databases/database.ts';
import type { Binding } from '../sql/session.ts';
import { assertInReach } from './served-to-visitors.ts';
import { linkingValues } from './link-ends.ts';
import { distinctKeys, linkedKey } from './keys-of-ends.ts';
import { LinkedCellReader, rowColumns } from './linked-cells.ts';
import { mayFollow } from './may-read.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions, readyFor, workOf } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import { createResolve } from './resolve-query.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import { selectionOf } from './selection.ts';

/** The most rows of all groups together, and thus the most groups, since each has a first row. */
const mostRows = 10_000;
/** Milliseconds. */
const readLimit = 15_000;

/** Reads of rows in groups, and together with their linked rows. */
export function createLinkedReads(deps: RowReaderDependencies): LinkedReads {
  const { tables, memory } = deps;
  const resolve = createResolve(deps);
  const linked = new LinkedCellReader(deps);

  const optionsFor = ({ handle }: OpenTable, work: ReadWork, signal: AbortSignal | undefined) =>
    readOptions(handle.scope, work, { signal, timeoutMs: readLimit });

  return {
    async groups(handle, query, { by, perGroup, limit = mostRows }, signal) {
      handle.scope.require('dataGroupBy');
      const open = await tables.open(handle);
      const { table, scope } = handle;
      const column = table.columnByTitle.get(by) ?? table.columnByName.get(by);
      const codec = column && open.plan.readable.get(column.id);
      if (column === undefined || codec === undefined || !mayRead(scope, column))
        throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: by });
      const { compiled, columns } = resolve(open, query);
      const work = await workOf(memory, open, { ...compiled, order: 'random' });
      const ready = readyFor(work, compiled);
      const selection = selectionOf(open.plan, columns);
      const most = Math.min(limit, mostRows);
      const statement = selectGroupPages(ready, selection.read, { by: column, perGroup, limit: most + 1 });
      const read = await memory.rows(table.id, shapeOf(statement), () =>
        open.database.read((unit) => unit.rows(statement), optionsFor(open, work, signal)),
      );
      const placeOf = (cells: readonly unknown[]) => Number(cells[selection.read.length + 2]);
      if (read.rows.filter((cells) => placeOf(cells) === 1).length > most)
        throw rowErrors.create('TOO_MANY_GROUPS', { limit: most });
      const rows = read.rows.length > most ? withoutLast(read.rows, placeOf) : read.rows;
      const shown = await linked.rows(open, selection, rows, { nested: query.nested, signal });
      const groups: (RowGroup & { rows: Row[] })[] = [];
      for (const [index, cells] of rows.entries()) {
        const [value, count] = cells.slice(selection.read.length);
        if (placeOf(cells) === 1) groups.push({ value: codec.decode(value), count: Number(count), rows: [] });
        groups.at(-1)?.rows.push(shown[index] ?? {});
      }
      return groups;
    },

    async nested(handle, query, { signal, ...page }, wanted) {
      handle.scope.require('dataList');
      assertInReach(handle, page);
      const open = await tables.open(handle);
      const { compiled, columns } = resolve(open, query);
      const links = wanted.map((one) => ({ one, link: linkOf(handle, one.linkId) }));
      const endIds = [...new Set(links.flatMap(({ link }) => link.columnIds))];
      const selection = selectionOf(open.plan, columns);
      const all = [...selection.read, ...endIds.map((id) => columnIn(handle.table, id))];
      const work = await workOf(memory, open, compiled);
      const { rows } = await open.database.read(
        (unit) => unit.rows(selectPage(readyFor(work, compiled), all, page)),
        optionsFor(open, work, signal),
      );
      const shown = await linked.rows(open, selection, rows, { nested: query.nested, signal });
      const nested = shown.map((row) => ({ row, linked: new Map<string, readonly Row[]>() }));
      for (const { one, link } of links) {
        const at = link.columnIds.map((id) => selection.read.length + endIds.indexOf(id));
        const keys = rows.map((cells) => at.map((index) => cells[index] as Binding));
        const whole = keys.filter((key) => !key.includes(null));
        const distinct = distinctKeys(whole);
        const found = await linked.linkedTo(open, { link, keys: distinct }, { ...one, signal });
        for (const [index, key] of keys.entries())
          nested[index]?.linked.set(one.linkId, found.get(linkedKey(key))?.rows ?? []);
      }
      return nested satisfies readonly NestedRow[];
    },

    async linked(handle, { key, linkId, others = false }, query, { signal, ...page }) {
      // The permission is required before the link is looked up: a caller without it must not learn whether the link exists.
      const { kind = 'hasMany' } = handle.table.links.find(({ id }) => id === linkId) ?? {};
      handle.scope.require(permissionFor(kind, others));
      assertInReach(handle, page);
      const link = linkOf(handle, linkId);
      const open = await tables.open(handle);
      const values = await linkingValues(open, key, link.columnIds);
      const table = handle.snapshot.tables.get(link.toTableId) ?? handle.table;
      const there = await tables.open(open.handle.linked(table));
      const plain = rowColumns(handle.scope, table, ['*']);
      const { compiled, columns, nested } = resolve(there, { ...query, fields: query.fields ?? plain });
      // The rows that are not linked are nearly all rows of the table, so they are counted.
      const work = await workOf(memory, there, others ? { ...compiled, order: 'random' } : compiled);
      const across = link.through && handle.scope.rowPredicate(link.through.tableId);
      const selection = selectionOf(there.plan, columns);
      const statements = selectLinkedPage(readyFor(work, compiled), selection.read, {
        link,
        values,
        others,
        across,
        page,
      });
      const options = readOptions(handle.scope, work, { signal, timeoutMs: readLimit });
      const [{ rows }, counted] = await Promise.all([
        there.database.read((unit) => unit.rows(statements.page), options),
        there.database.read((unit) => unit.rows(statements.count), options),
      ]);
      const shown = await linked.rows(there, selection, rows, { nested, signal });
      return { rows: shown, totalRows: Number(counted.rows[0]?.[0] ?? 0) };
    },
  };
}

/** All but the last row: the one with the highest place in its group, and of those the one in the last group. */
function withoutLast<Cells>(rows: readonly Cells[], placeOf: (cells: Cells) => number): readonly Cells[] {
  let last = 0;
  let furthest = 0;
  for (const [index, cells] of rows.entries()) {
    if (placeOf(cells) < furthest) continue;
    last = index;
    furthest = placeOf(cells);
  }
  return rows.toSpliced(last, 1);
}

function permissionFor(kind: LinkSchema['kind'], others: boolean): string {
  const names = { hasMany: 'hm', manyToMany: 'mm', belongsTo: 'bt' } as const;
  if (others) return `${names[kind]}ExcludedList`;
  // A belongs-to link is a cell of the row itself, so reading rows is enough.
  return kind === 'belongsTo' ? 'dataList' : `${names[kind]}List`;
}

/** The link, if the caller may read all its columns and the table that it leads to. */
export function linkOf({ table, scope }: TableHandle, linkId: string): LinkSchema {
  const link = table.links.find(({ id }) => id === linkId);
  if (link === undefined || !mayFollow(scope, link))
    throw queryErrors.create('LINK_MISSING', { table: table.title });
  return link;
}
