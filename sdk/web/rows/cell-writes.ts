import type { Row, RowKey } from '../../shared/index.ts';
import { ApiError } from '../api.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import type { EditStep } from './edit-step.ts';
import type { RowCodec, RowValues } from './row-codec.ts';
import type { RowSteps } from './row-steps.ts';
import type { RowsPaths } from './rows-place.ts';

/** A write of several rows is tried again without a row that was refused, so often. */
const MOST_REFUSED_ROWS = 25;

interface WritesOf {
  readonly steps: RowSteps;
  /** Throws where rows are only read. */
  readonly paths: () => RowsPaths;
  readonly codec: () => RowCodec;
  /** Hears what rows hold once they were written. */
  readonly onWritten: (rows: ReadonlyMap<RowKey, RowValues>) => void;
}

/** Sends the values of cells: each row is written whole or not at all. */
export class CellWrites {
  readonly #of: WritesOf;

  constructor(of: WritesOf) {
    this.#of = of;
  }

  /** Resolves with the cells that were refused while others were written; rejects where all were. */
  async write(changes: readonly CellChange[], step: EditStep): Promise<readonly CellFailure[]> {
    const rows = valuesByRow(changes);
    const failures: CellFailure[] = [];
    while (rows.size > 0) {
      try {
        this.#of.onWritten(await this.#writeRows(rows, step));
        break;
      } catch (error) {
        const refused = refusedRow(error, [...rows.keys()]);
        if (refused === undefined && failures.length === 0) throw error;
        const keys =
          refused === undefined || failures.length >= MOST_REFUSED_ROWS ? [...rows.keys()] : [refused];
        for (const rowKey of keys) {
          failures.push(...failuresOf(rowKey, rows.get(rowKey) ?? {}, error));
          rows.delete(rowKey);
        }
      }
    }
    return failures;
  }

  /** Writes the cells of a single row alone, those of several rows in one transaction. */
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
      // The view was deleted while somebody typed in it; the row was not.
      if (error instanceof ApiError && error.code === 'VIEW_NOT_FOUND') return send(paths().table);
      throw error;
    }
  }
}

/** The row that a refusal of several names: by its key, or by its place in the body from 1. */
function refusedRow(error: unknown, keys: readonly RowKey[]): RowKey | undefined {
  if (!(error instanceof ApiError) || keys.length < 2) return undefined;
  const { rowKey, row } = error.params;
  const key = typeof rowKey === 'string' ? rowKey : typeof row === 'number' ? keys[row - 1] : undefined;
  return key !== undefined && keys.includes(key) ? key : undefined;
}

function valuesByRow(changes: readonly CellChange[]): Map<RowKey, Record<string, unknown>> {
  const rows = new Map<RowKey, Record<string, unknown>>();
  for (const { rowKey, columnId, value } of changes) {
    const values = rows.get(rowKey) ?? {};
    values[columnId] = value;
    rows.set(rowKey, values);
  }
  return rows;
}

/** The cells of a row that was not written: all of them, since a row is written whole or not at all. */
function failuresOf(rowKey: RowKey, values: RowValues, error: unknown): readonly CellFailure[] {
  const message = error instanceof Error ? error.message : String(error);
  return Object.keys(values).map((columnId) => ({ rowKey, columnId, message }));
}
