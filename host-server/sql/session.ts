import type { Foretell } from './foresight.ts';

/** The values that can be bound. Dates are refused: they are passed as text, so that the server's time zone does not matter. */
export type Binding = string | number | bigint | boolean | null | Uint8Array;

export interface StatementResult {
  readonly columns: readonly string[];
  readonly rows: unknown[][];
  readonly changes: number;
  readonly lastId?: number | string;
}

/** A statement with `?` for each binding, as `Session.execute` takes it. */
export interface SessionStatement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  readonly foretell?: Foretell;
  /** True if a repeated read in one transaction uses the first answer, so that what was checked stays the same. */
  readonly isSettled?: boolean;
}

export interface LastResults {
  readonly results: readonly StatementResult[];
  /** Whether the transaction was committed together with the statements. */
  readonly isCommitted: boolean;
}

/** One connection of a database, as the unit, the schema changer and the introspection see it. */
export interface Session {
  /**
   * Runs one statement. `sql` has `?` for each binding, and `\?` for a question mark that is none.
   * Rejects with the driver's own error.
   */
  execute(sql: string, bindings?: readonly Binding[]): Promise<StatementResult>;
  /**
   * Runs statements in order, in one round trip; undefined if each takes its own. Rejects with the first failure; later
   * statements may or may not have run.
   */
  executeAll?(statements: readonly SessionStatement[]): Promise<readonly StatementResult[]>;
  /**
   * Runs the statements that end a unit, and commits with them in one round trip if no other unit waits for that commit. Rejects
   * with the first failure, and then nothing was committed.
   */
  executeLast?(statements: readonly SessionStatement[]): Promise<LastResults>;
}
