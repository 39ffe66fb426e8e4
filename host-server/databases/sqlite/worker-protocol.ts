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
 * A statement by the number that the connection gave it. Its text travels with the first call only, and the names of its
 * columns with the first answer.
 */
export interface StatementCall {
  readonly kind: 'statement';
  readonly statement: number;
  readonly sql?: string;
  readonly bindings: readonly Binding[];
  readonly inTransaction: boolean;
  /** The most bytes that the rows may take; more is an error. */
  readonly maxBytes?: number;
  /** Answers nothing, and fails with `UNFORESEEN` unless this is what the answer would be. */
  readonly foretold?: Foretold;
  /** Answers the rows as the bytes of a JSON array instead. */
  readonly json?: readonly JsonCell[];
  /**
   * The same with linked rows: a `LinkedPage` as JSON. Pages of one form name it by the same text, so that it is read and its statements
   * are prepared once.
   */
  readonly page?: string;
}

/** Statements that run one after the other. The first that fails fails the call, and those behind it do not run. */
export interface BatchCall {
  readonly kind: 'batch';
  readonly statements: readonly StatementCall[];
  /** Commits behind the last statement. */
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
  /** Asks for the next rows: at most `count`, and fewer when they grow large. */
  | { readonly kind: 'fetch'; readonly count: number }
  | { readonly kind: 'closeCursor' }
  | { readonly kind: 'close' };

export interface WorkerRequest {
  readonly id: number;
  readonly call: WorkerCall;
}

/** As `StatementResult`; without `columns` they are those of the statement's last answer that had them. */
export interface WorkerResult extends Omit<StatementResult, 'columns'> {
  readonly columns?: readonly string[];
  readonly json?: Uint8Array<ArrayBuffer>;
  /** Of a batch: what each statement answers. */
  readonly results?: readonly WorkerResult[];
  /** The cursor has no rows behind these. */
  readonly isLast?: boolean;
  /** Of `open`: the number by which the system knows the thread, where it has one. */
  readonly thread?: number;
}

/** Errors do not survive the way between threads whole, so they cross as their three telling fields. */
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
