/** One row: a stable key and the values by column id. @public */
export interface RowData {
  /** Identifies the row wherever it is; a running edit follows it through a sort. */
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** True for a read-only row, such as one of a table without a key. */
  readonly readOnly?: boolean;
}

/** The source of a view's rows. All answers are synchronous; missing rows are loaded, and listeners are notified. @public */
export interface RowSource {
  /** The number of rows; undefined while unknown. */
  readonly count: number | undefined;
  /** The number of rows known to exist, before `count` is known. */
  readonly atLeast: number;
  /** Why rows are missing; undefined if none are. */
  readonly error: Error | undefined;
  rowAt(index: number): RowData | undefined;
  /** The index of a row, by its key; undefined if it is not loaded, or not shown. */
  indexOf(key: string): number | undefined;
  /** Whether a loaded row is known to be deleted; false if it is merely not shown. */
  wasDeleted(key: string): boolean;
  /** Sets the visible rows (`end` exclusive): they are loaded, and requests for others may be cancelled. */
  ensure(start: number, end: number): void;
  /** Resolves when all the rows can be read with `rowAt`; for copying and pasting beyond the visible ones. */
  load(start: number, end: number): Promise<void>;
  /** Retries what failed. */
  retry(): void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Changes whenever an answer of the above changes. */
  readonly version: number;
}
