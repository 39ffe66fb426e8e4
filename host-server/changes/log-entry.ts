import type { AuditChange, AuditText, Change, ValuesByColumn } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import type { Binding } from '../sql/session.ts';

/**
 * What an entry tells of: rows of one table, a set of rows that was too large to remember, a change of the schema, or something
 * else that the audit keeps. A `gap` says that its number was given to a transaction which was rolled back.
 */
export type EntryKind = Change['kind'] | 'event' | 'gap';

/**
 * One row: its key, the cells before, the cells after, and the places of these cells in the entry's columns where they are not
 * of all of them. A row whose cells were deleted for good has none, and says so. Of a set of rows, what the columns of a foreign key held
 * in some of them, without a key.
 */
export type LoggedRow = readonly [
  key: RowKey,
  before: readonly CellValue[] | null,
  after: readonly CellValue[] | null,
  places?: readonly number[],
  isPurged?: true,
];

/** What an entry holds besides rows. */
export interface EntryDetails {
  /** Comes first, so that entries are found by `beginOfDetails`: `PROJECT`, `TABLE`, `AUTHENTICATION` and the like: the audit's type and sub type. */
  readonly type?: string;
  readonly subType?: string;
  readonly description?: string;
  readonly said?: AuditText;
  readonly changes?: readonly AuditChange[];
  readonly ip?: string;
  readonly rowKey?: RowKey;
  /** What plugins keep with the changes of a call. */
  readonly marks?: NonNullable<Change['marks']>;
  /** Of what undo wrote: the operation that it took back. */
  readonly undoes?: string;
  /** Of a set change. */
  readonly predicate?: string;
  readonly patch?: ValuesByColumn;
}

/** How the details of schema changes and events of a type begin in the database. */
export function beginOfDetails(type: string): string {
  return `${JSON.stringify({ type }).slice(0, -1)},`;
}

/** One entry of the change log, before it has its number. */
export interface NewEntry {
  /** Shared by the entries of one call. */
  readonly operationId: string;
  readonly kind: EntryKind;
  readonly op: Change['op'];
  readonly actorId: string;
  readonly actorEmail: string;
  readonly projectId: string;
  readonly baseId: string;
  readonly tableId: string;
  readonly origin: string;
  readonly requestId: string;
  /** UTC, milliseconds since 1970. */
  readonly at: number;
  /** Which of the entries of one call to one table this is: 0, 1, 2 ... */
  readonly part: number;
  /** How many rows the call changed in the table, in all parts. */
  readonly total: number;
  /** Column ids, in the order of the cells. */
  readonly columns: readonly string[];
  readonly rows: readonly LoggedRow[];
  readonly details?: EntryDetails;
}

/** One entry of the change log. */
export interface LogEntry extends NewEntry {
  /** Its place in the log. */
  readonly seq: number;
}

/** The columns of `trellis_log_entry` but `seq`, in the order of `entryCells`. */
export const entryColumns = [
  'operation_id',
  'kind',
  'op',
  'actor_id',
  'actor_email',
  'project_id',
  'base_id',
  'table_id',
  'origin',
  'request_id',
  'at',
  'part',
  'total',
  'first_key',
  'last_key',
  'columns',
  'rows',
  'details',
] as const;

/** A range of counted keys, whose rows need no index of their own. */
export interface KeyRange {
  readonly first: number;
  readonly last: number;
}

/** @param rowsText the rows as JSON, where the caller has made the text already. */
export function entryCells(entry: NewEntry, range?: KeyRange, rowsText?: string): Binding[] {
  return [
    entry.operationId,
    entry.kind,
    entry.op,
    entry.actorId || null,
    entry.actorEmail || null,
    entry.projectId || null,
    entry.baseId || null,
    entry.tableId || null,
    entry.origin,
    entry.requestId || null,
    entry.at,
    entry.part,
    entry.total,
    range?.first ?? null,
    range?.last ?? null,
    entry.columns.length === 0 ? null : JSON.stringify(entry.columns),
    entry.rows.length === 0 ? null : (rowsText ?? JSON.stringify(entry.rows)),
    entry.details === undefined ? null : JSON.stringify(entry.details),
  ];
}

/** A row of `trellis_log_entry`. */
export interface EntryRow {
  readonly seq: number | string;
  readonly operation_id: string;
  readonly kind: EntryKind;
  readonly op: Change['op'];
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly project_id: string | null;
  readonly base_id: string | null;
  readonly table_id: string | null;
  readonly origin: string;
  readonly request_id: string | null;
  readonly at: number | string;
  readonly part: number | string;
  readonly total: number | string;
  readonly columns: string | null;
  readonly rows: string | null;
  readonly details: string | null;
}

