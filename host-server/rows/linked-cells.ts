import {
  mayRead,
  type AccessScope,
  type LinkSchema,
  type NestedQuery,
  type RowQuery,
  type TableSchema,
} from '@trellis/sdk/server';
import type { CellValue, Row } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import { nearEnd, selectLinked } from '../query/partitions.ts';
import { inParts } from '../sql/in-parts.ts';
import type { Binding } from '../sql/session.ts';
import { distinctKeys, keysOfEnds, linkedKey } from './keys-of-ends.ts';
import { mayFollow } from './may-read.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions } from './read-options.ts';
import { createResolve } from './resolve-query.ts';
import { rowErrors } from './row-errors.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import { selectionOf, type Selection } from './selection.ts';
import { SharedReads } from './shared-reads.ts';
import type { LinkedColumn } from './table-plan.ts';

/** Linked rows of all rows of a page together. */
export const mostLinkedRows = 10_000;
/** Linked rows of a cell, where nobody asks for another number. */
const usualRows = 25;
/** Links that lead on from linked rows, as a lookup of a lookup does. */
const deepest = 5;
/** Milliseconds. */
const readLimit = 15_000;

/** The rows that a link leads to, from several rows at once. */
export interface LinkedRequest extends Pick<RowQuery, 'fields' | 'where' | 'sort' | 'nested'> {
  readonly perRow: number;
  readonly skip?: number | undefined;
}

/** A link, and the values by which it leads from rows. */
interface LinkedFrom {
  readonly link: LinkSchema;
  readonly keys: readonly (readonly Binding[])[];
}

/** How much of the links of a page is read. */
export interface Extent {
  /** How many links led to these rows. */
  readonly depth?: number;
  /** All linked rows, however many a cell has, of at most so many together; without it the first ones of each cell. */
  readonly whole?: number | undefined;
  /** Ends cells whose linked rows are more than `whole` with a mark, in place of refusing all of them. */
  readonly isCut?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The rows that a link leads to from one row. */
interface LinkedRows {
  readonly rows: readonly Row[];
  /** There may be more of them than were read. */
  readonly isCut: boolean;
}

/** The mark at the end of a cell that does not show all of its linked rows. */
const cutMark = '… (more rows are linked)';

/** Rows whose links are asked for in one statement: conditions on several columns make it long. */
const mostKeys = { ofOneColumn: 10_000, ofSeveral: 1000 };

/** Reads what the cells of a page hold that are made of linked rows: one statement for each link. */
export class LinkedCellReader {
  readonly #deps: RowReaderDependencies;

  constructor(deps: RowReaderDependencies) {
    this.#deps = deps;
  }

  /**
   * The rows of these cells, with their linked rows.
   *
   * @throws TrellisError 413 `TOO_MANY_LINKED` where all linked rows are asked for and are more than may be read.
   */
  async rows(
    open: OpenTable,
    selection: Selection,
    cells: readonly Cells[],
    { nested = {}, ...extent }: Pick<RowQuery, 'nested'> & Extent = {},
  ): Promise<readonly Row[]> {
    const rows = cells.map(selection.build);
    if (selection.linked.length === 0 || rows.length === 0) return rows;
    // All links are asked for at the same moment, so that a page waits once.
    const reads = readsOf(open, extent);
    await Promise.all(
      byLink(selection.linked).map((columns) =>
        this.#fill(open, { selection, columns, cells, rows, reads }, nested, extent),
      ),
    );
    return rows;
  }

