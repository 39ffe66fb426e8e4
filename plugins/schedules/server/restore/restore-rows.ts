import type { Readable } from 'node:stream';
import {
  JsonMeter,
  RowStoreToken,
  SchemaStoreToken,
  type CellFiles,
  type JsonLimits,
  type RowRestores,
  type ServerPluginContext,
  type TableSchema,
  type ValuesByColumn,
} from '@trellis/sdk/server';
import { formatRowKey, type CellValue } from '@trellis/sdk/shared';
import type { ArchivedTable } from '../backup/archive.ts';
import { RowLosses } from './row-losses.ts';
import { restoreErrors, restoreNotes, wordsOf } from '../schedule-errors.ts';
import { restoreCellFiles } from './cell-files.ts';
import type { OpenArchive } from './open-archive.ts';
import type { Restoring } from './restore-tables.ts';
import { tableOrder } from './table-order.ts';

/** The position of a run: everything before it is done. */
export interface RowsPlace {
  readonly table: number;
  readonly rows: number;
}

export interface RestoringRows extends Restoring {
  readonly open: OpenArchive;
  readonly signal: AbortSignal;
  /** Where the previous run was interrupted. */
  readonly from: RowsPlace | undefined;
  /** Stores the position, once rows are committed. */
  reached(place: RowsPlace): Promise<void>;
}

const rowsAtOnce = 1000;
/** The most cells that are read, checked and sent without a pause for other work. */
const cellsAtOnce = 100_000;
const charactersAtOnce = 2_000_000;
/** The most characters that the server reads for one row. */
const longestLine = 64 * 1024 * 1024;
/** The limits of one row, including values within cells: a cell has at most a million characters. */
const lineLimits: JsonLimits = { values: 600_000, keys: 200_000, depth: 1000 };
const movedAtOnce = 500;

/** One row of an archive: its number, and its values by the archive's ids. */
interface ArchivedRow {
  readonly number: number;
  readonly characters: number;
  readonly values: ReadonlyMap<string, CellValue>;
}

/** Restores the rows of an archive to the tables that were created from it. */
export async function restoreRows(ctx: ServerPluginContext, restoring: RestoringRows): Promise<void> {
  const { ids, scope, open, signal, from, reached, note } = restoring;
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const types = ctx.registry('columnTypes');
  const { tables, later } = tableOrder(restoring);
  const keep = restoreCellFiles(open, signal);
  const losses = new RowLosses();

  async function madeOf(archived: ArchivedTable): Promise<TableSchema> {
    const made = (await schema.snapshot(await scope())).tables.get(ids.get(archived.id) ?? '');
    if (made === undefined) throw restoreErrors.create('RESTORE_DAMAGED');
    return made;
  }

  async function restore(
    table: TableSchema,
    batch: readonly ValuesByColumn[],
    options: Parameters<RowRestores['restore']>[2],
  ): Promise<void> {
    if (batch.length === 0) return;
    const handle = await schema.open(await scope(), table.id);
    losses.add(table, await rows.restore(handle, batch, options));
  }

  async function restoreTable(archived: ArchivedTable, index: number): Promise<void> {
    const table = await madeOf(archived);
    const skipped = from?.table === index ? from.rows : 0;
    const targets = targetsOf(archived, table, restoring);
    const given = archived.rows.columns.flatMap((id) =>
      later.has(id) ? [] : (targets.get(id) ?? []).map((to) => [id, to] as const),
    );
    const holding = given.flatMap(([, to]): (readonly [string, CellFiles])[] => {
      const files = types.get(table.columnById.get(to)?.type ?? '')?.server?.files;
      return files === undefined ? [] : [[to, files]];
    });
    // A table without a key got a counting one.
    const counted = table.primaryKey.filter(({ id }) => !given.some(([, to]) => to === id));
    for await (const part of batchesOf(open, archived)) {
      const left = part.filter(({ number }) => number > skipped);
      const batch = left.map(({ number, values }) => ({
        ...Object.fromEntries(counted.map(({ id }) => [id, number])),
        ...Object.fromEntries(given.map(([id, to]) => [to, values.get(id) ?? null])),
      }));
      const place = { scope: await scope(), table };
      const whole = holding.length === 0 ? batch : await keep.replaced(batch, holding, place);
      // The part that was being written when a run was interrupted may exist.
      const mayBeThere = from !== undefined;
      await restore(table, whole, { mayBeThere });
      await reached({ table: index, rows: part.at(-1)?.number ?? 0 });
      signal.throwIfAborted();
    }
  }

  /** Foreign keys that name later rows, in a cycle of tables or within a table, are set once all rows exist. */
  async function restoreLater(archived: ArchivedTable): Promise<void> {
    const table = await madeOf(archived);
    const targets = targetsOf(archived, table, restoring);
    const keys = new Set(table.primaryKey.map(({ id }) => id));
    const given = archived.rows.columns.flatMap((id) =>
      (targets.get(id) ?? [])
        .filter((to) => keys.has(to) || later.has(id) || table.columnById.get(to)?.autoUpdate === true)
        .map((to) => [id, to] as const),
    );
    const isNamed = given.filter(([id]) => later.has(id));
    for await (const part of batchesOf(open, archived)) {
      const batch = part
        .filter(({ values }) => isNamed.some(([id]) => (values.get(id) ?? null) !== null))
        .map(({ values }) => Object.fromEntries(given.map(([id, to]) => [to, values.get(id) ?? null])));
      await restore(table, batch, { mayBeThere: true });
      signal.throwIfAborted();
    }
  }

  /** Restores the order of rows that people arranged by hand. */
  async function arrange(archived: ArchivedTable): Promise<void> {
    const table = await madeOf(archived);
    const targets = targetsOf(archived, table, restoring);
    const key = table.primaryKey.map(({ id }) =>
      archived.rows.columns.find((of) => targets.get(of)?.includes(id)),
    );
    let last: string | undefined;
    for await (const part of batchesOf(open, archived)) {
      const named = part.map(({ values }) => formatRowKey(key.map((id) => values.get(id ?? '') ?? null)));
      for (let at = 0; at < named.length; at += movedAtOnce) {
        const [first = '', ...others] = named.slice(at, at + movedAtOnce);
        const moved = last === undefined ? others : [first, ...others];
        if (moved.length > 0) {
          const handle = await schema.open(await scope(), table.id);
          await rows.move(handle, moved, {
            side: 'after',
            row: last ?? first,
            signal,
          });
        }
        last = moved.at(-1) ?? first;
      }
    }
  }

  for (const [index, table] of tables.entries())
    if (index >= (from?.table ?? 0)) await restoreTable(table, index);
  for (const table of tables) if (table.rows.columns.some((id) => later.has(id))) await restoreLater(table);
  for (const table of tables) if (table.rows.arranged) await arrange(table);
  for (const told of losses.notes()) note(told);
  if (keep.missing > 0) note(wordsOf(restoreNotes.create('RESTORE_LEFT_FILES', { count: keep.missing })));
}