export function toEntry(row: EntryRow): LogEntry {
  return {
    seq: Number(row.seq),
    operationId: row.operation_id,
    kind: row.kind,
    op: row.op,
    actorId: row.actor_id ?? '',
    actorEmail: row.actor_email ?? '',
    projectId: row.project_id ?? '',
    baseId: row.base_id ?? '',
    tableId: row.table_id ?? '',
    origin: row.origin,
    requestId: row.request_id ?? '',
    at: Number(row.at),
    part: Number(row.part),
    total: Number(row.total),
    columns: row.columns === null ? [] : (JSON.parse(row.columns) as string[]),
    rows: row.rows === null ? [] : (JSON.parse(row.rows) as LoggedRow[]),
    ...(row.details !== null && { details: detailsIn(row.details) }),
  };
}

/** What the log keeps as details, from its text. */
export function detailsIn(text: string): EntryDetails {
  return JSON.parse(text) as EntryDetails;
}

/** The changes of an entry, one for each of its rows. Ids follow from the entry's number, so that they never differ. */
export function changesOf(entry: LogEntry): readonly Change[] {
  if (entry.kind === 'rowSet' || entry.kind === 'schema') return [wholeChange(entry, entry.kind)];
  if (entry.kind !== 'row') return [];
  return entry.rows.map((_, position) => changeAt(entry, position));
}

/** The change of the row at a position of a `row` entry. */
export function changeAt(entry: LogEntry, position: number): Change {
  const [key, before, after, places, isPurged] = entry.rows[position] ?? ['', null, null];
  const cells = {
    before: valuesAt(entry.columns, before, places),
    after: valuesAt(entry.columns, after, places),
  };
  return {
    ...sharedOf(entry),
    id: eventId(entry.seq, position),
    kind: 'row',
    rowKey: key,
    ...(entry.op === 'update' ? changedOnly(cells) : cells),
    ...(isPurged && { isPurged }),
  };
}

/** Without the cells that stand in an entry only because they make a foreign key together with one that changed. */
function changedOnly(cells: Pick<Change, 'before' | 'after'>): Pick<Change, 'before' | 'after'> {
  const { before, after } = cells;
  if (before === undefined || after === undefined) return cells;
  const ids = Object.keys(after);
  const changed = ids.filter((id) => !(id in before) || !isSameCell(before[id] ?? null, after[id] ?? null));
  if (changed.length === ids.length) return cells;
  const of = (values: ValuesByColumn) => Object.fromEntries(changed.map((id) => [id, values[id] ?? null]));
  return { before: of(before), after: of(after) };
}

export function isSameCell(left: CellValue, right: CellValue): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** A link that an entry made or removed, as a change of the linked row. */
export function changeOfLinks(
  entry: LogEntry,
  linked: Pick<Change, 'tableId' | 'rowKey' | 'before' | 'after'>,
): Change {
  return { ...sharedOf(entry), id: `ch_${entry.seq}_links`, kind: 'row', op: 'update', ...linked };
}

/**
 * An entry of one row, whose rows are there as a text; undefined for other entries, and where the text is too long to be there.
 */
export function entryOfOne(entry: LogEntry, rows: string | undefined): LogEntry | undefined {
  if (entry.kind !== 'row' || entry.total !== 1 || rows === undefined) return undefined;
  return { ...entry, rows: JSON.parse(rows) as LoggedRow[] };
}

/** The change of such an entry. */
export function changeOfOne(entry: LogEntry, rows: string | undefined): Change | undefined {
  const whole = entryOfOne(entry, rows);
  return whole && changeAt(whole, 0);
}

/** What identifies the change of a row on every delivery. */
function eventId(seq: number, position: number): string {
  return `ch_${seq}_${position}`;
}

function wholeChange(entry: LogEntry, kind: 'rowSet' | 'schema'): Change {
  const { patch, description } = entry.details ?? {};
  const whole = { ...sharedOf(entry), id: eventId(entry.seq, 0), kind, rowKey: undefined, before: undefined };
  if (kind === 'schema') return { ...whole, after: { description: description ?? '' } };
  return {
    ...whole,
    after: { ...patch, count: entry.total },
    set: { count: entry.total, columns: Object.keys(patch ?? {}) },
  };
}

function sharedOf(entry: LogEntry) {
  const { operationId, op, actorId, actorEmail, projectId, baseId, tableId, origin, requestId, at } = entry;
  const shared = { operationId, op, actorId, actorEmail, projectId, baseId, tableId, origin, requestId, at };
  const { marks } = entry.details ?? {};
  return { ...shared, ...(marks !== undefined && { marks }) };
}

function valuesAt(
  columns: readonly string[],
  cells: readonly CellValue[] | null,
  places: readonly number[] | undefined,
): ValuesByColumn | undefined {
  if (cells === null) return undefined;
  const values: Record<string, CellValue> = {};
  for (const [index, cell] of cells.entries()) {
    const column = columns[places === undefined ? index : (places[index] ?? index)];
    if (column !== undefined) values[column] = cell;
  }
  return values;
}
