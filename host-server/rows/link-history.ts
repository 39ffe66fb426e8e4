import { mayRead, type ColumnSchema, type LinkSchema, type RowHistoryEntry } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type Row, type RowKey } from '@trellis/sdk/shared';
import { namedIn } from '../changes/linked-row-keys.ts';
import { changeOfLinks, type LogEntry } from '../changes/log-entry.ts';
import { entriesLinking, type HistoryPage } from '../changes/read-log.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { isKeyOf } from '../query/compile-related.ts';
import { selectHolding } from '../query/partitions.ts';
import type { OpenedTable } from '../schema/opened-table.ts';
import { inParts } from '../sql/in-parts.ts';
import { LinkedCellReader, rowColumns } from './linked-cells.ts';
import { mayFollow } from './may-read.ts';
import { namesOfRow, type NameOfRow } from './names-of-row.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions } from './read-options.ts';
import { shownColumns } from './resolve-query.ts';
import { whereOfName, type Where } from './row-keys.ts';
import type { RowReaderDependencies } from './row-reader.ts';
import { selectionOf } from './selection.ts';
import type { ColumnCodec } from './table-plan.ts';

/** Linked rows that a change names. */
const mostNamed = 25;
/** Stands behind them where there are more, and alone for rows of a set, which nobody remembers. */
const more = '…';
const keysAtOnce = 500;
/** Entries of one page that are looked at: the caller may see none of the rows of many of them. */
const mostEntries = 2000;
/** Entries that are looked for at once, at the least, and those whose linked rows are read together. */
const entriesAtOnce = 50;
const toldAtOnce = 20;
/** Milliseconds. */
const readLimit = 15_000;

/** A column that shows linked rows, and the foreign keys by which they, or rows of a junction table, name a row. */
interface Way {
  readonly column: ColumnSchema;
  readonly link: LinkSchema;
  /** The table whose rows hold the foreign keys. */
  readonly holderId: string;
  /** The values by which foreign keys name the row, now and before. */
  readonly names: readonly NameOfRow[];
  /** The linked table, as far as the caller sees it. */
  readonly there: OpenTable;
  /** The columns by which rows of the linked table are named here. */
  readonly ends: readonly ColumnCodec[];
  /** True when the caller does not see all rows of the linked table. */
  readonly isRuled: boolean;
}

/**
 * The rows from which a change took the link, and those to which it made one, as they are named. A change of a set names none of its rows:
 * only whether there are some is known.
 */
interface Linked {
  readonly taken: readonly RowKey[];
  readonly made: readonly RowKey[];
}

/** What an entry says about the row, by each link through which it says something. Many are kept, so the entry is without its rows. */
interface Linking {
  readonly entry: LogEntry;
  readonly linked: ReadonlyMap<Way, Linked>;
}

/** Which part of the history: `since` is the first entry that the caller may know. */
type Page = HistoryPage & { readonly since: number };

type LinkHistoryDependencies = RowReaderDependencies & { readonly metadata: Metadata };

/**
 * Reads what was linked to rows, and taken from them, by the foreign keys of other rows: changes of the columns that show the links, with
 * the linked rows as they are named now. What the caller may not see of the linked table stays unknown: of a row that is gone only who
 * sees all rows is told, by its key.
 */