  /** The linked rows of several rows in one query for some thousands of them, by the values that link them. */
  async linkedTo(
    open: OpenTable,
    { link, keys }: LinkedFrom,
    request: LinkedRequest & Extent,
    reads = readsOf(open, request),
  ): Promise<ReadonlyMap<string, LinkedRows>> {
    const found = new Map<string, { rows: Row[]; isCut: boolean }>();
    const { handle } = open;
    const table = handle.snapshot.tables.get(link.toTableId);
    const { depth = 0, whole, isCut = false, signal, perRow, skip, ...query } = request;
    if (keys.length === 0 || table === undefined) return found;
    const there = await this.#deps.tables.open(handle.linked(table));
    // Links that lead on are followed only where somebody asks for them.
    const fields = query.fields ?? rowColumns(handle.scope, table, ['*']);
    const { compiled, columns } = createResolve(this.#deps)(there, { ...query, fields });
    const across = link.through && handle.scope.rowPredicate(link.through.tableId);
    const selection = selectionOf(there.plan, columns);
    const width = link.columnIds.length;
    const rows: Cells[] = [];
    /** The keys by which each of them is linked. */
    const heldBy: (readonly string[])[] = [];
    const most = width === 1 ? mostKeys.ofOneColumn : mostKeys.ofSeveral;
    for (const part of inParts(keys, Math.min(most, there.database.dialect.limits.keysPerQuery(width)))) {
      for (const key of part) found.set(linkedKey(key), { rows: [], isCut: false });
      // One row more than may be shown tells that there are more.
      const limit = whole === undefined ? Math.max(mostLinkedRows, part.length) : whole - rows.length + 1;
      const linked = { link, keys: part, perRow, skip, limit, across };
      const statement = selectLinked(compiled, selection.read, linked);
      const read = (await reads.rows(statement)).rows;
      const isTooMuch = whole !== undefined && read.length === limit;
      if (isTooMuch && !isCut)
        throw rowErrors.create('TOO_MANY_LINKED', { limit: whole, table: table.title });
      const kept = isTooMuch ? read.slice(0, -1) : read;
      for (const cells of kept) rows.push(cells);
      const ends = kept.map((cells) => cells.slice(0, width) as Binding[]);
      const asked = { keys: part, ends, areUnique: link.kind !== 'belongsTo', areOfKeys: true };
      const named = await keysOfEnds(nearEnd(compiled, link), asked, (spellings) => reads.rows(spellings));
      const held = ends.map((end) => named.get(linkedKey(end)) ?? []);
      for (const keysOfRow of held) heldBy.push(keysOfRow);
      // Rows come by their place among those of the same key: each key has all of its rows before the first place that is left out.
      if (isTooMuch) markCut(found, part, { held: held.flat(), place: Number(read.at(-1)?.at(-1)) });
    }
    const made = await this.rows(
      there,
      selection,
      rows.map((cells) => cells.slice(width)),
      { nested: query.nested, depth: depth + 1, whole, isCut, signal },
    );
    for (const [index, keysOfRow] of heldBy.entries())
      for (const key of keysOfRow) found.get(key)?.rows.push(made[index] ?? {});
    return found;
  }

  /** Fills the cells of the columns that are made of the rows of one link. */
  async #fill(
    open: OpenTable,
    page: {
      readonly selection: Selection;
      readonly columns: readonly LinkedColumn[];
      readonly cells: readonly Cells[];
      readonly rows: readonly Row[];
      readonly reads: SharedReads;
    },
    nested: NonNullable<RowQuery['nested']>,
    extent: Extent,
  ): Promise<void> {
    const { selection, columns, cells, rows, reads } = page;
    const { link, shown, titles, request } = askedOf(open, columns, nested, extent);
    const at = (link?.columnIds ?? []).map((id) => selection.read.findIndex((column) => column.id === id));
    const keys = cells.map((row) => at.map((index) => (row[index] ?? null) as Binding));
    const whole = keys.filter((key) => !key.includes(null));
    const distinct = distinctKeys(whole);
    // When only the shown columns were read, the rows are shown as they are.
    const isWhole = titles.length === shown?.length;
    const found =
      request === undefined || link === undefined
        ? new Map<string, LinkedRows>()
        : await this.linkedTo(open, { link, keys: distinct }, request, reads);
    const isOne = link?.kind === 'belongsTo';
    for (const [index, key] of keys.entries()) {
      const row = rows[index] as Record<string, CellValue>;
      const linked = found.get(linkedKey(key));
      for (const { column, of } of columns) {
        const cell: CellValue[] = [];
        for (const one of linked?.rows ?? []) {
          if (of === undefined) cell.push(isWhole ? one : picked(one, shown ?? []));
          // A column that is hidden from the caller is not among what was read.
          else if (Object.hasOwn(one, of.title)) addValue(cell, one[of.title] ?? null, isOne);
        }
        if (linked?.isCut === true) cell.push(cutMark);
        row[column.title] = isOne ? (cell[0] ?? null) : cell;
      }
    }
  }
}

function readsOf(
  { database, handle: { scope } }: OpenTable,
  { signal }: Pick<Extent, 'signal'>,
): SharedReads {
  return new SharedReads(database, readOptions(scope, 'page', { signal, timeoutMs: readLimit }));
}

/** What columns that are made of the rows of one link ask of these rows. */
interface AskedOfLink {
  readonly link: LinkSchema | undefined;
  /** The titles of which a linked row in a cell is made; undefined where the linked table is gone. */
  readonly shown: readonly string[] | undefined;
  /** What is read of linked rows. */
  readonly titles: readonly string[];
  /** Undefined where the link is not followed. */
  readonly request: (LinkedRequest & Extent) | undefined;
}

/** @param columns columns of the same link */
export function askedOf(
  open: OpenTable,
  columns: readonly LinkedColumn[],
  nested: NonNullable<RowQuery['nested']>,
  { depth = 0, whole, isCut = false, signal }: Extent = {},
): AskedOfLink {
  const { scope, snapshot } = open.handle;
  const link = columns[0]?.link;
  const table = link && snapshot.tables.get(link.toTableId);
  const asked = nestedOf(open, link, nested);
  const shown = table && rowColumns(scope, table, asked.fields);
  const values = columns.flatMap(({ of }) => (of && mayRead(scope, of) ? of.title : []));
  const wantsRows = columns.some(({ of }) => of === undefined);
  const titles = [...new Set([...(wantsRows ? (shown ?? []) : []), ...values])];
  if (link === undefined || depth >= deepest || !mayFollow(scope, link))
    return { link, shown, titles, request: undefined };
  const isOne = link.kind === 'belongsTo';
  const perCell = whole === undefined ? Math.max(1, Math.min(asked.limit ?? usualRows, 1000)) : whole + 1;
  const request = {
    // Without a column only the number of rows is read.
    fields: titles,
    where: asked.where,
    sort: asked.sort,
    perRow: isOne ? 1 : perCell,
    skip: isOne ? 0 : asked.offset,
    depth,
    whole,
    isCut,
    signal,
  };
  return { link, shown, titles, request };
}

/** Adds a value to the cell of a lookup; the values of a list are added one by one where a cell has those of several rows. */
function addValue(cell: CellValue[], value: CellValue, isOne: boolean): void {
  if (isOne || !Array.isArray(value)) cell.push(value);
  else for (const part of value) cell.push(part);
}

/** Notes for which keys more rows may be linked than those that were kept. */
function markCut(
  found: Map<string, { isCut: boolean }>,
  keys: readonly (readonly Binding[])[],
  { held, place }: { readonly held: readonly string[]; readonly place: number },
): void {
  const counts = new Map<string, number>();
  for (const key of held) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const key of keys.map(linkedKey)) {
    const group = found.get(key);
    if (group !== undefined && (counts.get(key) ?? 0) >= place - 1) group.isCut = true;
  }
}

