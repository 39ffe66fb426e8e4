import type { Cells } from '../databases/database.ts';
import type { RowChange } from '../changes/row-change.ts';
import { CellBudget, rowsAtOnce } from './cell-budget.ts';
import { rowErrors } from './row-errors.ts';
import { keyOf, type Where } from './row-keys.ts';
import { differenceOf } from './row-values.ts';
import type { Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** Rows that may be named by other values than their keys in one call. */
const mostMatched = 10_000;
/** Conditions other than keys in one call: each may be a search through the whole table, while nobody else writes. */
const mostSearches = 100;

/** What one row of a bulk call sets in the row that it names. */
export interface NamedPatch {
  readonly where: Where;
  readonly values: Values;
}

/**
 * Updates rows that are named by their keys, each with values of its own: two journeys to the database for each chunk. Gives for
 * each patch whether its row was there, and what changed.
 */
export async function updateNamed(
  write: TableWrite,
  patches: readonly NamedPatch[],
): Promise<{ readonly found: readonly boolean[]; readonly changes: readonly RowChange[] }> {
  const budget = new CellBudget();
  const found: boolean[] = [];
  const changes: RowChange[] = [];
  for (const chunk of chunksOf(patches)) {
    const before = (await write.unit.batch(chunk.map(({ where }) => write.lockQuery(where)))).map(oneRow);
    if (!budget.take(before.filter((cells) => cells !== undefined)))
      throw rowErrors.create('TOO_MUCH_AT_ONCE');
    const isPlain = areDistinct(write, before) && !chunk.some(({ values }) => setsKey(values));
    const made = isPlain ? await updateLocked(write, chunk, before) : await updateInTurn(write, chunk);
    found.push(...made.map((change) => change !== 'absent'));
    changes.push(...made.filter((change) => change !== 'absent' && change !== 'same'));
  }
  return { found, changes };
}

/** The patches whose rows still hold the values that the caller expects (`holding`). The others came too late. */
export async function stillHolding<Patch extends NamedPatch & { readonly holding: Where }>(
  write: TableWrite,
  patches: readonly Patch[],
): Promise<readonly Patch[]> {
  const kept: Patch[] = [];
  for (const chunk of chunksOf(patches)) {
    const asked = chunk.filter(({ holding }) => holding.length > 0);
    const answers = await write.unit.batch(
      asked.map(({ where, holding }) => write.lockQuery([...where, ...holding])),
    );
    const late = new Set(asked.filter((_, at) => answers[at]?.rows.length === 0));
    kept.push(...chunk.filter((patch) => !late.has(patch)));
  }
  return kept;
}

/** The outcome of an update of one row: its change, `same` when nothing changed, `absent` when there was no row. */
type Outcome = RowChange | 'same' | 'absent';

/** Updates rows that are locked already, are named once each, and keep their keys. */
async function updateLocked(
  write: TableWrite,
  chunk: readonly NamedPatch[],
  before: readonly (Cells | undefined)[],
): Promise<readonly Outcome[]> {
  const present = chunk.filter((_, index) => before[index] !== undefined);
  const queries = present.map(({ where, values }) => write.updateQueries(where, values));
  const answers = await write.unit.batch(queries.flat());
  // The last result of a row's statements holds the row; some databases need one statement for update and read.
  const each = queries[0]?.length ?? 1;
  let at = 0;
  return before.map((cells): Outcome => {
    if (cells === undefined) return 'absent';
    const [updated, renewed] = [answers[at], answers[at + each - 1]];
    at += each;
    const after = renewed?.rows[0];
    if (updated?.changes !== 1 || after === undefined) throw rowErrors.create('NOT_ONE_ROW');
    return differenceOf(write.plan, cells, after) ?? 'same';
  });
}

/** Updates rows one after the other, so that each update sees those before it. */
async function updateInTurn(write: TableWrite, chunk: readonly NamedPatch[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { where, values } of chunk) {
    const updated = await write.update(where, values);
    outcomes.push(updated === undefined ? 'absent' : (updated.change ?? 'same'));
  }
  return outcomes;
}

/** What one row of a bulk delete names rows by: a whole key, or values of any columns. */
export interface NamedRows {
  readonly where: Where;
  readonly isKey: boolean;
}

/** @throws TrellisError 413 for a bulk delete that would search its table too often. */
export function assertFewSearches(conditions: readonly { readonly key: unknown }[]): void {
  if (conditions.filter(({ key }) => key === undefined).length > mostSearches)
    throw rowErrors.create('TOO_MANY_CONDITIONS', { limit: mostSearches });
}

/**
 * Reads and locks the rows that a bulk delete names, each under the first condition that it meets.
 *
 * @throws TrellisError 413 when conditions other than keys are met by more than 10,000 rows, or the rows hold too much.
 */
export async function lockNamed(
  write: TableWrite,
  conditions: readonly NamedRows[],
): Promise<readonly (readonly Cells[])[]> {
  const budget = new CellBudget();
  const seen = new Set<string>();
  const locked: (readonly Cells[])[] = [];
  let matched = 0;
  for (const chunk of searchesOf(conditions)) {
    // A condition may be met by many rows, so each answer is limited to the rows that the call may still delete.
    const limit = mostMatched - matched + 1;
    const answers = await write.unit.batch(
      chunk.map(({ where, isKey }) => write.lockQuery(where, isKey ? undefined : limit)),
    );
    for (const [index, { rows }] of answers.entries()) {
      if (chunk[index]?.isKey !== true) matched += rows.length;
      if (matched > mostMatched) throw rowErrors.create('TOO_MANY_MATCHED', { limit: mostMatched });
      if (!budget.take(rows)) throw rowErrors.create('TOO_MUCH_AT_ONCE');
      const fresh = rows.filter((cells) => !seen.has(keyOf(write.plan, cells)));
      for (const cells of fresh) seen.add(keyOf(write.plan, cells));
      locked.push(fresh);
    }
  }
  return locked;
}

function* chunksOf<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let from = 0; from < items.length; from += rowsAtOnce) yield items.slice(from, from + rowsAtOnce);
}

/**
 * Keys that follow one another together, each other condition alone: the rows that meet several of them may be more than memory
 * has room for.
 */
function* searchesOf(conditions: readonly NamedRows[]): Iterable<readonly NamedRows[]> {
  for (let from = 0; from < conditions.length;) {
    const next = conditions.slice(from, from + rowsAtOnce);
    const other = next.findIndex(({ isKey }) => !isKey);
    const together = other === -1 ? next : next.slice(0, Math.max(other, 1));
    yield together;
    from += together.length;
  }
}

/** @throws TrellisError 409 when a key names several rows, which can happen in an external database. */
function oneRow({ rows }: { readonly rows: readonly Cells[] }): Cells | undefined {
  if (rows.length > 1) throw rowErrors.create('NOT_ONE_ROW');
  return rows[0];
}

/** Whether no row is named twice, also not by two spellings of its key. */
function areDistinct({ plan }: TableWrite, rows: readonly (Cells | undefined)[]): boolean {
  const keys = rows.flatMap((cells) => (cells === undefined ? [] : [keyOf(plan, cells)]));
  return new Set(keys).size === keys.length;
}

function setsKey(values: Values): boolean {
  return [...values.keys()].some(({ column }) => column.primaryKey);
}
