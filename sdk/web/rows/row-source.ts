/** One row: a stable key and the values by column id. @public */
export interface RowData {
  /** Names the row wherever it stands; an edit in flight follows it through a sort. */
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** True for a row that nobody may edit here, such as one of a table without a key. */
  readonly readOnly?: boolean;
}

/** Where a view's rows come from. All answers are synchronous; what is missing is fetched and announced. @public */
export interface RowSource {
  /** How many rows there are; undefined while that is unknown. */
  readonly count: number | undefined;
  /** How many rows are known to exist, for the time before `count` is known. */
  readonly atLeast: number;
  /** Why rows are missing; undefined while all is well. */
  readonly error: Error | undefined;
  rowAt(index: number): RowData | undefined;
  /** Where a row stands, by its key; undefined where it is not held, or not shown. */
  indexOf(key: string): number | undefined;
  /** Whether a row that was held is known to be deleted; not so where it is merely not shown. */
  wasDeleted(key: string): boolean;
  /** Says which rows are in sight (`end` exclusive): they are fetched, requests for others may be given up. */
  ensure(start: number, end: number): void;
  /** Resolves when the rows can all be read with `rowAt`; for copying and pasting past what is in sight. */
  load(start: number, end: number): Promise<void>;
  /** Asks again for what failed. */
  retry(): void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Changes whenever anything above would answer differently. */
  readonly version: number;
}