export function byLink(columns: readonly LinkedColumn[]): readonly (readonly LinkedColumn[])[] {
  const groups = new Map<string, LinkedColumn[]>();
  for (const column of columns) {
    const group = groups.get(column.link.id);
    if (group === undefined) groups.set(column.link.id, [column]);
    else group.push(column);
  }
  return [...groups.values()];
}

/** What is asked of the rows of a link, by the title of the column that shows it. */
function nestedOf(
  { handle: { table } }: OpenTable,
  link: LinkSchema | undefined,
  nested: NonNullable<RowQuery['nested']>,
): NestedQuery {
  const shown = table.columns.find(({ linkId }) => linkId === link?.id);
  return shown !== undefined && Object.hasOwn(nested, shown.title) ? (nested[shown.title] ?? {}) : {};
}

/** The titles of which a linked row in a cell is made: those asked for, else its key and the column that names it. */
export function rowColumns(
  scope: AccessScope,
  table: TableSchema,
  fields: readonly string[] | undefined,
): readonly string[] {
  const readable = table.columns.filter((column) => mayRead(scope, column));
  if (fields?.includes('*') === true)
    return readable.filter(({ linkId }) => linkId === undefined).map(({ title }) => title);
  if (fields !== undefined) return fields;
  const { displayColumn } = table;
  const usual = [...table.primaryKey, ...(displayColumn === undefined ? [] : [displayColumn])];
  return [...new Set(usual.filter((column) => readable.includes(column)).map(({ title }) => title))];
}

function picked(row: Row, titles: readonly string[]): Row {
  return Object.fromEntries(titles.flatMap((title) => (title in row ? [[title, row[title] ?? null]] : [])));
}
