import { ChangeCount } from './change-count.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';

/**
 * What the user sees in a cell before the source shows it: a value on its way to the database, or a text that was not
 * taken, with the reason.
 *
 * @public
 */
export type CellEdit =
  | { readonly kind: 'pending'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly text: string; readonly message: string };

/** A text that was not taken, where it was entered, and why. @public */
export interface FailedEdit {
  readonly rowKey: string;
  readonly columnId: string;
  readonly text: string;
  readonly message: string;
}

/** The edits of one row, by column id. @public */
export type RowEdits = ReadonlyMap<string, CellEdit>;

type WriteCells = (changes: readonly CellChange[]) => Promise<readonly CellFailure[]>;

/** What a commit needs from the grid. */
export interface CommitOptions {
  readonly write: WriteCells;
  /** The text to keep when a value is refused. */
  readonly textOf: (change: CellChange) => string;
}

/**
 * The edits under way, by row key and column id. A row's map is replaced when an edit of it changes and is the same
 * object as long as none does, so that a drawn row can tell.
 *
 * @public
 */
export class CellEdits {
  private readonly rows = new Map<string, RowEdits>();
  private readonly inFlight = new Map<string, Promise<unknown>>();
  private readonly changes = new ChangeCount();
  readonly subscribe = this.changes.subscribe;

  get version(): number {
    return this.changes.version;
  }

  /** True while an edit is on its way or waits to be corrected. */
  get hasAny(): boolean {
    return this.rows.size > 0;
  }

  /** What was not taken, in the order in which it was entered row by row. */
  get failed(): readonly FailedEdit[] {
    return [...this.rows].flatMap(([rowKey, edits]) =>
      [...edits].flatMap(([columnId, edit]) =>
        edit.kind === 'failed' ? [{ rowKey, columnId, text: edit.text, message: edit.message }] : [],
      ),
    );
  }

  /** Resolves when no write is on its way. */
  async settled(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight.values());
  }

  ofRow(rowKey: string): RowEdits | undefined {
    return this.rows.get(rowKey);
  }

  of(rowKey: string, columnId: string): CellEdit | undefined {
    return this.rows.get(rowKey)?.get(columnId);
  }

  /** Marks a cell whose text could not be read; the text is kept for the user to correct. */
  fail(rowKey: string, columnId: string, text: string, message: string): void {
    this.set(rowKey, columnId, { kind: 'failed', text, message });
    this.changes.announce();
  }

  /** Forgets an edit, so that the cell shows the stored value again. */
  discard(rowKey: string, columnId: string): void {
    this.set(rowKey, columnId, undefined);
    this.changes.announce();
  }

  /**
   * Shows the values at once and writes them. Resolves when the write is settled; it never rejects, what was refused is
   * marked at its cell. Writes that touch the same cell keep their order.
   */
  async commit(changes: readonly CellChange[], options: CommitOptions): Promise<void> {
    if (changes.length === 0) return;
    const mine = changes.map((change) => {
      const edit: CellEdit = { kind: 'pending', value: change.value };
      this.set(change.rowKey, change.columnId, edit);
      return { change, edit, cell: cellName(change.rowKey, change.columnId) };
    });
    this.changes.announce();
    const earlier = new Set(mine.flatMap(({ cell }) => this.inFlight.get(cell) ?? []));
    const begin = (): Promise<ReadonlyMap<string, string>> => writeAll(changes, options.write);
    const writing = earlier.size === 0 ? begin() : Promise.all(earlier).then(begin);
    for (const { cell } of mine) this.inFlight.set(cell, writing);
    const failures = await writing;
    for (const { change, edit, cell } of mine) {
      if (this.inFlight.get(cell) === writing) this.inFlight.delete(cell);
      // A newer edit of the same cell decides for itself.
      if (this.of(change.rowKey, change.columnId) !== edit) continue;
      const message = failures.get(cell);
      this.set(
        change.rowKey,
        change.columnId,
        message === undefined ? undefined : { kind: 'failed', text: options.textOf(change), message },
      );
    }
    this.changes.announce();
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
  write: WriteCells,
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
