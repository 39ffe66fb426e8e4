import type { SessionStatement } from './session.ts';

type Rows = readonly (readonly unknown[])[];

/** What is known of a database when a transaction is about to begin: what is committed, and what the units before this one do. */
export interface Foresight {
  /** The rows of a read by key; undefined where they are not known without waiting. */
  read(statement: SessionStatement): Rows | undefined;
  /** From here on, the same read gives these rows. */
  expect(statement: SessionStatement, rows: Rows): void;
}

/** What a statement is expected to answer. */
export interface Foretold {
  readonly rows: Rows;
  readonly changes: number;
}

/**
 * Says what a statement will answer, so that work that depends on the answer need not wait for it. Whoever runs the statement
 * compares, and undoes everything if its answer is another one. Undefined where the answer is not known.
 */
export type Foretell = (known: Foresight) => Foretold | undefined;

/** A read by key with what it answers. Its rows are few and short, since they are read in the thread of the server. */
export function foretoldRead({ sql, bindings }: SessionStatement): SessionStatement {
  return {
    sql,
    bindings,
    foretell(known) {
      const rows = known.read({ sql, bindings });
      return rows && { rows, changes: rows.length };
    },
  };
}

/** A text that is equal for the same statement with the same bindings. */
export function nameOf({ sql, bindings }: Pick<SessionStatement, 'sql' | 'bindings'>): string {
  return `${sql}\0${bindings.map((value) => `${typeof value} ${String(value)}`).join('\0')}`;
}
