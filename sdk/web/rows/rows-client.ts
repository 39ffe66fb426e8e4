import type { GroupKey, LiveEvent, RowKey } from '../../shared/index.ts';
import type { ApiClient, ApiRequest } from '../api.ts';
import { askedOtherwise } from './asked-otherwise.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import { CellEdits } from './cell-edits.ts';
import { CellWrites, type WrittenWhole } from './cell-writes.ts';
import type { EditStep } from './edit-step.ts';
import { ForeignChanges } from './foreign-changes.ts';
import { RowCodec, type RowValues } from './row-codec.ts';
import { RowAdditions, type AddedRow } from './row-additions.ts';
import { queryOfPlace, type RowPlace } from './row-place.ts';
import { RowFigures } from './row-figures.ts';
import type { GroupAnswer } from './row-groups.ts';
import { RowReads } from './row-reads.ts';
import type { RowData } from './row-source.ts';
import { RowStacks } from './row-stacks.ts';
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
import type { RowRule, RowsOptions, SortOf } from './rows-options.ts';
import { moveToStack, type StackPlace } from './stack-moves.ts';
import type { StepPreparation } from './step-preparation.ts';
import type { UndoDirection, UndoStack } from './undo-stack.ts';

/**
 * The rows of one place, by column id: pages around the visible ones, running edits, writes, undo, and changes by others. It
 * survives a change of its table: visible rows are reloaded, and neither positions nor undo steps are lost.
 *
 * Every write rejects with `ApiError` if it was refused as a whole.
 * @public
 */
