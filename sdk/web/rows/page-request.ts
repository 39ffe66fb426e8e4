import type { RowValues } from './row-codec.ts';

/** A requested page of rows, and what happened to its rows while the request is running. */
export class PageRequest {
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** Values written meanwhile, by key: the answer may be older. */
  readonly patches = new Map<string, RowValues>();
  /** Rows deleted meanwhile, by key: an answer that contains one of them is older. */
  readonly gone = new Set<string>();
  /** Rows that somebody deleted meanwhile, by key: their presence in the answer does not mean that they were restored. */
  readonly noted = new Set<string>();
  /** True if the rows became stale meanwhile: the answer is shown, and requested once more. */
  outdated = false;

  constructor(abort: AbortController, done: Promise<void>) {
    this.abort = abort;
    this.done = done;
  }
}
