import type { Knex } from 'knex';
import type { SessionStatement } from './session.ts';

/** The rows of one answer, cells in the order of `columns`. */
export interface RowSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Complete SQL: `?` for each binding, `\?` for a literal question mark. */
export type Statement = SessionStatement;

/** A query to run: a builder or a raw fragment, made with `database.builder` or `unit.knex`, or the SQL itself. */
export type Query = Knex.QueryBuilder | Knex.Raw | Statement;

export interface WriteResult {
  /** Rows inserted, matched by an update, or deleted. */
  readonly changes: number;
  /** The key that the database gave to the (first) inserted row; on PostgreSQL only with `returning`. */
  readonly lastId?: number | string;
}

/**
 * One reader or one transaction, in which queries run one after another on one connection.
 * A unit lives as long as the work it was handed to; using it later throws.
 */
export interface Unit {
  readonly kind: 'reader' | 'writer';
  /** A knex bound to this unit; awaiting its builders runs them here. It cannot start transactions. */
  readonly knex: Knex;
  rows(query: Query): Promise<RowSet>;
  /** Rows as null-prototype objects, so that a column named `__proto__` is only data. */
  all<Row extends object>(query: Query): Promise<Row[]>;
  first<Row extends object>(query: Query): Promise<Row | undefined>;
  run(query: Query): Promise<WriteResult>;
  /**
   * Runs queries that do not depend on each other's answers, in order, in as few round trips as the database allows. Rejects with
   * the first failure; others may have run, so the unit fails as after any failure.
   */
  batch(queries: readonly Query[]): Promise<readonly (RowSet & WriteResult)[]>;
  /**
   * As `batch`, for the statements that end the unit. They may be sent together with the commit, so afterwards the work must not
   * throw or run anything.
   */
  last(queries: readonly Query[]): Promise<readonly (RowSet & WriteResult)[]>;
  /**
   * Calls `action` once, after the unit is committed durably. Writers only. Its errors become process warnings, since the write
   * has succeeded.
   */
  afterCommit(action: () => void): void;
}
