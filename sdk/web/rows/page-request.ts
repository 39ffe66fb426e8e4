import type { RowValues } from './row-codec.ts';

/** A page of rows that was asked for, and what happened to its rows while the answer is on its way. */
export class PageRequest {
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** What was written meanwhile, by key: the answer may have been read before. */
  readonly patches = new Map<string, RowValues>();
  /** Rows that were deleted meanwhile, by key: an answer with one of them was read before. */
  readonly gone = new Set<string>();
  /** Rows that somebody deleted meanwhile, by key: that the answer has them does not say that they are back. */
  readonly noted = new Set<string>();
  /** True when the rows were to be read again meanwhile: the answer is shown, and asked for once more. */
  outdated = false;

  constructor(abort: AbortController, done: Promise<void>) {
    this.abort = abort;
    this.done = done;
  }
}
