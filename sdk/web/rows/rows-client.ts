import type { LiveEvent, Row, RowKey } from '../../shared/index.ts';
import { type ApiClient, ApiError, type ApiRequest } from '../api.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import { CellEdits } from './cell-edits.ts';
import type { EditStep } from './edit-step.ts';
import { RefreshPace } from './refresh-pace.ts';
import { RowCodec, type RowValues } from './row-codec.ts';
import type { RowPlace } from './row-place.ts';
import { RowFigures, type FiguresWanted } from './row-figures.ts';
import type { RowData } from './row-source.ts';
import { RowSteps } from './row-steps.ts';
import { RowWindow } from './row-window.ts';
import {
  nameOfPlace,
  pathsOf,
  readerOf,
  type RowsPaths,
  type RowsPlace,
  type RowsReader,
} from './rows-place.ts';
import type { UndoDirection, UndoStack } from './undo-stack.ts';

/** A write of several rows is tried again without a row that was refused, so often. */
const MOST_REFUSED_ROWS = 25;
const READS_AT_ONCE = 6;

/** How a rows client reads. @public */
export interface RowsOptions extends FiguresWanted {
  /** Leaves out the view's filters whose comparison belongs to a plugin that is off. */
  readonly skipsDisabledFilters?: boolean;
}

/** A row that was just added. @public */
export interface AddedRow {
  readonly row: RowData;
  /** Where it stands now. */
  readonly index: number;
  /** False where it stands at the end only because it was just added: filters or sorts would put it elsewhere. */
  readonly isPlaced: boolean;
}

/**
 * The rows of one place, by column id: pages around what is in sight, edits on their way, writes, undo, and what others write.
 * It outlives a change of its table: rows in sight are read again, and nobody loses their place or what can be taken back.
 *
 * Every write rejects with `ApiError` where it was refused as a whole.
 * @public
 */
