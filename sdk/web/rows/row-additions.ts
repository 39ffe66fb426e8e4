import type { CellValue, Row, RowKey } from '../../shared/index.ts';
import type { ApiClient, ApiRequest } from '../api.ts';
import type { EditStep } from './edit-step.ts';
import type { RowCodec, RowValues } from './row-codec.ts';
import type { RowFigures } from './row-figures.ts';
import { queryOfPlace, type RowPlace } from './row-place.ts';
import type { RowData } from './row-source.ts';
import type { RowStacks } from './row-stacks.ts';
import type { RowSteps } from './row-steps.ts';
import type { RowWindow } from './row-window.ts';
import type { RowsPaths } from './rows-place.ts';

const READS_AT_ONCE = 6;

/** A row that was just added. @public */
export interface AddedRow {
  readonly row: RowData;
  /** Its current index. */
  readonly index: number;
  /** False if it is only at the end because it was just added: filters or sorts would place it elsewhere. */
  readonly isPlaced: boolean;
}

interface RowAdditionsOf {
  readonly api: ApiClient;
  readonly steps: RowSteps;
  readonly source: RowWindow;
  readonly stacks: RowStacks;
  readonly figures: RowFigures;
  /** Throws if rows are read-only. */
  readonly paths: () => RowsPaths;
  readonly codec: () => RowCodec;
  /** Reloads the visible rows. */
  readonly refresh: () => void;
}

/** Adds rows to a place, and shows them. */
export class RowAdditions {
  readonly #of: RowAdditionsOf;

  constructor(of: RowAdditionsOf) {
    this.#of = of;
  }

  async insert(
    values: RowValues = {},
    place?: RowPlace,
    step: EditStep = { kind: 'add', count: 1 },
  ): Promise<AddedRow> {
    const { source, stacks, figures, steps, paths, codec } = this.#of;
    const body = codec().encode(values);
    const request: ApiRequest = { method: 'POST', path: paths().rows, query: queryOfPlace(place) };
    const answer = await steps.send<Row>({ ...request, body, once: onceOf(body) }, step);
    const row = codec().decode(answer, 0);
    if (stacks.isUsed) return this.#addToStack(row);
    source.refresh();
    await source.settled();
    const last = figures.lastPlaceLike(row.values) ?? (source.total ?? 0) - 1;
    // Beside a visible row it is visible as well.
    if (place === undefined && source.indexOf(row.key) === undefined && last >= 0)
      await source.load(last, last + 1);
    return shown(source, row);
  }

  insertMany(
    rows: readonly RowValues[],
    step: EditStep = { kind: 'add', count: rows.length },
    place?: RowPlace,
  ): Promise<readonly RowKey[]> {
    const body = rows.map((values) => this.#of.codec().encode(values));
    return this.#add(this.#of.paths().bulk, body, step, place);
  }

  async duplicate(
    keys: readonly RowKey[],
    columnIds: readonly string[],
    step: EditStep = { kind: 'duplicate', count: keys.length },
    place?: RowPlace,
  ): Promise<readonly RowKey[]> {
    const { api, paths, codec } = this.#of;
    const copied = new Set(columnIds);
    const body: { readonly of: RowKey; readonly values: Record<string, unknown> }[] = [];
    // Whole rows, since a view only reads the columns that it shows.
    for (let start = 0; start < keys.length; start += READS_AT_ONCE) {
      const reads = keys.slice(start, start + READS_AT_ONCE).map(async (key) => {
        const path = `${paths().table}/${encodeURIComponent(key)}`;
        const values = codec().valuesOf(await api.request<Row>({ path }));
        const kept = Object.fromEntries(Object.entries(values).filter(([id]) => copied.has(id)));
        return { of: key, values: codec().encode(kept) };
      });
      body.push(...(await Promise.all(reads)));
    }
    return this.#add(`${paths().bulk}/copies`, body, step, place);
  }

  async #add(path: string, body: readonly unknown[], step: EditStep, place: RowPlace | undefined) {
    const { steps, codec, refresh } = this.#of;
    const request: ApiRequest = {
      method: 'POST',
      path,
      query: queryOfPlace(place),
      body,
      once: onceOf(body),
    };
    const answer = await steps.send<readonly Row[]>(request, step);
    refresh();
    return answer.length === body.length ? answer.map((row) => codec().keyOf(row)) : [];
  }

  /** A row that was just added, in the stack of its value: at its end if it has no other place. */
  async #addToStack(row: RowData): Promise<AddedRow> {
    const { stacks, figures } = this.#of;
    const window = stacks.of((row.values[figures.stackedBy ?? ''] ?? null) as CellValue);
    stacks.refresh();
    await window.settled();
    return shown(window, row);
  }
}

/** The row in a reloaded window: at its end if it has no other place. */
function shown(window: RowWindow, row: RowData): AddedRow {
  const isPlaced = window.indexOf(row.key) !== undefined;
  window.add(row);
  return { row, index: window.indexOf(row.key) ?? window.atLeast, isPlaced };
}

/** Identifies a request that is repeated after its answer was lost; rows without values are all alike. */
function onceOf(body: unknown): unknown {
  const rows = Array.isArray(body) ? (body as readonly object[]) : [body as object];
  return rows.every((row) => Object.keys(row).length === 0) ? undefined : body;
}
