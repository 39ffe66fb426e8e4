import type { Database } from '../../databases/database.ts';
import type { Unit } from '../../sql/unit.ts';

/**
 * One kind of schema change. The payload holds all that is needed, so that a job that was cut off anywhere is simply run again.
 *
 * `apply` changes the database (each part may be run again). `commit` changes the metadata, in the transaction that also ends the
 * job and records the change. `revert` undoes as much of `apply` as was done (and may be run again too).
 */
export interface SchemaJobKind<Payload> {
  readonly kind: string;
  /**
   * For a change of values, returns the work that is left: rows that people wrote meanwhile (`FinishRows`), or all of it in one
   * step (`FinishAtOnce`).
   */
  apply(payload: Payload, context: SchemaJobContext): Promise<FinishRows | FinishAtOnce | void>;
  commit(unit: Unit, payload: Payload): Promise<void>;
  revert(payload: Payload): Promise<void>;
}

/** The last part of a change's work on rows. */
export interface FinishRows {
  readonly database: Database;
  /** Does most of the work while people go on writing, until little is left. */
  approach(): Promise<void>;
  /**
   * Does the rest, right before `commit`, while nobody can write to the table. Returns false when too much is left; then the
   * transaction is rolled back and `approach` is called again.
   *
   * @param unit a transaction of `database`; it may be run again from the start.
   */
  run(unit: Unit): Promise<boolean>;
}

/** A change of a database that others may be using. It is done as a whole or not at all. */
export interface FinishAtOnce {
  /** Changes the database, then calls `commit` while nobody can write yet. May be run again, and calls `commit` each time. */
  runWith(commit: () => Promise<void>): Promise<void>;
}

export interface SchemaJobContext {
  readonly signal: AbortSignal;
  /** Named points at which tests kill the process. */
  reach(point: string): Promise<void>;
  /** Stores the progress of the job. Throws when it was cancelled. */
  progress(progress: { readonly done: number; readonly total: number }): Promise<void>;
}