/** The target columns for the values of each archived column. */
function targetsOf(
  archived: ArchivedTable,
  table: TableSchema,
  { plan, ids }: Restoring,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    archived.rows.columns.map((id) => {
      const title = archived.columns.find((column) => column.id === id)?.title ?? '';
      const comesWithLink = plan.keys.has(id) || plan.junctions.has(archived.id);
      const own = comesWithLink ? undefined : table.columnByTitle.get(title)?.id;
      const to = [...new Set([ids.get(id), own])].filter(
        (of): of is string => of !== undefined && table.columnById.has(of),
      );
      return [id, to];
    }),
  );
}

async function* batchesOf(
  open: OpenArchive,
  { rows }: ArchivedTable,
): AsyncGenerator<readonly ArchivedRow[], void, undefined> {
  const content = await open.read(rows.file);
  if (content === undefined) throw restoreErrors.create('RESTORE_DAMAGED');
  let batch: ArchivedRow[] = [];
  let characters = 0;
  let number = 0;
  for await (const line of linesOf(content)) {
    number += 1;
    const row = rowOf(line, rows.columns, number);
    batch.push(row);
    characters += row.characters;
    const isFull = batch.length >= rowsAtOnce || batch.length * rows.columns.length >= cellsAtOnce;
    if (!isFull && characters < charactersAtOnce) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

const damaged = () => restoreErrors.create('RESTORE_DAMAGED');

function rowOf(line: string, columns: readonly string[], number: number): ArchivedRow {
  let cells: unknown;
  try {
    cells = JSON.parse(line) as unknown;
  } catch (error) {
    throw restoreErrors.create('RESTORE_DAMAGED', undefined, error);
  }
  if (!Array.isArray(cells) || cells.length !== columns.length) throw damaged();
  const values = new Map(columns.map((id, place) => [id, cells[place] as CellValue]));
  return { number, characters: line.length, values };
}

/** @throws TrellisError `RESTORE_DAMAGED` for a line that exceeds the limits of a row. */
async function* linesOf(content: Readable): AsyncGenerator<string, void, undefined> {
  content.setEncoding('utf8');
  let begun = new BegunLine();
  for await (const part of content) {
    const [first = '', ...others] = (part as string).split('\n');
    begun.add(first);
    const next = others.pop();
    if (next === undefined) continue;
    yield begun.text;
    yield* others;
    begun = new BegunLine();
    begun.add(next);
  }
  if (begun.length > 0) yield begun.text;
}

/** An incomplete line: a long one arrives in many chunks, which are counted on arrival and joined once. */
class BegunLine {
  readonly #parts: string[] = [];
  readonly #meter = new JsonMeter(lineLimits, damaged);
  length = 0;

  add(part: string): void {
    this.length += part.length;
    if (this.length > longestLine) throw damaged();
    this.#meter.add(Buffer.from(part));
    this.#parts.push(part);
  }

  get text(): string {
    return this.#parts.join('');
  }
}
