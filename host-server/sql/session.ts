/** What may be bound. Dates are refused: they travel as text, so that no time zone of the server touches them. */
export type Binding = string | number | bigint | boolean | null | Uint8Array;

export interface StatementResult {
  readonly columns: readonly string[];
  readonly rows: unknown[][];
  readonly changes: number;
  readonly lastId?: number | string;
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
}
