import type { RowPlace } from '@trellis/sdk/server';
import { formatRowKey, type RowKey } from '@trellis/sdk/shared';
import { selectLast, selectNextKey, selectSide, type Side } from '../query/neighbours.ts';
import { updateEach } from '../query/update-each.ts';
import { rowOrderGap } from '../schema/columns/row-order.ts';
import type { Binding } from '../sql/session.ts';
import { rowErrors } from './row-errors.ts';
import { keyOf, whereOfKey } from './row-keys.ts';
import type { ColumnCodec, Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** A row and the number that orders it. */
interface PlacedRow {
  readonly key: RowKey;
  readonly bindings: readonly Binding[];
  readonly at: number;
}

/** The row beside which others are placed. */
type Anchor = Pick<PlacedRow, 'key' | 'at'>;

/** Rows on both sides of a gap, in their order. */
interface Around {
  readonly before: readonly PlacedRow[];
  readonly after: readonly PlacedRow[];
  /** Whether these are all rows on that side. */
  readonly isAll: Readonly<Record<'before' | 'after', boolean>>;
}

/** How many rows on each side are read first, and the factor for each further read. */
const nearest = 2;
const growth = 32;
/** Rows that move to make room are at least this far apart afterwards, or the next row would not fit again. */
const leastGap = 16;
const rowsPerUpdate = 50;

/**
 * Gives new rows their numbers in the order of the table: after all others, unless they have a number. Does nothing in a table that
 * was never arranged by hand.
 */
export async function placedAtEnd(write: TableWrite, rows: readonly Values[]): Promise<readonly Values[]> {
  const of = write.plan.rowOrder;
  const isPlaced = (values: Values) => of === undefined || (values.get(of) ?? null) !== null;
  if (of === undefined || rows.every(isPlaced)) return rows;
  const { rows: found } = await write.unit.rows(selectLast(write.context, of.column));
  let last = found.map((cells) => placedRow(write, of, cells))[0]?.at ?? 0;
  return rows.map((values) => {
    if (isPlaced(values)) return values;
    last += rowOrderGap;
    return new Map([...values, [of, last]]);
  });
}

/**
 * Gives rows numbers beside another row, in their order.
 *
 * @throws TrellisError 404 if that row does not exist for the caller.
 */
export async function placedBeside(
  write: TableWrite,
  rows: readonly Values[],
  place: RowPlace,
): Promise<readonly Values[]> {
  const { plan } = write;
  const of = plan.rowOrder;
  if (of === undefined) throw rowErrors.create('TABLE_NOT_ARRANGED', { table: plan.table.title });
  const anchor = await lockedAnchor(write, of, place.row);
  if (anchor === undefined) throw rowErrors.create('ROW_MISSING', { table: plan.table.title });
  const numbers = await numbersBeside(write, of, { anchor, side: place.side, count: rows.length });
  return rows.map((values, index) => new Map([...values, [of, numbers[index] ?? 0]]));
}

/** The row with this key, locked until the write is done; undefined if it does not exist. */
async function lockedAnchor(write: TableWrite, of: ColumnCodec, key: RowKey): Promise<Anchor | undefined> {
  const { plan } = write;
  const where = whereOfKey(plan, key);
  const [cells] = where === undefined ? [] : (await write.unit.rows(write.lockQuery(where))).rows;
  return cells && { key: keyOf(plan, cells), at: Number(of.decode(cells[plan.columns.indexOf(of)])) };
}

/**
 * Gives a restored row the place of its key before the table was arranged, if the change that deleted it stored no other: after the
 * row with the next smaller key.
 */
export async function placedByKey(write: TableWrite, values: Values): Promise<Values> {
  const of = write.plan.rowOrder;
  const [key, ...others] = write.plan.key;
  if (of === undefined || (values.get(of) ?? null) !== null) return values;
  const isCounting = key?.column.storage === 'integer' || key?.column.storage === 'bigint';
  const given = key === undefined ? undefined : values.get(key);
  if (key === undefined || others.length > 0 || !isCounting || given === undefined) return values;
  const at = key.encode(given);
  const ask = (direction: 'below' | 'above') => selectNextKey(write.context, of.column, { direction, at });
  const answers = await write.unit.batch([ask('below'), ask('above')]);
  const [below, above] = answers.map(({ rows }) => rows.map((cells) => placedRow(write, of, cells))[0]);
  const nearby = below ?? above;
  if (nearby === undefined) return values;
  const anchor = await lockedAnchor(write, of, nearby.key);
  if (anchor === undefined) throw rowErrors.create('PLACE_GONE', { table: write.plan.table.title });
  const side = below === undefined ? 'before' : 'after';
  const [number = 0] = await numbersBeside(write, of, { anchor, side, count: 1 });
  return new Map([...values, [of, number]]);
}

/**
 * Numbers for rows beside another one. If too few are free, the rows around it move apart, more of them each time until there is
 * room. They keep their order, so this is neither announced nor recorded.
 */
async function numbersBeside(
  write: TableWrite,
  of: ColumnCodec,
  {
    anchor,
    side,
    count,
  }: { readonly anchor: Anchor; readonly side: RowPlace['side']; readonly count: number },
): Promise<readonly number[]> {
  for (let reach = nearest; ; reach *= growth) {
    const around = await rowsAround(write, of, { anchor, side, reach });
    if (around === undefined) continue;
    const free = numbersBetween(around.before.at(-1)?.at, around.after[0]?.at, count, 1);
    if (free !== undefined) return free;
    const moved = movedApart(around, count);
    if (moved === undefined) continue;
    await renumber(write, of, moved.rows);
    return moved.free;
  }
}

/**
 * Undefined if the anchor is not among so few rows, since others have its number.
 *
 * @throws TrellisError 409 `PLACE_GONE` if all rows from its number on were read and the anchor is not among them.
 */
async function rowsAround(
  write: TableWrite,
  of: ColumnCodec,
  {
    anchor,
    side,
    reach,
  }: {
    readonly anchor: Anchor;
    readonly side: RowPlace['side'];
    readonly reach: number;
  },
): Promise<Around | undefined> {
  const ask = (on: Side['side']) =>
    selectSide(write.context, of.column, { side: on, place: anchor.at, limit: reach });
  const [from, before] = await write.unit.batch([ask('from'), ask('before')]);
  const [later, earlier] = [from, before].map((answer) =>
    (answer?.rows ?? []).map((cells) => placedRow(write, of, cells)),
  );
  if (later === undefined || earlier === undefined) return undefined;
  const anchorAt = later.findIndex(({ key }) => key === anchor.key);
  if (anchorAt === -1 && later.length < reach)
    throw rowErrors.create('PLACE_GONE', { table: write.plan.table.title });
  if (anchorAt === -1) return undefined;
  const split = side === 'before' ? anchorAt : anchorAt + 1;
  const isAll = { before: earlier.length < reach, after: later.length < reach };
  // The row after the anchor is needed, too.
  if (split === later.length && !isAll.after) return undefined;
  return { before: [...earlier.toReversed(), ...later.slice(0, split)], after: later.slice(split), isAll };
}

function placedRow({ plan }: TableWrite, of: ColumnCodec, cells: readonly unknown[]): PlacedRow {
  const bindings = plan.key.map((_, index) => cells[index] as Binding);
  return {
    key: formatRowKey(plan.key.map(({ decode }, index) => decode(cells[index]))),
    bindings,
    at: Number(of.decode(cells[plan.key.length])),
  };
}

/** `count` numbers spread evenly between two others; undefined if they would be closer to each other than `least`. */
function numbersBetween(
  lower: number | undefined,
  upper: number | undefined,
  count: number,
  least: number,
): readonly number[] | undefined {
  const each = (numberAt: (index: number) => number) =>
    Array.from({ length: count }, (_, at) => numberAt(at));
  if (lower === undefined || upper === undefined) {
    const first = lower !== undefined ? lower + rowOrderGap : (upper ?? 0) - count * rowOrderGap;
    return each((at) => first + at * rowOrderGap);
  }
  const step = Math.floor((upper - lower) / (count + 1));
  return step < least ? undefined : each((at) => lower + (at + 1) * step);
}

/** The rows around a gap with numbers so far apart that `count` others fit between them; undefined if there are too few rows. */
function movedApart(
  { before, after, isAll }: Around,
  count: number,
): { readonly rows: readonly PlacedRow[]; readonly free: readonly number[] } | undefined {
  // If there are more rows on a side, the outermost one keeps its number and bounds the others.
  const lower = isAll.before ? undefined : before[0];
  const upper = isAll.after ? undefined : after.at(-1);
  const left = lower === undefined ? before : before.slice(1);
  const right = upper === undefined ? after : after.slice(0, -1);
  const total = left.length + count + right.length;
  const numbers = numbersBetween(lower?.at, upper?.at, total, leastGap);
  if (numbers === undefined) return undefined;
  const from = left.length + count;
  const renumbered = [
    ...left.map((row, index) => ({ ...row, at: numbers[index] ?? 0 })),
    ...right.map((row, index) => ({ ...row, at: numbers[from + index] ?? 0 })),
  ];
  return { rows: renumbered, free: numbers.slice(left.length, from) };
}

async function renumber(write: TableWrite, of: ColumnCodec, rows: readonly PlacedRow[]): Promise<void> {
  const { plan, context } = write;
  const written = {
    table: plan.table.tableName,
    column: of.column.columnName,
    type: { kind: of.column.storage, native: of.column.nativeType },
    key: plan.key.map(({ column }) => column.columnName),
  };
  const values = rows.map(({ bindings, at }) => ({ key: bindings, value: at }));
  for (let start = 0; start < values.length; start += rowsPerUpdate)
    await write.unit.run(updateEach(context.dialect, written, values.slice(start, start + rowsPerUpdate)));
}