export function createLinkHistory(deps: LinkHistoryDependencies) {
  const linkedCells = new LinkedCellReader(deps);

  async function waysOf(handle: OpenedTable, key: RowKey): Promise<readonly Way[]> {
    const { scope, table, snapshot } = handle;
    if (table.primaryKey.length === 0) return [];
    const here = await deps.tables.open(handle);
    const known = new Map<string, readonly NameOfRow[]>();
    const ways: Way[] = [];
    for (const column of table.columns) {
      const link = table.links.find(({ id }) => id === column.linkId);
      const other = link && snapshot.tables.get(link.toTableId);
      if (link === undefined || other === undefined || link.kind === 'belongsTo') continue;
      const isKnown = !column.system && mayRead(scope, column) && mayFollow(scope, link);
      if (!isKnown || !scope.reaches(other.id)) continue;
      const { through, columnIds } = link;
      // A deleted row of the junction table cannot be checked against the rights of the caller.
      if (through !== undefined && scope.rowPredicate(through.tableId) !== undefined) continue;
      const there = await deps.tables.open(handle.linked(other));
      const isRuled = there.handle.scope.rowPredicate(other.id) !== undefined;
      const isByKey = through === undefined || isKeyOf(other, link.toColumnIds);
      // A former value that is no primary key does not tell which row had it, so its rights cannot be checked.
      if (isRuled && !isByKey) continue;
      const { key: ownKey, byId } = there.plan;
      const ends = isByKey ? ownKey : link.toColumnIds.flatMap((id) => byId.get(id) ?? []);
      if (ends.length === 0) continue;
      const by = columnIds.join(' ');
      const names = known.get(by) ?? (await namesOfRow(deps.metadata, here, { key, columnIds }));
      known.set(by, names);
      ways.push({ column, link, holderId: through?.tableId ?? other.id, names, there, ends, isRuled });
    }
    return ways;
  }

  /** The rows with these keys as cells of the link hold them. */
  async function rowsOf(
    { there, ends, isRuled }: Way,
    keys: readonly RowKey[],
  ): Promise<ReadonlyMap<RowKey, Row>> {
    const { handle, plan, context, database } = there;
    const titles = rowColumns(handle.scope, plan.table, undefined);
    const selection = selectionOf(plan, shownColumns(there, { fields: titles }, deps.filterOperators));
    const named = new Map<RowKey, Where>();
    for (const key of keys) {
      const where = whereOfName(ends, key);
      if (where !== undefined) named.set(key, where);
    }
    const columns = ends.map(({ column }) => column);
    const found = new Map<RowKey, Row>();
    const atOnce = Math.min(keysAtOnce, database.dialect.limits.keysPerQuery(columns.length));
    for (const part of inParts([...named.values()], atOnce)) {
      const statement = selectHolding(context, [...columns, ...selection.read], {
        ends: columns,
        keys: part.map((where) => where.map(([, value]) => value)),
        rule: handle.scope.rowPredicate(plan.table.id),
        limit: part.length,
      });
      const { rows } = await database.read(
        (unit) => unit.rows(statement),
        readOptions(handle.scope, 'page', { timeoutMs: readLimit }),
      );
      const shown = await linkedCells.rows(
        there,
        selection,
        rows.map((cells) => cells.slice(columns.length)),
      );
      for (const [index, cells] of rows.entries())
        found.set(formatRowKey(ends.map(({ decode }, at) => decode(cells[at]))), shown[index] ?? {});
    }
    for (const [key, where] of named)
      if (!isRuled && !found.has(key)) found.set(key, keyAlone(where, titles));
    return found;
  }

  /** What entries tell of a row, as far as the caller may know it. */
  async function tell(
    { table }: OpenedTable,
    rowKey: RowKey,
    ways: readonly Way[],
    linkings: readonly Linking[],
  ): Promise<readonly RowHistoryEntry[]> {
    const told = new Map<LogEntry, { before: Record<string, CellValue>; after: Record<string, CellValue> }>();
    for (const way of ways) {
      const changes = linkings.flatMap(({ entry, linked }) => {
        const of = linked.get(way);
        return of === undefined ? [] : [{ entry, ...of }];
      });
      const keys = changes.flatMap(({ entry, taken, made }) =>
        entry.kind === 'rowSet' ? [] : [...taken, ...made],
      );
      const rows = await rowsOf(way, [...new Set(keys)]);
      for (const { entry, taken, made } of changes) {
        const cell = (of: readonly RowKey[]) => (entry.kind === 'rowSet' ? unnamed(of) : cellOf(of, rows));
        const [before, after] = [cell(taken), cell(made)];
        if (before === null && after === null) continue;
        const cells = told.get(entry) ?? { before: {}, after: {} };
        told.set(entry, cells);
        cells.before[way.column.id] = before;
        cells.after[way.column.id] = after;
      }
    }
    return linkings.flatMap(({ entry }) => {
      const cells = told.get(entry);
      if (cells === undefined) return [];
      return [{ seq: entry.seq, change: changeOfLinks(entry, { tableId: table.id, rowKey, ...cells }) }];
    });
  }

  return async (
    handle: OpenedTable,
    key: RowKey,
    { before, limit, since }: Page,
  ): Promise<readonly RowHistoryEntry[]> => {
    const ways = await waysOf(handle, key);
    const keys = [...new Set(ways.flatMap(({ names }) => names.map(({ name }) => name)))];
    const told: RowHistoryEntry[] = [];
    const atOnce = Math.max(limit, entriesAtOnce);
    let last = before;
    for (let looked = 0; keys.length > 0 && told.length < limit && looked < mostEntries; looked += atOnce) {
      const place = { tableId: handle.table.id, keys };
      const known: Linking[] = [];
      for await (const entry of entriesLinking(deps.metadata, place, { before: last, limit: atOnce })) {
        if (entry.seq < since) break;
        known.push(linkingOf(entry, ways));
      }
      for (const part of inParts(known, toldAtOnce))
        if (told.length < limit) told.push(...(await tell(handle, key, ways, part)));
      if (known.length < atOnce) break;
      last = known.at(-1)?.entry.seq;
    }
    return told.slice(0, limit);
  };
}

