import { DatabaseError } from './database-error.ts';
import { writeCell, type JsonCellKind } from './json-rows.ts';
import type { Binding } from './session.ts';

/** A cell of a row, by its place in what was read. */
export interface PlacedCell {
  readonly at: number;
  readonly as: JsonCellKind;
}

/** A cell under its key in the object of its row. */
export type KeyedCell = PlacedCell & { readonly key: string };

/** A cell that is made of linked rows: of each an object, or the value of one column. */
export interface LinkedRowsCell {
  readonly key: string;
  /** Which of the links of the page. */
  readonly link: number;
  /** The link leads to one row at the most: the cell is that row, or null, and no list. */
  readonly isOne: boolean;
  readonly shows: PlacedCell | readonly KeyedCell[];
}

/** The linked rows of all rows of a page, as one statement reads them. */
export interface PageLink {
  /** Where the value by which rows are linked stands in a row of the page. In linked rows it is the first cell. */
  readonly at: number;
  /** Binds `count` of these values. */
  readonly sql: string;
  readonly count: number;
  /** Reads the same rows for less, with the same bindings, where they are fewer than `most`; more than `perRow` of a row among them. */
  readonly few?: { readonly sql: string; readonly most: number } | undefined;
  /** Linked rows of each row at the most. */
  readonly perRow: number;
}

/** A page of rows with their linked rows, read and written as JSON where the database is asked. */
export interface LinkedPage {
  readonly cells: readonly (KeyedCell | LinkedRowsCell)[];
  readonly links: readonly PageLink[];
}

type Cells = readonly unknown[];

/**
 * The values by which these rows are linked, for each link of the page; undefined where no row is linked.
 * A page of fewer rows than were expected names one of them again and again.
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
 * The rows as the bytes of a JSON array. No bytes at all where linked rows may name a row of the page in other letters, which a column may
 * hold to be the same ones: to find out which takes further questions.
 *
 * @param found the linked rows of each link
 * @throws DatabaseError `tooLarge` where they are more than `maxBytes`
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

/** Whether linked rows came by a text that no row of the page has, or rows came by none that has the same text but for its case. */
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
