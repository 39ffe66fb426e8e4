import type {
  AccessScope,
  LinkSchema,
  LinkedQuery,
  LinkedReads,
  NestedRow,
  RowGroup,
  TableHandle,
} from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { columnIn } from '../query/compile-related.ts';
import { selectGroupPages, selectLinked } from '../query/partitions.ts';
import { queryErrors } from '../query/query-errors.ts';
import { selectPage } from '../query/select.ts';
import type { ReadWork } from '../databases/database.ts';
import type { Binding } from '../sql/session.ts';
import type { OpenedTable } from '../schema/opened-table.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions, readyFor, workOf } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import { createResolve, type RowReaderDependencies } from './row-reader.ts';
import { selectionOf } from './selection.ts';

/** Rows of all groups together, and of all linked rows of a page. */
const mostRows = 10_000;
/** Milliseconds. */
const readLimit = 15_000;

/** Values of a link's columns as they come from the database, as a key of a map. */
function textOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map(String));
}

/** Reads of rows in groups, and together with the rows that they are linked to. */
export function createLinkedReads(deps: RowReaderDependencies): LinkedReads {
  const { tables, memory } = deps;
  const resolve = createResolve(deps);

  const optionsFor = ({ handle }: OpenTable, work: ReadWork) =>
    readOptions(handle.scope, work, { timeoutMs: readLimit });

  /** The linked rows of several rows in one query, by the values that link them. */
  async function linkedTo(
    handle: OpenedTable,
    link: LinkSchema,
    { fields, perRow }: LinkedQuery,
    keys: readonly (readonly Binding[])[],
  ): Promise<ReadonlyMap<string, readonly Row[]>> {
    const found = new Map<string, Row[]>();
    const table = handle.snapshot.tables.get(link.toTableId);
    if (table === undefined) throw queryErrors.create('LINK_MISSING', { table: handle.table.title });
    if (keys.length === 0) return found;
    const open = await tables.open(handle.linked(table));
    const { compiled, columns } = resolve(open, { fields });
    const most = Math.max(1, Math.min(perRow, Math.floor(mostRows / keys.length)));
    const across = link.through && handle.scope.rowPredicate(link.through.tableId);
    const statement = selectLinked(compiled, columns, { link, keys, perRow: most, across });
    const { rows } = await open.database.read((unit) => unit.rows(statement), optionsFor(open, 'page'));
    const { build } = selectionOf(open.plan, columns);
    const width = link.columnIds.length;
    for (const cells of rows) {
      const key = textOf(cells.slice(0, width));
      const group = found.get(key);
      if (group === undefined) found.set(key, [build(cells.slice(width))]);
      else group.push(build(cells.slice(width)));
    }
    return found;
  }

  return {
    async groups(handle, query, { by, perGroup }) {
      handle.scope.require('dataGroupBy');
      const open = await tables.open(handle);
      const { table, scope } = handle;
      const column = table.columnByTitle.get(by) ?? table.columnByName.get(by);
      const codec = column && open.plan.readable.get(column.id);
      if (column === undefined || codec === undefined || !maySee(scope, table.id, [column.id]))
        throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: by });
      const { compiled, columns } = resolve(open, query);
      const work = await workOf(memory, open, { ...compiled, order: 'random' });
      const ready = readyFor(work, compiled);
      const statement = selectGroupPages(ready, columns, { by: column, perGroup, limit: mostRows });
      const { rows } = await open.database.read((unit) => unit.rows(statement), optionsFor(open, work));
      const { build } = selectionOf(open.plan, columns);
      const groups: (RowGroup & { rows: Row[] })[] = [];
      for (const cells of rows) {
        const [value, count, place] = cells.slice(columns.length);
        if (Number(place) === 1) groups.push({ value: codec.decode(value), count: Number(count), rows: [] });
        groups.at(-1)?.rows.push(build(cells));
      }
      return groups;
    },

    async nested(handle, query, page, wanted) {
      handle.scope.require('dataList');
      const open = await tables.open(handle);
      const { compiled, columns } = resolve(open, query);
      const links = wanted.map((one) => ({ one, link: linkOf(handle, one.linkId) }));
      const ends = [...new Set(links.flatMap(({ link }) => link.columnIds))];
      const all = [...columns, ...ends.map((id) => columnIn(handle.table, id))];
      const work = await workOf(memory, open, compiled);
      const { rows } = await open.database.read(
        (unit) => unit.rows(selectPage(readyFor(work, compiled), all, page)),
        optionsFor(open, work),
      );
      const { build } = selectionOf(open.plan, columns);
      const nested = rows.map((cells) => ({ row: build(cells), linked: new Map<string, readonly Row[]>() }));
      for (const { one, link } of links) {
        const at = link.columnIds.map((id) => columns.length + ends.indexOf(id));
        const keys = rows.map((cells) => at.map((index) => cells[index] as Binding));
        const whole = keys.filter((key) => !key.includes(null));
        const distinct = [...new Map(whole.map((key) => [textOf(key), key])).values()];
        const found = await linkedTo(open.handle, link, one, distinct);
        for (const [index, key] of keys.entries())
          nested[index]?.linked.set(one.linkId, found.get(textOf(key)) ?? []);
      }
      return nested satisfies readonly NestedRow[];
    },
  };
}

/** The link, if the caller may know all columns that it goes by and may read the table that it leads to. */
function linkOf({ table, scope }: TableHandle, linkId: string): LinkSchema {
  const link = table.links.find(({ id }) => id === linkId);
  const isOpen =
    link !== undefined &&
    scope.can(undefined, 'read') &&
    maySee(scope, link.tableId, link.columnIds) &&
    maySee(scope, link.toTableId, link.toColumnIds) &&
    (link.through === undefined ||
      maySee(scope, link.through.tableId, [...link.through.columnIds, ...link.through.toColumnIds]));
  if (!isOpen) throw queryErrors.create('LINK_MISSING', { table: table.title });
  return link;
}

function maySee(scope: AccessScope, tableId: string, columnIds: readonly string[]): boolean {
  const readable = scope.readableColumns(tableId);
  return readable === 'all' || columnIds.every((id) => readable.has(id));
}