function linkingOf(entry: LogEntry, ways: readonly Way[]): Linking {
  const linked = ways.flatMap((way) => {
    const of = linkedBy(entry, way);
    return of === undefined ? [] : [[way, of] as const];
  });
  return { entry: { ...entry, rows: [] }, linked: new Map(linked) };
}

/** Which rows an entry linked to the row, and from which it took the link, as far as they are looked at; undefined for none. */
function linkedBy(entry: LogEntry, way: Way): Linked | undefined {
  const { link, holderId, names, ends, isRuled } = way;
  const isSet = entry.kind === 'rowSet';
  if (entry.tableId !== holderId || (isSet && isRuled)) return undefined;
  const taken: RowKey[] = [];
  const made: RowKey[] = [];
  const { through, toColumnIds } = link;
  const others = new Map(
    (through === undefined ? [] : namedIn(entry, through.toColumnIds)).map((named) => [named.row, named]),
  );
  const known = new Set(
    names.flatMap(({ name, after, before }) => (after < entry.seq && entry.seq < before ? [name] : [])),
  );
  const isNamed = (cells: readonly CellValue[] | undefined) =>
    cells !== undefined && known.has(formatRowKey(cells));
  for (const { row, before, after } of namedIn(entry, through?.columnIds ?? toColumnIds)) {
    const [was, is] = [isNamed(before), isNamed(after)];
    if (was === is) continue;
    const other = others.get(row);
    const key =
      through === undefined || isSet ? row[0] : nameOf(ends, toColumnIds, is ? other?.after : other?.before);
    if (key !== undefined) (is ? made : taken).push(key);
  }
  if (taken.length + made.length === 0) return undefined;
  return { taken: lookedAt(way, taken), made: lookedAt(way, made) };
}

/** The name of a row from the values of its columns, which are given in another order. */
function nameOf(
  ends: readonly ColumnCodec[],
  columnIds: readonly string[],
  cells: readonly CellValue[] | undefined,
): RowKey | undefined {
  return cells && formatRowKey(ends.map(({ column }) => cells[columnIds.indexOf(column.id)] ?? null));
}

/** The cell for rows that are not named: a mark that there are some, or null for none. */
function unnamed(of: readonly unknown[]): CellValue {
  return of.length === 0 ? null : [more];
}

/** The keys to look up: all where a rule hides rows from the caller, else only as many as are named, since the caller sees each of them. */
function lookedAt({ isRuled }: Way, keys: readonly RowKey[]): readonly RowKey[] {
  return isRuled ? keys : keys.slice(0, mostNamed + 1);
}

/** Linked rows as a cell holds them; null for none that the caller may know. */
function cellOf(keys: readonly RowKey[], rows: ReadonlyMap<RowKey, Row>): CellValue {
  const known = keys.flatMap((key): readonly Row[] => {
    const row = rows.get(key);
    return row === undefined || Object.keys(row).length === 0 ? [] : [row];
  });
  if (known.length === 0) return null;
  return known.length > mostNamed ? [...known.slice(0, mostNamed), more] : known;
}

/** The cell for a row that is gone: the values of its key, by title. */
function keyAlone(where: Where, titles: readonly string[]): Row {
  return Object.fromEntries(
    where.flatMap(([{ column, decode }, value]) =>
      titles.includes(column.title) ? [[column.title, decode(value)]] : [],
    ),
  );
}
