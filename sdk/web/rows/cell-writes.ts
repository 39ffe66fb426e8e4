import type { Row, RowKey } from '../../shared/index.ts';
import { ApiError } from '../api.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import type { EditStep } from './edit-step.ts';
import type { RowCodec, RowValues } from './row-codec.ts';
import type { RowSteps } from './row-steps.ts';
import type { RowsPaths } from './rows-place.ts';

/** How often a write is retried without what was refused. */
const MOST_REFUSED = 25;

/** The unit that is written completely or not at all. @public */
export type WrittenWhole = 'row' | 'cell';

type CellsOfRows = ReadonlyMap<RowKey, RowValues>;

interface WritesOf {
  readonly steps: RowSteps;
  /** Throws if rows are read-only. */
  readonly paths: () => RowsPaths;
  readonly codec: () => RowCodec;
  /** Called with the rows' values after they were written. */
  readonly onWritten: (rows: ReadonlyMap<RowKey, RowValues>) => void;
}

/** Writes the values of cells: each row, or each cell, completely or not at all. */
export class CellWrites {
  readonly #of: WritesOf;

  constructor(of: WritesOf) {
    this.#of = of;
  }

  /** Resolves with the refused cells if others were written; rejects if all were refused. */
  async write(
    changes: readonly CellChange[],
    step: EditStep,
    whole: WrittenWhole,
  ): Promise<readonly CellFailure[]> {
    const rows = valuesByRow(changes);
    const failures: CellFailure[] = [];
    let tries = 0;
    while (rows.size > 0) {
      try {
        this.#of.onWritten(await this.#writeRows(rows, step));
        break;
      } catch (error) {
        const refused = this.#refused(error, rows, whole);
        if (refused === undefined && failures.length === 0) throw error;
        const values = refused === undefined || tries >= MOST_REFUSED ? rows : refused;
        tries += 1;
        for (const [rowKey, cells] of values) {
          failures.push(...failuresOf(rowKey, cells, error));
          withoutCells(rows, rowKey, cells);
        }
      }
    }
    return failures;
  }

  /** The refused part, if the refusal names one: a row of several, or a cell if cells are written individually. */
  #refused(error: unknown, rows: CellsOfRows, whole: WrittenWhole): CellsOfRows | undefined {
    const key = refusedRow(error, [...rows.keys()]);
    const values = key === undefined ? undefined : rows.get(key);
    if (key === undefined || values === undefined) return undefined;
    const columnId = whole === 'cell' ? this.#refusedColumn(error) : undefined;
    const cells =
      columnId !== undefined && Object.hasOwn(values, columnId) ? { [columnId]: values[columnId] } : values;
    const isAll = rows.size === 1 && Object.keys(cells).length === Object.keys(values).length;
    return isAll ? undefined : new Map([[key, cells]]);
  }

  #refusedColumn(error: unknown): string | undefined {
    const column = error instanceof ApiError ? error.params.column : undefined;
    return typeof column === 'string' ? this.#of.codec().idOf(column) : undefined;
  }

  /** Writes a single row with its own call, several rows in one transaction. */
  async #writeRows(
    rows: ReadonlyMap<RowKey, RowValues>,
    step: EditStep,
  ): Promise<ReadonlyMap<RowKey, RowValues>> {
    const codec = this.#of.codec();
    const [only] = rows;
    if (only !== undefined && rows.size === 1) {
      const [rowKey, values] = only;
      const row = await this.#writeRow(rowKey, codec.encode(values), step);
      return new Map([[rowKey, this.#of.codec().valuesOf(row)]]);
    }
    const body = [...rows].map(([rowKey, values]) => ({
      ...codec.encode(values),
      ...codec.encodeKey(rowKey),
    }));
    const path = this.#of.paths().bulk;
    await this.#of.steps.send({ method: 'PATCH', path, body, outlasts: true }, step);
    return rows;
  }

  async #writeRow(rowKey: RowKey, body: RowValues, step: EditStep): Promise<Row> {
    const { steps, paths } = this.#of;
    const send = (rows: string) =>
      steps.send<Row>(
        { method: 'PATCH', path: `${rows}/${encodeURIComponent(rowKey)}`, body, outlasts: true },
        step,
      );
    try {
      return await send(paths().rows);
    } catch (error) {
      // The view was deleted during the edit; the row was not.
      if (error instanceof ApiError && error.code === 'VIEW_NOT_FOUND') return send(paths().table);
      throw error;
    }
  }
}

/** The row that a refusal names: the only one, or one of several by its key or by its index in the body, from 1. */
function refusedRow(error: unknown, keys: readonly RowKey[]): RowKey | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (keys.length === 1) return keys[0];
  const { rowKey, row } = error.params;
  const key = typeof rowKey === 'string' ? rowKey : typeof row === 'number' ? keys[row - 1] : undefined;
  return key !== undefined && keys.includes(key) ? key : undefined;
}

function valuesByRow(changes: readonly CellChange[]): Map<RowKey, RowValues> {
  const rows = new Map<RowKey, RowValues>();
  for (const { rowKey, columnId, value } of changes) {
    rows.set(rowKey, { ...rows.get(rowKey), [columnId]: value });
  }
  return rows;
}

/** Removes cells from what is to be written, and their row with the last of them. */
function withoutCells(rows: Map<RowKey, RowValues>, rowKey: RowKey, cells: RowValues): void {
  const rest = Object.entries(rows.get(rowKey) ?? {}).filter(([id]) => !Object.hasOwn(cells, id));
  if (rest.length === 0) rows.delete(rowKey);
  else rows.set(rowKey, Object.fromEntries(rest));
}

function failuresOf(rowKey: RowKey, values: RowValues, error: unknown): readonly CellFailure[] {
  const message = error instanceof Error ? error.message : String(error);
  return Object.keys(values).map((columnId) => ({ rowKey, columnId, message }));
}
