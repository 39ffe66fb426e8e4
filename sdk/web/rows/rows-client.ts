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
  /** The rows in stacks beside each other, by the first column of the option `groups`; nothing is read until they are asked for. */
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
        // Cells that are computed from what was written are read, not guessed.
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

  /** Takes over a newer state of the same place; what its rows are made of is read again where that changed. */
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
   * Reads the first row in an order of its own, of those that meet the filters of the place and these rules, in place of those of the
   * options. Undefined where there is none.
   */
  first(rules: readonly RowRule[], sort: SortOf): Promise<RowData | undefined> {
    return this.#reads.first(rules, sort);
  }

  /**
   * Reads the groups of the rows by these columns, in place of those of the options: how many rows of the place meet its filters and the rules
   * of the options, by what they have in common in all of the columns.
   */
  groups(keys: readonly GroupKey[], signal: AbortSignal): Promise<readonly GroupAnswer[]> {
    return this.#reads.groups(keys, signal);
  }

  /**
   * Writes cells; resolves with those that were refused while the others were written. A row is written whole or not at all, unless each
   * cell stands for itself, as in a block that was pasted.
   */
  readonly write = async (
    changes: readonly CellChange[],
    step: EditStep = { kind: 'edit', count: changes.length },
    whole: WrittenWhole = 'row',
  ): Promise<readonly CellFailure[]> => {
    const failures = await this.#writes.write(changes, step, whole);
    // Where the rows are read again, so is what is made of them together.
    if (!this.#codec.hasVirtual) this.#figuresChanged();
    // A row with a new key is another row to everybody.
    if (changes.some(({ columnId }) => this.#codec.isKey(columnId))) this.#refresh();
    return failures;
  };

  /** Adds a row, behind all others unless a place is given, and says where it stands once it is shown. */
  insert(values?: RowValues, place?: RowPlace, step?: EditStep): Promise<AddedRow> {
    return this.#additions.insert(values, place, step);
  }

  /** Adds rows; resolves with their keys in the same order, as far as the answer names them. */
  insertMany(rows: readonly RowValues[], step?: EditStep, place?: RowPlace): Promise<readonly RowKey[]> {
    return this.#additions.insertMany(rows, step, place);
  }

  /** Adds rows with the values that others have in some columns; resolves with their keys in the same order. */
  duplicate(
    keys: readonly RowKey[],
    columnIds: readonly string[],
    step?: EditStep,
    place?: RowPlace,
  ): Promise<readonly RowKey[]> {
    return this.#additions.duplicate(keys, columnIds, step, place);
  }

  /** Puts rows beside another one, in this order. */
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

  /** Notes what was changed around the rows for a step: it is taken back and made again with it. */
  readonly prepared = (step: EditStep, preparation: StepPreparation): void =>
    this.#undo.prepared(step, preparation);

  /** The step of this person and tab that `undo` would take back, or do again; undefined when there is none. */
  nextStep(direction: UndoDirection): EditStep | undefined {
    return this.#undo.next(direction)?.step;
  }

  /** Whether taking a step back leaves what was changed around the rows for it, such as options that were made for a paste. */
  leavesBehind(step: EditStep): boolean {
    return this.#undo.leavesBehind(step);
  }

  /** How many rows of a step stayed away when it was taken back last, since what they held was deleted for good. */
  purgedOf(step: EditStep): number {
    return this.#steps.purgedOf(step);
  }

  /** Whether `undo` is under way: it waits for what is being saved, and for the server. */
  isTakingBack(direction: UndoDirection): boolean {
    return this.#undo.isTaking(direction);
  }

  /** Hears when `nextStep` or `isTakingBack` may answer differently; returns the way back. */
  readonly onStep = (listener: () => void): (() => void) => {
    // A step of which nothing was taken is there as long as its refused texts are to be seen.
    const ways = [this.#undo.subscribe(listener), this.edits.subscribe(listener)];
    return () => {
      for (const end of ways) end();
    };
  };

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
    this.#foreign.receive(event);
  }

  /** Hears of a table that this one links to: cells here may be made of its rows. */
  receiveOfOther(event: LiveEvent | { readonly kind: 'resync' }): void {
    this.#foreign.receiveOfOther(event);
  }

  /** Sends a write that is not of cells, so that it is taken back with the others; what is in sight is read again. */
  async perform<T>(request: ApiRequest, step: EditStep = { kind: 'edit', count: 1 }): Promise<T> {
    const answer = await this.#steps.send<T>(request, step);
    if (this.#hasRead) this.#refresh();
    return answer;
  }

  /** Reads again in another order or by other filters: rows that were just added go to their place. */
  rearrange(): void {
    this.source.rearrange();
    this.stacks.each((window) => window.rearrange());
    this.stacks.refresh();
  }

  /**
   * Moves rows to a place in a stack, in this order, which it shows at once: their cells get the value of the stack, all in one call, and
   * they go beside their neighbour there. Resolves with the cells that were refused while others were written. Rejects where all of them
   * or the place was refused: nothing of the move is left then, and the rows are shown where they were.
   */
  async moveToStack(rows: readonly RowData[], place: StackPlace): Promise<readonly CellFailure[]> {
    const step: EditStep = { kind: 'move', count: rows.length };
    const { stacks, figures } = this;
    // All that follows from the move is read once, when it is done.
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

  /** Gives up what is under way. What comes into sight afterwards is asked for again. */
  dispose(): void {
    this.#foreign.stop();
    this.figures.stop();
    this.source.dispose();
    this.stacks.dispose();
  }

  /** Nobody shows these rows any more: what was not taken cannot be taken back either. */
  leave(): void {
    this.#undo.forgetMarks(this.edits);
  }

  async #sendMove(keys: readonly RowKey[], place: RowPlace, step: EditStep): Promise<void> {
    const path = `${this.#paths.bulk}/move`;
    const query = queryOfPlace(place);
    await this.#steps.send({ method: 'POST', path, query, body: { rows: keys } }, step);
  }

  /** Throws where rows are only read. */
  get #paths(): RowsPaths {
    return pathsOf(this.#place);
  }

  /** Cells were written: what is made of them together is another thing. */
  #figuresChanged(): void {
    if (this.figures.isGrouped) this.#foreign.regroup();
    else this.figures.soon();
  }

  get #hasRead(): boolean {
    return this.stacks.isUsed || this.source.atLeast > 0 || this.source.error !== undefined;
  }

  /** Reads again what is in sight. */
  #refresh(): void {
    this.source.refresh();
    this.stacks.refresh();
  }

  /** Shows deleted rows no more, before the others are read again. */
  #takeOut(keys: readonly RowKey[]): void {
    // Under heads the rows are read again with their groups: one that moves up alone would come under another head.
    if (this.figures.isGrouped) this.source.noteDeleted(keys);
    else this.source.remove(keys);
    this.stacks.each((window) => window.remove(keys));
  }

  #patch(changes: ReadonlyMap<RowKey, RowValues>): void {
    this.source.patchRows(changes);
    this.stacks.each((window) => window.patchRows(changes));
  }
}
