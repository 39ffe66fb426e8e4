import type { Foretell } from './foresight.ts';

/** What may be bound. Dates are refused: they travel as text, so that no time zone of the server touches them. */
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
  /** Where the same is asked again in one transaction, the first answer holds: what was checked stays as it is. */
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
   * Runs statements in their order, in one journey; absent where each takes a journey of its own. Rejects with the first failure;
   * whether those behind it have run is open.
   */
  executeAll?(statements: readonly SessionStatement[]): Promise<readonly StatementResult[]>;
  /**
   * Runs the statements that end a unit, and commits with them in one journey where no other unit waits for that commit.
   * Rejects with the first failure, and then nothing was committed.
   */
  executeLast?(statements: readonly SessionStatement[]): Promise<LastResults>;
}