export class RowsClient {
  readonly source: RowWindow;
  /** What a person sees in a cell before the source shows it. */
  readonly edits = new CellEdits((step) => this.#undo.began(step, this.edits));
  /** The groups of the rows, and aggregations over them, if requested. */
  readonly figures: RowFigures;
  /** The rows in adjacent stacks, by the first column of the option `groups`; nothing is loaded until they are used. */
  readonly stacks: RowStacks;
  readonly #api: ApiClient;
  readonly #undo: UndoStack;
  readonly #steps: RowSteps;
  readonly #reads: RowReads;
  readonly #writes: CellWrites;
  readonly #additions: RowAdditions;
  readonly #foreign: ForeignChanges;
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
    this.#reads = new RowReads({
      api,
      reader: this.#reader,
      figures: () => this.figures,
      options: () => this.#options,
      codec: () => this.#codec,
    });
    this.source = new RowWindow({
      loadRows: (start, limit, signal) => this.#reads.rows(start, limit, signal),
      countRows: (signal) => this.#reads.count(signal),
    });
    this.#steps = new RowSteps({
      api,
      undo,
      edits: this.edits,
      operations: () => this.#paths.operations,
      onTaken: () => this.#refresh(),
    });
    this.#writes = new CellWrites({
      steps: this.#steps,
      paths: () => this.#paths,
      codec: () => this.#codec,
      onWritten: (rows) => {
        this.#patch(rows);
        // Cells that are computed from the written ones are reloaded, not guessed.
        if (this.#codec.hasVirtual) this.#refresh();
      },
    });
    this.#foreign = new ForeignChanges({
      place: () => this.#place,
      codec: () => this.#codec,
      isGrouped: () => this.figures.isGrouped,
      hasRules: () => this.#options.rules !== undefined,
      isOwn: (requestId) => this.#steps.isOwn(requestId),
      isOverdue: (requestId) => this.#steps.isOverdue(requestId),
      onUpdated: (rows) => this.#patch(rows),
      onInserted: (key) => {
        this.source.noteInserted(key);
        this.stacks.each((window) => window.noteInserted(key));
      },
      onDeleted: (keys) => this.#takeOut(keys),
      onWritten: () => {
        if (!this.figures.isGrouped) this.figures.soon();
      },
      onStale: () => this.#refresh(),
    });
    this.figures = new RowFigures({
      reader: this.#reader.figures,
      request: (request) => this.#api.request(request),
      filtering: () => this.#reads.filtering(),
    });
    this.figures.want(options);
    this.stacks = new RowStacks({
      loadRows: this.#reads.stack,
      readGroups: () => this.figures.countGrouped(new AbortController().signal),
      countOf: (value) => this.figures.countOf(value),
    });
    this.#additions = new RowAdditions({
      api,
      steps: this.#steps,
      source: this.source,
      stacks: this.stacks,
      figures: this.figures,
      paths: () => this.#paths,
      codec: () => this.#codec,
      refresh: () => this.#refresh(),
    });
  }

  /** Adopts a newer state of the same place; rows are reloaded if that affects them. */
  update(place: RowsPlace, options: RowsOptions = {}): void {
    if (nameOfPlace(place) !== nameOfPlace(this.#place))
      throw new Error('A rows client keeps its place; make another one for another table or view.');
    const before = { place: this.#place, options: this.#options };
    const otherwise = askedOtherwise({ place, options }, before);
    this.#place = place;
    this.#options = options;
    const changed = this.figures.want(options);
    if (changed.figures) this.figures.soon();
    if (otherwise.reads) this.#codec = new RowCodec(place.table.columns ?? []);
    if (changed.groups || otherwise.rules) {
      this.source.startOver();
      this.stacks.startOver();
    } else if (otherwise.reads ? this.#hasRead : changed.figures && this.figures.isGrouped) this.#refresh();
  }

  /**
   * Reads the first row in a given order that meets the filters of the place and these rules, in place of those of the options.
   * Undefined if there is none.
   */
  first(rules: readonly RowRule[], sort: SortOf): Promise<RowData | undefined> {
    return this.#reads.first(rules, sort);
  }

  /**
   * Reads the groups of the rows by these columns, in place of those of the options: how many rows of the place meet its filters
   * and the rules of the options, by their values in all of the columns.
   */
  groups(keys: readonly GroupKey[], signal: AbortSignal): Promise<readonly GroupAnswer[]> {
    return this.#reads.groups(keys, signal);
  }

  /**
   * Writes cells; resolves with those that were refused while the others were written. A row is written completely or not at all,
   * unless each cell is independent, as in a pasted block.
   */
  readonly write = async (
    changes: readonly CellChange[],
    step: EditStep = { kind: 'edit', count: changes.length },
    whole: WrittenWhole = 'row',
  ): Promise<readonly CellFailure[]> => {
    const failures = await this.#writes.write(changes, step, whole);
    // If the rows are reloaded, so are the aggregations.
    if (!this.#codec.hasVirtual) this.#figuresChanged();
    // A row with a new key is another row to everybody.
    if (changes.some(({ columnId }) => this.#codec.isKey(columnId))) this.#refresh();
    return failures;
  };

  /** Adds a row, after all others unless a place is given, and resolves with its position once it is shown. */
  insert(values?: RowValues, place?: RowPlace, step?: EditStep): Promise<AddedRow> {
    return this.#additions.insert(values, place, step);
  }

  /** Adds rows; resolves with their keys in the same order, as far as the answer contains them. */
  insertMany(rows: readonly RowValues[], step?: EditStep, place?: RowPlace): Promise<readonly RowKey[]> {
    return this.#additions.insertMany(rows, step, place);
  }

  /** Adds rows with the values of others in some columns; resolves with their keys in the same order. */
  duplicate(
    keys: readonly RowKey[],
    columnIds: readonly string[],
    step?: EditStep,
    place?: RowPlace,
  ): Promise<readonly RowKey[]> {
    return this.#additions.duplicate(keys, columnIds, step, place);
  }

  /** Places rows beside another one, in this order. */
  async move(
    keys: readonly RowKey[],
    place: RowPlace,
    step: EditStep = { kind: 'move', count: keys.length },
  ): Promise<void> {
    await this.#sendMove(keys, place, step);
    if (this.#hasRead) this.#refresh();
  }

  async delete(
    keys: readonly RowKey[],
    step: EditStep = { kind: 'delete', count: keys.length },
  ): Promise<void> {
    const body = keys.map((key) => this.#codec.encodeKey(key));
    await this.#steps.send({ method: 'DELETE', path: this.#paths.bulk, body }, step);
    this.edits.forgetRows(keys);
    this.#takeOut(keys);
    this.#refresh();
  }

  /** Records changes around the rows for a step: they are undone and redone with it. */
  readonly prepared = (step: EditStep, preparation: StepPreparation): void =>
    this.#undo.prepared(step, preparation);

  /** The step of this person and tab that `undo` would undo or redo; undefined if there is none. */
  nextStep(direction: UndoDirection): EditStep | undefined {
    return this.#undo.next(direction)?.step;
  }

  /** Whether undoing a step leaves the changes around its rows, such as options that were added for a paste. */
  leavesBehind(step: EditStep): boolean {
    return this.#undo.leavesBehind(step);
  }

  /** How many rows of a step stayed deleted when it was last undone, since their data was deleted permanently. */
  purgedOf(step: EditStep): number {
    return this.#steps.purgedOf(step);
  }

  /** Whether `undo` is running: it waits for running saves, and for the server. */
  isTakingBack(direction: UndoDirection): boolean {
    return this.#undo.isTaking(direction);
  }

  /** Notified when `nextStep` or `isTakingBack` may change; returns a function that unsubscribes. */
  readonly onStep = (listener: () => void): (() => void) => {
    // A step of which everything was refused exists as long as its refused texts are visible.
    const ways = [this.#undo.subscribe(listener), this.edits.subscribe(listener)];
    return () => {
      for (const end of ways) end();
    };
  };

  /**
   * Undoes the last step of this person and tab with its marks, or redoes it. It waits for running writes, since those are the
   * person's last action; a repeated call meanwhile is still one step. Resolves to false if there is none, or if it is not the
   * given `only` step.
   */
  undo(direction: UndoDirection, only?: EditStep): Promise<boolean> {
    return this.#steps.undo(direction, only);
  }

  /** Handles a live event of this table. */
  receive(event: LiveEvent | { readonly kind: 'resync' }): void {
    this.#foreign.receive(event);
  }

  /** Handles events of linked tables: cells here may be computed from their rows. */
  receiveOfOther(event: LiveEvent | { readonly kind: 'resync' }): void {
    this.#foreign.receiveOfOther(event);
  }

  /** Sends a write that is not of cells, so that it can be undone like others; the visible rows are reloaded. */
  async perform<T>(request: ApiRequest, step: EditStep = { kind: 'edit', count: 1 }): Promise<T> {
    const answer = await this.#steps.send<T>(request, step);
    if (this.#hasRead) this.#refresh();
    return answer;
  }

  /** Reloads in another order or with other filters: rows that were just added move to their place. */
  rearrange(): void {
    this.source.rearrange();
    this.stacks.each((window) => window.rearrange());
    this.stacks.refresh();
  }

  /**
   * Moves rows to a position in a stack, in this order, which is shown at once: their cells get the value of the stack, all in one
   * call, and they are placed beside their neighbour there. Resolves with the cells that were refused while others were written.
   * Rejects if all of them or the position was refused: the move is then undone, and the rows are shown in their former place.
   */
  async moveToStack(rows: readonly RowData[], place: StackPlace): Promise<readonly CellFailure[]> {
    const step: EditStep = { kind: 'move', count: rows.length };
    const { stacks, figures } = this;
    // All consequences of the move are loaded once, after it.
    const write = (changes: readonly CellChange[]) => this.#writes.write(changes, step, 'row');
    const move = (keys: readonly RowKey[], beside: RowPlace) => this.#sendMove(keys, beside, step);
    const takeBack = () => this.undo('undo', step);
    try {
      return await moveToStack(
        { stacks, columnId: figures.stackedBy, write, move, takeBack },
        rows,
        place,
        step,
      );
    } finally {
      this.#refresh();
    }
  }

  /** Cancels running requests. What becomes visible afterwards is requested again. */
  dispose(): void {
    this.#foreign.stop();
    this.figures.stop();
    this.source.dispose();
    this.stacks.dispose();
  }

  /** Called when these rows are no longer shown: refused texts cannot be undone either. */
  leave(): void {
    this.#undo.forgetMarks(this.edits);
  }

  async #sendMove(keys: readonly RowKey[], place: RowPlace, step: EditStep): Promise<void> {
    const path = `${this.#paths.bulk}/move`;
    const query = queryOfPlace(place);
    await this.#steps.send({ method: 'POST', path, query, body: { rows: keys } }, step);
  }

  /** Throws if rows are read-only. */
  get #paths(): RowsPaths {
    return pathsOf(this.#place);
  }

  /** Called when cells were written: their aggregations change. */
  #figuresChanged(): void {
    if (this.figures.isGrouped) this.#foreign.regroup();
    else this.figures.soon();
  }

  get #hasRead(): boolean {
    return this.stacks.isUsed || this.source.atLeast > 0 || this.source.error !== undefined;
  }

  /** Reloads the visible rows. */
  #refresh(): void {
    this.source.refresh();
    this.stacks.refresh();
  }

  /** Removes deleted rows, before the others are reloaded. */
  #takeOut(keys: readonly RowKey[]): void {
    // Grouped rows are reloaded with their groups: a row that moves up alone would get under another heading.
    if (this.figures.isGrouped) this.source.noteDeleted(keys);
    else this.source.remove(keys);
    this.stacks.each((window) => window.remove(keys));
  }

  #patch(changes: ReadonlyMap<RowKey, RowValues>): void {
    this.source.patchRows(changes);
    this.stacks.each((window) => window.patchRows(changes));
  }
}