export class RowsClient {
  readonly source: RowWindow;
  /** What a person sees in a cell before the source shows it. */
  readonly edits = new CellEdits((step) => this.#undo.began(step, this.edits));
  /** The groups of the rows, and figures over them, where they are asked for. */
  readonly figures: RowFigures;
  readonly #api: ApiClient;
  readonly #undo: UndoStack;
  readonly #steps: RowSteps;
  readonly #pace: RefreshPace;
  /** A row that was written here may belong to another group now. */
  #mustRegroup = false;
  readonly #foreignRequests = new Set<string>();
  #place: RowsPlace;
  #options: RowsOptions;
  readonly #reader: RowsReader;
  #codec: RowCodec;

  constructor(api: ApiClient, undo: UndoStack, place: RowsPlace, options: RowsOptions = {}) {
    this.#api = api;
    this.#undo = undo;
    this.#place = place;
    this.#options = options;
    this.#reader = readerOf(place);
    this.#codec = new RowCodec(place.table.columns ?? []);
    this.source = new RowWindow({
      loadRows: (start, limit, signal) => this.#loadRows(start, limit, signal),
      countRows: (signal) => this.#countRows(signal),
    });
    this.#steps = new RowSteps({
      api,
      undo,
      edits: this.edits,
      operations: () => this.#paths.operations,
      onTaken: () => this.source.refresh(),
    });
    this.#pace = new RefreshPace(() => this.#refreshForOthers());
    this.figures = new RowFigures({
      reader: this.#reader.figures,
      request: (request) => this.#api.request(request),
      filtering: () => this.#filtering(),
    });
    this.figures.want(options);
  }

  /** Takes over a newer state of the same place; what its rows are made of is read again where that changed. */
  update(place: RowsPlace, options: RowsOptions = {}): void {
    if (nameOfPlace(place) !== nameOfPlace(this.#place))
      throw new Error('A rows client keeps its place; make another one for another table or view.');
    const readsOtherwise =
      shapeOf(place) !== shapeOf(this.#place) ||
      (options.skipsDisabledFilters === true) !== (this.#options.skipsDisabledFilters === true);
    this.#place = place;
    this.#options = options;
    const changed = this.figures.want(options);
    if (changed.figures) this.figures.soon();
    if (changed.groups) this.source.startOver();
    else if (changed.figures && this.figures.isGrouped) this.source.refresh();
    if (!readsOtherwise) return;
    this.#codec = new RowCodec(place.table.columns ?? []);
    if (this.source.atLeast > 0 || this.source.error !== undefined) this.source.refresh();
  }

  /** Writes cells; resolves with those that were refused while the others were written. */
  readonly write = async (
    changes: readonly CellChange[],
    step: EditStep = { kind: 'edit', count: changes.length },
  ): Promise<readonly CellFailure[]> => {
    const rows = valuesByRow(changes);
    const failures: CellFailure[] = [];
    while (rows.size > 0) {
      try {
        this.source.patchRows(await this.#writeRows(rows, step));
        // Cells that are computed from what was written are read, not guessed.
        if (this.#codec.hasVirtual) this.source.refresh();
        break;
      } catch (error) {
        const refused = this.#refusedRow(error, [...rows.keys()]);
        if (refused === undefined && failures.length === 0) throw error;
        const keys =
          refused === undefined || failures.length >= MOST_REFUSED_ROWS ? [...rows.keys()] : [refused];
        for (const rowKey of keys) {
          failures.push(...failuresOf(rowKey, rows.get(rowKey) ?? {}, error));
          rows.delete(rowKey);
        }
      }
    }
    // Where the rows are read again, so is what is made of them together.
    if (!this.#codec.hasVirtual) this.#figuresChanged();
    // A row with a new key is another row to everybody.
    if (changes.some(({ columnId }) => this.#codec.isKey(columnId))) this.source.refresh();
    return failures;
  };

  /** Adds a row, behind all others unless a place is given, and says where it stands once it is shown. */
  async insert(values: RowValues = {}, place?: RowPlace): Promise<AddedRow> {
    const answer = await this.#steps.send<Row>(
      {
        method: 'POST',
        path: this.#paths.rows,
        query: queryOf(place),
        body: this.#codec.encode(values),
      },
      { kind: 'add', count: 1 },
    );
    const row = this.#codec.decode(answer, 0);
    const { source } = this;
    source.refresh();
    await source.settled();
    const last = this.figures.lastPlaceLike(row.values) ?? (source.total ?? 0) - 1;
    // Beside a row that is in sight it is in sight as well.
    if (place === undefined && source.indexOf(row.key) === undefined && last >= 0)
      await source.load(last, last + 1);
    const isPlaced = source.indexOf(row.key) !== undefined;
    source.add(row);
    return { row, index: source.indexOf(row.key) ?? source.atLeast, isPlaced };
  }

  /** Adds rows; resolves with their keys in the same order, as far as the answer names them. */
  async insertMany(
    rows: readonly RowValues[],
    step: EditStep = { kind: 'add', count: rows.length },
    place?: RowPlace,
  ): Promise<readonly RowKey[]> {
    const body = rows.map((values) => this.#codec.encode(values));
    return this.#add({ method: 'POST', path: this.#paths.bulk, query: queryOf(place), body }, step);
  }

  async #add(request: ApiRequest & { readonly body: readonly unknown[] }, step: EditStep) {
    const answer = await this.#steps.send<readonly Row[]>(request, step);
    this.source.refresh();
    return answer.length === request.body.length ? answer.map((row) => this.#codec.keyOf(row)) : [];
  }

  /** Puts rows beside another one, in this order. */
  async move(
    keys: readonly RowKey[],
    place: RowPlace,
    step: EditStep = { kind: 'move', count: keys.length },
  ): Promise<void> {
    const path = `${this.#paths.bulk}/move`;
    await this.perform({ method: 'POST', path, query: queryOf(place), body: { rows: keys } }, step);
  }

  /** Adds rows with the values that others have in some columns; resolves with their keys in the same order. */
  async duplicate(
    keys: readonly RowKey[],
    columnIds: readonly string[],
    step: EditStep = { kind: 'duplicate', count: keys.length },
    place?: RowPlace,
  ): Promise<readonly RowKey[]> {
    const copied = new Set(columnIds);
    const body: { readonly of: RowKey; readonly values: Record<string, unknown> }[] = [];
    // Whole rows: a view reads the columns that it shows.
    for (let start = 0; start < keys.length; start += READS_AT_ONCE) {
      const reads = keys.slice(start, start + READS_AT_ONCE).map(async (key) => {
        const path = `${this.#paths.table}/${encodeURIComponent(key)}`;
        const values = this.#codec.valuesOf(await this.#api.request<Row>({ path }));
        const kept = Object.fromEntries(Object.entries(values).filter(([id]) => copied.has(id)));
        return { of: key, values: this.#codec.encode(kept) };
      });
      body.push(...(await Promise.all(reads)));
    }
    return this.#add(
      { method: 'POST', path: `${this.#paths.bulk}/copies`, query: queryOf(place), body },
      step,
    );
  }

  async delete(
    keys: readonly RowKey[],
    step: EditStep = { kind: 'delete', count: keys.length },
  ): Promise<void> {
    const body = keys.map((key) => this.#codec.encodeKey(key));
    await this.#steps.send({ method: 'DELETE', path: this.#paths.bulk, body }, step);
    this.edits.forgetRows(keys);
    // Under heads the rows are read again with their groups: one that moves up alone would come under another head.
    if (this.figures.isGrouped) this.source.forget(keys);
    else this.source.remove(keys);
    this.source.refresh();
  }

  /** The step of this person and tab that `undo` would take back, or do again; undefined when there is none. */
  nextStep(direction: UndoDirection): EditStep | undefined {
    return this.#undo.next(direction)?.step;
  }

  /** Hears when `nextStep` may answer differently; returns the way back. */
  readonly onStep = (listener: () => void): (() => void) => this.#undo.subscribe(listener);

  /**
   * Takes the last step of this person and tab back with the marks that it left, or does it again. What is on its way is waited
   * for, since it is what the person did last; asked again meanwhile, it is still one step. Resolves to false when there is none,
   * or when it is another than the one that is `only` meant.
   */
  undo(direction: UndoDirection, only?: EditStep): Promise<boolean> {
    return this.#steps.undo(direction, only);
  }

  /** Shows what the live channel tells of this table. */
  receive(event: LiveEvent | { readonly kind: 'resync' }): void {
    switch (event.kind) {
      case 'resync':
      case 'rowsReset':
        this.#foreignRequests.add(event.kind === 'resync' ? 'resync' : event.requestId);
        return this.#pace.soon();
      case 'view':
        if (this.#place.kind === 'table' || event.viewId !== this.#place.view.id) return;
        this.#foreignRequests.add(event.requestId);
        return this.#pace.soon();
      case 'rows': {
        const updates = new Map<RowKey, RowValues>();
        for (const { op, key, row, moved } of event.changes) {
          if (op === 'update' && row !== undefined) updates.set(key, this.#codec.valuesOf(row));
          if (op === 'delete') this.source.forget([key]);
          const isWhole = op === 'update' && row !== undefined && moved !== true && !this.#codec.hasVirtual;
          if (!isWhole || this.figures.isGrouped) this.#foreignRequests.add(event.requestId);
        }
        this.source.patchRows(updates);
        if (!this.figures.isGrouped) this.figures.soon();
        if (this.#foreignRequests.size > 0) this.#pace.soon();
      }
    }
  }

  /** Hears of a table that this one links to: cells here may be made of its rows. */
  receiveOfOther(event: LiveEvent | { readonly kind: 'resync' }): void {
    if (event.kind === 'rows' || event.kind === 'rowsReset') this.#foreignRequests.add(event.requestId);
    else if (event.kind === 'resync') this.#foreignRequests.add('resync');
    else return;
    this.#pace.soon();
  }

  /** Sends a write that is not of cells, so that it is taken back with the others; what is in sight is read again. */
  async perform<T>(request: ApiRequest, step: EditStep = { kind: 'edit', count: 1 }): Promise<T> {
    const answer = await this.#steps.send<T>(request, step);
    if (this.source.atLeast > 0) this.source.refresh();
    return answer;
  }

  /** Gives up what is under way. What comes into sight afterwards is asked for again. */
  dispose(): void {
    this.#pace.stop();
    this.figures.stop();
    this.source.dispose();
  }

  /** Nobody shows these rows any more: what was not taken cannot be taken back either. */
  leave(): void {
    this.#undo.forgetMarks(this.edits);
  }

  /** Throws where rows are only read. */
  get #paths(): RowsPaths {
    return pathsOf(this.#place);
  }

  /** Reads again, unless this client's own writes were all that the channel told of, and those were read already. */
  #refreshForOthers(): void {
    const isOwn = [...this.#foreignRequests].every((id) => this.#steps.isOwn(id));
    this.#foreignRequests.clear();
    if (!isOwn || this.#mustRegroup) this.source.refresh();
    this.#mustRegroup = false;
  }

  /** Cells were written: what is made of them together is another thing. */
  #figuresChanged(): void {
    if (!this.figures.isGrouped) return this.figures.soon();
    this.#mustRegroup = true;
    this.#pace.soon();
  }

  async #loadRows(start: number, limit: number, signal: AbortSignal): Promise<readonly RowData[]> {
    const query = { offset: start, limit, ...this.#filtering(), ...this.figures.query() };
    const request = this.#reader.list(query);
    const answer = await this.#api.request({ ...request, signal });
    return this.#reader.rowsIn(answer).map((row, at) => this.#codec.decode(row, start + at));
  }

  async #countRows(signal: AbortSignal): Promise<number> {
    this.figures.soon();
    if (this.figures.isGrouped)
      try {
        return await this.figures.countGrouped(signal);
      } catch (error) {
        // The rows are shown without groups meanwhile; the figures say why.
        if (signal.aborted) throw error;
      }
    const answer = await this.#api.request({ ...this.#reader.count(this.#filtering()), signal });
    return this.#reader.numberIn(answer);
  }

  #filtering(): Readonly<Record<string, string>> {
    return this.#options.skipsDisabledFilters === true ? { skipDisabledFilters: 'true' } : {};
  }

  /** Writes the cells of a single row alone, those of several rows in one transaction. */
  async #writeRows(
    rows: ReadonlyMap<RowKey, RowValues>,
    step: EditStep,
  ): Promise<ReadonlyMap<RowKey, RowValues>> {
    const [only] = rows;
    if (only !== undefined && rows.size === 1) {
      const [rowKey, values] = only;
      const row = await this.#writeRow(rowKey, this.#codec.encode(values), step);
      return new Map([[rowKey, this.#codec.valuesOf(row)]]);
    }
    const body = [...rows].map(([rowKey, values]) => ({
      ...this.#codec.encode(values),
      ...this.#codec.encodeKey(rowKey),
    }));
    await this.#steps.send({ method: 'PATCH', path: this.#paths.bulk, body, outlasts: true }, step);
    return rows;
  }

  async #writeRow(rowKey: RowKey, body: RowValues, step: EditStep): Promise<Row> {
    const send = (rows: string) =>
      this.#steps.send<Row>(
        { method: 'PATCH', path: `${rows}/${encodeURIComponent(rowKey)}`, body, outlasts: true },
        step,
      );
    try {
      return await send(this.#paths.rows);
    } catch (error) {
      // The view was deleted while somebody typed in it; the row was not.
      if (error instanceof ApiError && error.code === 'VIEW_NOT_FOUND') return send(this.#paths.table);
      throw error;
    }
  }

  /** The row that a refusal of several names: by its key, or by its place in the body from 1. */
  #refusedRow(error: unknown, keys: readonly RowKey[]): RowKey | undefined {
    if (!(error instanceof ApiError) || keys.length < 2) return undefined;
    const { rowKey, row } = error.params;
    const key = typeof rowKey === 'string' ? rowKey : typeof row === 'number' ? keys[row - 1] : undefined;
    return key !== undefined && keys.includes(key) ? key : undefined;
  }
}

/** What decides about how rows are read. */
function shapeOf({ table }: RowsPlace): string {
  return JSON.stringify(
    (table.columns ?? []).map(({ id, title, uidt, storage, pk }) => [id, title, uidt, storage, pk]),
  );
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

function queryOf(place: RowPlace | undefined): ApiRequest['query'] {
  return place && { [place.side]: place.row };
}
