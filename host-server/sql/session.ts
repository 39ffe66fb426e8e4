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
  /** Whether statements may be sent before the ones ahead of them are answered; they run in their order all the same. */
  readonly pipelines?: boolean;
  /**
   * Runs the statements that end a unit, and commits with them in one journey where no other unit waits for that commit.
   * Rejects with the first failure, and then nothing was committed.
   */
  executeLast?(statements: readonly SessionStatement[]): Promise<LastResults>;
}
