import type { Foretold } from '../../sql/foresight.ts';
import type { JsonCell } from '../../sql/json-rows.ts';
import type { Binding, StatementResult } from '../../sql/session.ts';

/** How a worker opens its file. */
export interface WorkerSettings {
  readonly file: string;
  readonly role: 'writer' | 'reader';
  readonly create: boolean;
  readonly readOnly: boolean;
}

/**
 * A statement by the number that the connection gave it. Its text is sent only with the first call, and its column names only with
 * the first answer.
 */
export interface StatementCall {
  readonly kind: 'statement';
  readonly statement: number;
  readonly sql?: string;
  readonly bindings: readonly Binding[];
  readonly inTransaction: boolean;
  /** The most bytes of the rows; more is an error. */
  readonly maxBytes?: number;
  /** Returns nothing, and fails with `UNFORESEEN` unless the answer would be this one. */
  readonly foretold?: Foretold;
  /** Returns the rows as the bytes of a JSON array instead. */
  readonly json?: readonly JsonCell[];
  /**
   * The same with linked rows: a `LinkedPage` as JSON. Pages of the same form have the same text, so that it is parsed and its
   * statements are prepared once.
   */
  readonly page?: string;
}

/** Statements that run in order. The first failure fails the call, and the remaining ones do not run. */
export interface BatchCall {
  readonly kind: 'batch';
  readonly statements: readonly StatementCall[];
  /** Commits after the last statement. */
  readonly commits: boolean;
}

export type WorkerCall =
  /** The first call; after `close` another file may be opened. */
  | { readonly kind: 'open'; readonly settings: WorkerSettings }
  | StatementCall
  | BatchCall
  /** The connection will not name this statement again. */
  | { readonly kind: 'forget'; readonly statement: number }
  | { readonly kind: 'openCursor'; readonly sql: string; readonly bindings: readonly Binding[] }
  /** Requests the next rows: at most `count`, fewer if they grow large. */
  | { readonly kind: 'fetch'; readonly count: number }
  | { readonly kind: 'closeCursor' }
  | { readonly kind: 'close' };

export interface WorkerRequest {
  readonly id: number;
  readonly call: WorkerCall;
}

/** Like `StatementResult`; without `columns`, they are those of the statement's last answer that had them. */
export interface WorkerResult extends Omit<StatementResult, 'columns'> {
  readonly columns?: readonly string[];
  readonly json?: Uint8Array<ArrayBuffer>;
  /** For a batch: the answer of each statement. */
  readonly results?: readonly WorkerResult[];
  /** Whether the cursor has no more rows. */
  readonly isLast?: boolean;
  /** For `open`: the system's number for the thread, if there is one. */
  readonly thread?: number;
}

/** Errors are not transferred whole between threads, so only these three fields are sent. */
export interface WorkerFailure {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
}

export interface WorkerReply {
  readonly id: number;
  readonly result?: WorkerResult;
  readonly failure?: WorkerFailure;
}
