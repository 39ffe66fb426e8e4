import type { Database } from '../../databases/database.ts';
import type { Unit } from '../../sql/unit.ts';

/**
 * One kind of schema change. The payload says everything, so that a job cut off at any point is simply run again.
 *
 * `apply` changes the database (each part may be run again), `commit` the metadata in the transaction that also ends the job
 * and records the change, `revert` takes `apply` back as far as it came (and may be run again too).
 */
export interface SchemaJobKind<Payload> {
  readonly kind: string;
  /** Gives what is left to do where a change concerns values: to rows that people wrote meanwhile, or all of it in one step. */
  apply(payload: Payload, context: SchemaJobContext): Promise<FinishRows | FinishAtOnce | void>;
  commit(unit: Unit, payload: Payload): Promise<void>;
  revert(payload: Payload): Promise<void>;
}

/** The last of a change's work on rows. */
export interface FinishRows {
  readonly database: Database;
  /** Does what can be done while people write, until little is left. */
  approach(): Promise<void>;
  /**
   * Does the rest, right before `commit`: nobody can write with the old picture of the schema any more and nobody yet with the new
   * one. False when too much is left: the transaction is rolled back, and `approach` is called again.
   *
   * @param unit a transaction of `database`; it may be run again from the start.
   */
  run(unit: Unit): Promise<boolean>;
}

/** A change of a database that somebody else may be using: it is whole or not there, and never half done in between. */
export interface FinishAtOnce {
  /** Changes the database, and then calls `commit` while nobody can write yet. May be run again; calls `commit` each time. */
  runWith(commit: () => Promise<void>): Promise<void>;
}

export interface SchemaJobContext {
  readonly signal: AbortSignal;
  /** Named points at which tests end the process. */
  reach(point: string): Promise<void>;
  /** Shows how far the job is. Throws when somebody asked for its end. */
  progress(progress: { readonly done: number; readonly total: number }): Promise<void>;
}
