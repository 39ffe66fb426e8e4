import { createHash } from 'node:crypto';

/*
 * Puts the changes of former versions, one row each, into entries of many rows. Belongs to a released migration: it never
 * changes, and it uses nothing that may.
 */

/** A row of the former `trellis_change`. */
export interface FormerChange {
  readonly id: string;
  readonly operation_id: string;
  readonly kind: string;
  readonly op: string;
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly project_id: string | null;
  readonly base_id: string | null;
  readonly table_id: string | null;
  readonly row_key: string | null;
  readonly long_row_key: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly origin: string;
  readonly request_id: string | null;
  readonly state: string;
  readonly at: number | string;
}

/** A row of `trellis_log_entry` with the keys that `trellis_log_row` names it by. */
export interface PackedEntry {
  readonly cells: {
    readonly operation_id: string;
    readonly table_id: string | null;
    readonly at: number;
    readonly [column: string]: string | number | null;
  };
  readonly keys: readonly string[];
}

/** The state of an operation whose rows go on in the next page. */
export interface PackingPlace {
  readonly operation: string;
  readonly part: number;
}

type PackedRow = [key: string, before: unknown[] | null, after: unknown[] | null, places?: number[]];
type Cells = Readonly<Record<string, unknown>>;

const mostRows = 500;
const mostCharacters = 256 * 1024;

/** @param place how many entries the operation that the last page ended with has already. */
export function packChanges(
  changes: readonly FormerChange[],
  place: PackingPlace,
): { readonly entries: readonly PackedEntry[] } & PackingPlace {
  let { operation, part } = place;
  const entries = groupsOf(changes).map((group) => {
    const [first] = group as [FormerChange];
    if (first.operation_id !== operation) {
      operation = first.operation_id;
      part = 0;
    }
    const entry = first.kind === 'rowSet' ? setEntry(first) : rowsEntry(group, part);
    part += 1;
    return entry;
  });
  return { entries: withTotals(entries, changes), operation, part };
}

/** Changes that share an entry: of one call, one table and one kind, and no more than an entry holds. */
function groupsOf(changes: readonly FormerChange[]): readonly (readonly FormerChange[])[] {
  const groups: FormerChange[][] = [];
  let characters = 0;
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isSame =
      last?.operation_id === change.operation_id &&
      last.table_id === change.table_id &&
      last.op === change.op &&
      last.kind === change.kind;
    if (group !== undefined && isSame && group.length < mostRows && characters < mostCharacters)
      group.push(change);
    else {
      groups.push([change]);
      characters = 0;
    }
    characters += (change.before?.length ?? 0) + (change.after?.length ?? 0);
  }
  return groups;
}

/** The first entry of a call says how many rows the call changed, as far as this page knows. */
function withTotals(
  entries: readonly PackedEntry[],
  changes: readonly FormerChange[],
): readonly PackedEntry[] {
  const totals = new Map<string, number>();
  for (const { operation_id } of changes) totals.set(operation_id, (totals.get(operation_id) ?? 0) + 1);
  return entries.map(({ cells, keys }) => ({
    keys,
    cells: cells['kind'] === 'rowSet' ? cells : { ...cells, total: totals.get(cells.operation_id) ?? 0 },
  }));
}

function rowsEntry(group: readonly FormerChange[], part: number): PackedEntry {
  const columns: string[] = [];
  const placeOf = new Map<string, number>();
  for (const { before, after } of group)
    for (const id of Object.keys(parsed(after) ?? parsed(before) ?? {}))
      if (!placeOf.has(id)) placeOf.set(id, columns.push(id) - 1);
  const rows = group.map((change): PackedRow => {
    const [before, after] = [parsed(change.before), parsed(change.after)];
    const ids = Object.keys(after ?? before ?? {});
    const places = ids.map((id) => placeOf.get(id) ?? 0);
    const cells = (of: Cells | null) => of && ids.map((id) => of[id] ?? null);
    const isWhole = places.length === columns.length && places.every((place, index) => place === index);
    const [key, from, to] = [keyOf(change), cells(before), cells(after)];
    return isWhole ? [key, from, to] : [key, from, to, places];
  });
  const [first] = group as [FormerChange];
  const range = first.op === 'insert' ? countingRange(rows) : undefined;
  return {
    keys: range === undefined ? [...new Set(rows.map(([key]) => indexedKey(key)))] : [],
    cells: {
      ...headOf(first),
      part,
      total: group.length,
      first_key: range?.[0] ?? null,
      last_key: range?.[1] ?? null,
      columns: JSON.stringify(columns),
      rows: JSON.stringify(rows),
      details: null,
    },
  };
}

function setEntry(change: FormerChange): PackedEntry {
  const { count, ...patch } = parsed(change.after) ?? {};
  const details = JSON.stringify({ predicate: '', patch });
  return {
    keys: [],
    cells: {
      ...headOf(change),
      part: 0,
      total: Number(count ?? 0),
      first_key: null,
      last_key: null,
      columns: null,
      rows: null,
      details,
    },
  };
}

function headOf(change: FormerChange) {
  const { operation_id, kind, op, actor_id, actor_email, project_id, base_id, table_id } = change;
  const { origin, request_id, at } = change;
  const author = { operation_id, kind, op, actor_id, actor_email };
  return { ...author, project_id, base_id, table_id, origin, request_id, at: Number(at) };
}

function parsed(text: string | null): Cells | null {
  return text === null ? null : (JSON.parse(text) as Cells);
}

function keyOf({ long_row_key, row_key }: FormerChange): string {
  return long_row_key ?? row_key ?? '';
}

/** Keys that are too long for the index stand there by their SHA-256. */
function indexedKey(key: string): string {
  return key.length > 255 ? `sha256:${createHash('sha256').update(key).digest('hex')}` : key;
}

function countingRange(rows: readonly PackedRow[]): readonly [number, number] | undefined {
  const first = Number(rows[0]?.[0]);
  if (!Number.isSafeInteger(first)) return undefined;
  return rows.every(([key], index) => key === String(first + index))
    ? [first, first + rows.length - 1]
    : undefined;
}
