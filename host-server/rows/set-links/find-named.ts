import type { TrellisError } from '@trellis/core';
import { mayRead, type LinkedCell, type TableSchema } from '@trellis/sdk/server';
import type { OpenTable } from '../open-table.ts';
import { rowErrors } from '../row-errors.ts';
import { rowsOfKeys, rowsOfTitles, type NamedRow, type NamesRows, type Search } from './named-rows.ts';
import { countOfParts, likelyTitles, longerTitles, titlesOfText } from './titles-of-text.ts';

/** The most rows that the cells of one call may name. */
const most = 10_000;

/** @throws TrellisError 413 for cells that may name more rows than one call may link. */
export function assertFew(cells: readonly LinkedCell[]): void {
  const named = cells.reduce(
    (sum, { rows }) => sum + 1 + (typeof rows === 'string' ? countOfParts(rows) : rows.length),
    0,
  );
  if (named > 2 * most) throw rowErrors.create('TOO_MANY_LINKS', { limit: most });
}

/** Looks up everything that cells name, with a few statements for all of them; returns a function that gives the rows of each. */
export async function finder(there: OpenTable, cells: readonly LinkedCell[], search: Search) {
  const { table } = there.plan;
  const keys = cells.flatMap(({ rows }) => (typeof rows === 'string' ? [] : rows));
  const byKey = await rowsOfKeys(there, keys, search.limits);
  const texts = cells.flatMap(({ rows }) => (typeof rows === 'string' ? [rows] : []));
  const display = table.displayColumn;
  const isNamed = display !== undefined && mayRead(there.handle.scope, display);
  const lookUp = async (titles: readonly string[]): Promise<NamesRows> => {
    if (!isNamed || titles.length === 0) return () => [];
    const found = await rowsOfTitles(there, display, titles, search);
    return (title) => found.named(title);
  };
  const likely = await lookUp(texts.flatMap(likelyTitles));
  const isLikely = (title: string) => likely(title).length > 0;
  const longer = await lookUp(texts.flatMap((text) => longerTitles(text, isLikely)));
  const named = (title: string) => (isLikely(title) ? likely(title) : longer(title));
  return ({ rows }: LinkedCell): readonly NamedRow[] | TrellisError => {
    if (typeof rows === 'string') return rowsOfText(table, isNamed ? named : undefined, rows);
    const found = rows.flatMap((key) => byKey.get(key) ?? []);
    return found.length === rows.length
      ? eachOnce(found)
      : rowErrors.create('LINKED_ROWS_GONE', { table: table.title });
  };
}

function rowsOfText(
  { title: table }: TableSchema,
  rowsNamed: NamesRows | undefined,
  text: string,
): readonly NamedRow[] | TrellisError {
  if (text.trim() === '') return [];
  if (rowsNamed === undefined) return rowErrors.create('LINKED_WITHOUT_TITLES', { table });
  const titles = titlesOfText(text, (title) => rowsNamed(title).length > 0);
  const named = titles.map((title) => ({ title, rows: rowsNamed(title) }));
  const told = (count: (rows: number) => boolean) =>
    named
      .filter(({ rows }) => count(rows.length))
      .slice(0, 5)
      .map(({ title }) => `“${title}”`)
      .join(', ');
  const unknown = told((count) => count === 0);
  if (unknown !== '') return rowErrors.create('LINKED_TITLE_UNKNOWN', { table, titles: unknown });
  const ambiguous = told((count) => count > 1);
  if (ambiguous !== '') return rowErrors.create('LINKED_TITLE_AMBIGUOUS', { table, titles: ambiguous });
  return eachOnce(named.flatMap(({ rows }) => rows));
}

function eachOnce(rows: readonly NamedRow[]): readonly NamedRow[] {
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}
