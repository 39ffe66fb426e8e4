import type { ProjectSnapshot, RowQuery } from '@trellis/sdk/server';
import { BoundedMap } from '../databases/units/bounded-map.ts';
import { selectLinkedText } from '../query/partitions.ts';
import type { KeyedCell, LinkedPage, LinkedRowsCell, PageLink } from '../sql/linked-page.ts';
import { askedOf, byLink, mostLinkedRows } from './linked-cells.ts';
import type { OpenTable } from './open-table.ts';
import { createResolve } from './resolve-query.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import { selectionOf, type Selection } from './selection.ts';
import type { LinkedColumn } from './table-plan.ts';

/** A link of a page, and the cells that show its rows, by the id of their column. */
interface LinkOfPage {
  readonly link: PageLink;
  readonly cells: ReadonlyMap<string, Omit<LinkedRowsCell, 'key' | 'link'>>;
}

/** The request for a page. */
type Asked = Pick<RowQuery, 'nested'> & {
  readonly selection: Selection;
  /** The most rows of the page. */
  readonly limit: number;
};

/** Pages for callers without restrictions, by their number of rows; for one schema. */
interface KeptPages {
  readonly snapshot: ProjectSnapshot;
  readonly pages: BoundedMap<number, { readonly page: LinkedPage | undefined }>;
}

const known = new WeakMap<Selection, KeptPages>();
/** The most page sizes that are kept. */
const mostKept = 10;

/**
 * How the database reads a page of rows with their linked rows and writes them as JSON, in one round trip. Undefined where that
 * takes code: a type that decodes its cells, linked rows that have links in turn, links over several columns, or linked rows
 * filtered by a condition.
 */
export async function linkedPageOf(
  deps: RowReaderDependencies,
  open: OpenTable,
  asked: Asked,
): Promise<LinkedPage | undefined> {
  const { selection, nested, limit } = asked;
  if (selection.linked.length === 0 || limit < 1) return undefined;
  if (nested !== undefined || !isUnlimited(open, selection)) return makePage(deps, open, asked);
  const { snapshot } = open.handle;
  let kept = known.get(selection);
  if (kept?.snapshot !== snapshot) {
    kept = { snapshot, pages: new BoundedMap(mostKept) };
    known.set(selection, kept);
  }
  let made = kept.pages.get(limit);
  if (made === undefined) {
    made = { page: await makePage(deps, open, asked) };
    kept.pages.set(limit, made);
  }
  return made.page;
}

/** Whether the caller sees all rows and columns of the tables that the page's links lead to and through. */
function isUnlimited({ handle: { scope } }: OpenTable, { linked }: Selection): boolean {
  return (
    scope.can(undefined, 'read') &&
    linked.every(({ link: { tableId, toTableId, through } }) =>
      [tableId, toTableId, through?.tableId ?? tableId].every(
        (id) =>
          scope.reaches(id) &&
          scope.readableColumns(id) === 'all' &&
          scope.computableColumns(id) === 'all' &&
          scope.rowPredicate(id) === undefined,
      ),
    )
  );
}

async function makePage(
  deps: RowReaderDependencies,
  open: OpenTable,
  { selection, nested, limit }: Asked,
): Promise<LinkedPage | undefined> {
  const own = new Map<string, KeyedCell>();
  const made = new Set(selection.linked.map(({ column }) => column.id));
  for (const { column, json } of selection.codecs) {
    if (made.has(column.id)) continue;
    if (json === undefined) return undefined;
    own.set(column.id, { key: column.title, at: selection.read.indexOf(column), as: json });
  }
  const links: PageLink[] = [];
  const linked = new Map<string, LinkedRowsCell>();
  for (const columns of byLink(selection.linked)) {
    const of = await linkOfPage(deps, open, { columns, selection, nested, limit });
    if (of === undefined) return undefined;
    for (const { column } of columns) {
      const cell = of.cells.get(column.id);
      if (cell !== undefined) linked.set(column.id, { ...cell, key: column.title, link: links.length });
    }
    links.push(of.link);
  }
  const cells = selection.codecs.flatMap(({ column: { id } }) => own.get(id) ?? linked.get(id) ?? []);
  return cells.length === selection.codecs.length ? { cells, links } : undefined;
}

async function linkOfPage(
  deps: RowReaderDependencies,
  open: OpenTable,
  {
    columns,
    selection,
    nested = {},
    limit,
  }: Pick<RowQuery, 'nested'> & {
    readonly columns: readonly LinkedColumn[];
    readonly selection: Selection;
    readonly limit: number;
  },
): Promise<LinkOfPage | undefined> {
  const { link, shown = [], request } = askedOf(open, columns, nested);
  const table = link && open.handle.snapshot.tables.get(link.toTableId);
  const [columnId, ...others] = link?.columnIds ?? [];
  if (table === undefined || columnId === undefined || others.length > 0) return undefined;
  if (request === undefined || link === undefined) return undefined;
  const there = await deps.tables.open(open.handle.linked(table));
  const resolved = createResolve(deps)(there, request);
  const { read, codecs, linked } = selectionOf(there.plan, resolved.columns);
  const { perRow, skip } = request;
  const across = link.through && open.handle.scope.rowPredicate(link.through.tableId);
  const of = { link, perRow, skip, limit: mostLinkedRows, across, count: limit };
  const texts = linked.length > 0 ? undefined : selectLinkedText(resolved.compiled, read, of);
  if (texts === undefined) return undefined;
  // The value that links a row comes before them.
  const placed = new Map<string, KeyedCell>();
  for (const { column, json } of codecs) {
    if (json === undefined) return undefined;
    placed.set(column.title, { key: column.title, at: 1 + read.indexOf(column), as: json });
  }
  const isOne = link.kind === 'belongsTo';
  const cells = new Map<string, Omit<LinkedRowsCell, 'key' | 'link'>>();
  for (const { column, of: value } of columns) {
    const shows =
      value === undefined ? shown.flatMap((title) => placed.get(title) ?? []) : placed.get(value.title);
    // A column that is hidden from the caller is not read.
    if (shows === undefined) return undefined;
    cells.set(column.id, { isOne, shows });
  }
  const at = selection.read.findIndex(({ id }) => id === columnId);
  return { link: { at, ...texts, count: limit, perRow }, cells };
}
