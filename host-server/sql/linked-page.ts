import { DatabaseError } from './database-error.ts';
import { writeCell, type JsonCellKind } from './json-rows.ts';
import type { Binding } from './session.ts';

/** A cell of a row, by its position in the row that was read. */
export interface PlacedCell {
  readonly at: number;
  readonly as: JsonCellKind;
}

/** A cell under its key in the object of its row. */
export type KeyedCell = PlacedCell & { readonly key: string };

/** A cell made of linked rows: an object for each, or the value of one column. */
export interface LinkedRowsCell {
  readonly key: string;
  /** The index of the link in the page. */
  readonly link: number;
  /** Whether the link leads to at most one row: then the cell is that row, or null, and not a list. */
  readonly isOne: boolean;
  readonly shows: PlacedCell | readonly KeyedCell[];
}

/** The linked rows of all rows of a page, as one statement reads them. */
export interface PageLink {
  /** The position, in a row of the page, of the value that links rows. In linked rows it is the first cell. */
  readonly at: number;
  /** Binds `count` of these values. */
  readonly sql: string;
  readonly count: number;
  /**
   * Reads the same rows at less cost, with the same bindings, if they are fewer than `most`. It may return more than `perRow` for
   * a row.
   */
  readonly few?: { readonly sql: string; readonly most: number } | undefined;
  /** The most linked rows of each row. */
  readonly perRow: number;
}

/** A page of rows with their linked rows, read and written as JSON in the process that queries the database. */
export interface LinkedPage {
  readonly cells: readonly (KeyedCell | LinkedRowsCell)[];
  readonly links: readonly PageLink[];
}

type Cells = readonly unknown[];

/**
 * The values that link these rows, for each link of the page; undefined when no row is linked. If the page has fewer rows than
 * expected, a value is repeated.
 */
export function linkedBindings(
  { links }: LinkedPage,
  rows: readonly Cells[],
): readonly (readonly Binding[] | undefined)[] {
  return links.map(({ at, count }) => {
    const values = new Map<string, Binding>();
    for (const row of rows) {
      const value = row[at] as Binding | undefined;
      if (value !== null && value !== undefined) values.set(String(value), value);
    }
    const [first, ...others] = values.values();
    if (first === undefined) return undefined;
    const bindings = [first, ...others];
    while (bindings.length < count) bindings.push(first);
    return bindings;
  });
}

/**
 * The rows as the bytes of a JSON array. No bytes when a linked row may refer to a row of the page in other letters that a
 * column's collation equates: finding out takes further queries.
 *
 * @param found the linked rows of each link
 * @throws DatabaseError `tooLarge` for more than `maxBytes`
 */
export function writeLinkedPage(
  { cells, links }: LinkedPage,
  { rows, found }: { readonly rows: readonly Cells[]; readonly found: readonly (readonly Cells[])[] },
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  const linked = found.map((of, index) => byFirstCell(of, links[index]?.perRow ?? 0));
  for (const [index, { at }] of links.entries())
    if (mayBeInOtherLetters(rows, at, linked[index] ?? new Map())) return new Uint8Array();
  const keys = cells.map(({ key }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
  let text = '[';
  for (const [index, row] of rows.entries()) {
    if (index > 0) text += ',';
    if (cells.length === 0) text += '{';
    for (const [place, cell] of cells.entries()) {
      text += keys[place];
      if (!('link' in cell)) text += writeCell(row[cell.at], cell.as);
      else text += writeLinked(cell, linked[cell.link]?.get(String(row[links[cell.link]?.at ?? 0])) ?? []);
    }
    text += '}';
    if (text.length > maxBytes) throw new DatabaseError('tooLarge');
  }
  return new TextEncoder().encode(`${text}]`);
}

function byFirstCell(rows: readonly Cells[], most: number): ReadonlyMap<string, readonly Cells[]> {
  const found = new Map<string, Cells[]>();
  for (const row of rows) {
    const key = String(row[0]);
    const group = found.get(key);
    if (group === undefined) found.set(key, [row]);
    else if (group.length < most) group.push(row);
  }
  return found;
}

/** Whether linked rows have a text that no row of the page has, or rows of the page have texts that differ only in case. */
function mayBeInOtherLetters(
  rows: readonly Cells[],
  at: number,
  linked: ReadonlyMap<string, readonly Cells[]>,
): boolean {
  const [some] = linked.values();
  if (typeof some?.[0]?.[0] !== 'string') return false;
  const keys = new Set(rows.map((row) => String(row[at])));
  const plain = (key: string) => key.toLowerCase().trimEnd();
  const plainKeys = new Set([...linked.keys()].map(plain));
  return (
    [...linked.keys()].some((key) => !keys.has(key)) ||
    [...keys].some((key) => !linked.has(key) && plainKeys.has(plain(key)))
  );
}

function writeLinked({ isOne, shows }: LinkedRowsCell, rows: readonly Cells[]): string {
  if (!isOne) return `[${rows.map((row) => writeShown(shows, row)).join(',')}]`;
  return rows[0] === undefined ? 'null' : writeShown(shows, rows[0]);
}

function writeShown(shows: LinkedRowsCell['shows'], row: Cells): string {
  if ('as' in shows) return writeCell(row[shows.at], shows.as);
  return `{${shows.map(({ key, at, as }) => `${JSON.stringify(key)}:${writeCell(row[at], as)}`).join(',')}}`;
}
