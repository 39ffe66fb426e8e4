import type { Binding, StatementResult } from '../../sql/session.ts';

/** How a worker opens its file. */
export interface WorkerSettings {
  readonly file: string;
  readonly role: 'writer' | 'reader';
  readonly create: boolean;
  readonly readOnly: boolean;
}

export type WorkerCall =
  | {
      readonly kind: 'statement';
      readonly sql: string;
      readonly bindings: readonly Binding[];
      readonly inTransaction: boolean;
    }
  | { readonly kind: 'openCursor'; readonly sql: string; readonly bindings: readonly Binding[] }
  | { readonly kind: 'fetch'; readonly count: number }
  | { readonly kind: 'closeCursor' }
  | { readonly kind: 'close' };

export interface WorkerRequest {
  readonly id: number;
  readonly call: WorkerCall;
}

/** Errors do not survive the way between threads whole, so they cross as their three telling fields. */
export interface WorkerFailure {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
}

export interface WorkerReply {
  readonly id: number;
  readonly result?: StatementResult;
  readonly failure?: WorkerFailure;
}

/** The id of the reply that a worker sends by itself, once its file is open or refused. */
export const OPENED = 0;
