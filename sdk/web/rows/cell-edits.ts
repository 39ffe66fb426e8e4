import { ChangeCount } from './change-count.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import type { EditStep } from './edit-step.ts';

/**
 * What the user sees in a cell before the source shows it: a value being written, or a refused text with the reason.
 *
 * @public
 */
export type CellEdit =
  | { readonly kind: 'pending'; readonly value: unknown }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly message: string;
      /** Its step. */
      readonly step: EditStep;
    };

/** A refused text with its cell and the reason. @public */
export interface FailedEdit {
  readonly rowKey: string;
  readonly columnId: string;
  readonly text: string;
  readonly message: string;
}

/** The edits of one row, by column id. @public */
export type RowEdits = ReadonlyMap<string, CellEdit>;

type WriteCells = (changes: readonly CellChange[], step: EditStep) => Promise<readonly CellFailure[]>;

/** The callbacks of a commit. */
export interface CommitOptions {
  readonly write: WriteCells;
  readonly step: EditStep;
  /** The text to keep if a value is refused. */
  readonly textOf: (change: CellChange) => string;
}

/**
 * The current edits, by row key and column id. A row's map is replaced when one of its edits changes and otherwise stays the same
 * object, so that a drawn row can compare it.
 *
 * @public
 */
export class CellEdits {
  private readonly rows = new Map<string, RowEdits>();
  private readonly inFlight = new Map<string, Promise<unknown>>();
  private readonly takenBack = new WeakSet<EditStep>();
  private readonly changes = new ChangeCount();
  private readonly onFail: ((step: EditStep) => void) | undefined;
  readonly subscribe = this.changes.subscribe;

  /** `onFail` is called with steps of which a text was refused. */
  constructor(onFail?: (step: EditStep) => void) {
    this.onFail = onFail;
  }

  get version(): number {
    return this.changes.version;
  }

  /** True while an edit is being written or waits for correction. */
  get hasAny(): boolean {
    return this.rows.size > 0;
  }

  /** The refused texts, row by row in the order of input. */
  get failed(): readonly FailedEdit[] {
    return [...this.rows].flatMap(([rowKey, edits]) =>
      [...edits].flatMap(([columnId, edit]) =>
        edit.kind === 'failed' ? [{ rowKey, columnId, text: edit.text, message: edit.message }] : [],
      ),
    );
  }

  /** True while a write is running. */
  get isWriting(): boolean {
    return this.inFlight.size > 0;
  }

  /** Resolves when no write is running. */
  async settled(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight.values());
  }

  ofRow(rowKey: string): RowEdits | undefined {
    return this.rows.get(rowKey);
  }

  of(rowKey: string, columnId: string): CellEdit | undefined {
    return this.rows.get(rowKey)?.get(columnId);
  }

  /** Marks cells whose text was refused; the text is kept for correction. */
  fail(cells: readonly FailedEdit[], step: EditStep): void {
    if (cells.length === 0) return;
    for (const { rowKey, columnId, text, message } of cells)
      this.set(rowKey, columnId, { kind: 'failed', text, message, step });
    this.onFail?.(step);
    this.changes.announce();
  }

  /** Drops an edit, so that the cell shows the stored value again. */
  discard(rowKey: string, columnId: string): void {
    this.set(rowKey, columnId, undefined);
    this.changes.announce();
  }

  /** Drops the edits of deleted rows. */
  forgetRows(keys: readonly string[]): void {
    for (const key of keys) this.rows.delete(key);
    this.changes.announce();
  }

  /** True while a cell shows a refused text of this step. */
  shows(step: EditStep): boolean {
    return [...this.rows.values()].some((edits) =>
      [...edits.values()].some((edit) => edit.kind === 'failed' && edit.step === step),
    );
  }

  /** Drops the refused texts of a step, which is undone. */
  takeBack(step: EditStep): void {
    this.takenBack.add(step);
    for (const [rowKey, edits] of this.rows)
      for (const [columnId, edit] of edits)
        if (edit.kind === 'failed' && edit.step === step) this.set(rowKey, columnId, undefined);
    this.changes.announce();
  }

  isTakenBack(step: EditStep): boolean {
    return this.takenBack.has(step);
  }

  /**
   * Shows the values at once and writes them. Resolves when the write is settled, with what was refused and not yet overwritten; it
   * never rejects, and refused texts are marked at their cells. Writes to the same cell keep their order.
   */
  async commit(
    changes: readonly CellChange[],
    { write, step, textOf }: CommitOptions,
  ): Promise<readonly FailedEdit[]> {
    if (changes.length === 0) return [];
    const mine = changes.map((change) => {
      const edit: CellEdit = { kind: 'pending', value: change.value };
      this.set(change.rowKey, change.columnId, edit);
      return { change, edit, cell: cellName(change.rowKey, change.columnId) };
    });
    this.changes.announce();
    const earlier = new Set(mine.flatMap(({ cell }) => this.inFlight.get(cell) ?? []));
    const begin = (): Promise<ReadonlyMap<string, string>> =>
      writeAll(changes, (cells) => write(cells, step));
    const writing = earlier.size === 0 ? begin() : Promise.all(earlier).then(begin);
    for (const { cell } of mine) this.inFlight.set(cell, writing);
    const failures = await writing;
    const refused: FailedEdit[] = [];
    for (const { change, edit, cell } of mine) {
      if (this.inFlight.get(cell) === writing) this.inFlight.delete(cell);
      // A newer edit of the same cell has its own result.
      if (this.of(change.rowKey, change.columnId) !== edit) continue;
      const { rowKey, columnId } = change;
      const message = failures.get(cell);
      if (message === undefined) this.set(rowKey, columnId, undefined);
      else refused.push({ rowKey, columnId, text: textOf(change), message });
    }
    if (refused.length > 0) this.fail(refused, step);
    else this.changes.announce();
    return refused;
  }

  private set(rowKey: string, columnId: string, edit: CellEdit | undefined): void {
    const row = new Map(this.rows.get(rowKey));
    if (edit === undefined) row.delete(columnId);
    else row.set(columnId, edit);
    if (row.size === 0) this.rows.delete(rowKey);
    else this.rows.set(rowKey, row);
  }
}

/** The refused cells with their messages; a write that fails as a whole refuses all of them. */
async function writeAll(
  changes: readonly CellChange[],
  write: (changes: readonly CellChange[]) => Promise<readonly CellFailure[]>,
): Promise<ReadonlyMap<string, string>> {
  try {
    const failures = await write(changes);
    return new Map(failures.map((failure) => [cellName(failure.rowKey, failure.columnId), failure.message]));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return new Map(changes.map((change) => [cellName(change.rowKey, change.columnId), message]));
  }
}

function cellName(rowKey: string, columnId: string): string {
  return JSON.stringify([rowKey, columnId]);
}
