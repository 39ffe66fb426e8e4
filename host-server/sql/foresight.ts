import type { SessionStatement } from './session.ts';

type Rows = readonly (readonly unknown[])[];

/** The known state of a database when a transaction is about to begin: what is committed, and what the units before this one do. */
export interface Foresight {
  /** The rows of a read by key; undefined when they are not known without waiting. */
  read(statement: SessionStatement): Rows | undefined;
  /** From here on, the same read gives these rows. */
  expect(statement: SessionStatement, rows: Rows): void;
}

/** The expected answer to a statement. */
export interface Foretold {
  readonly rows: Rows;
  readonly changes: number;
}

/**
 * Predicts the answer to a statement, so that work that depends on it need not wait. The code that runs the statement compares,
 * and rolls everything back if the answer differs. Undefined when the answer is not known.
 */
export type Foretell = (known: Foresight) => Foretold | undefined;

/** A read by key with its expected answer. Its rows are few and short, since they are read in the server's own thread. */
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

/** A text that is equal for equal statements with equal bindings. */
export function nameOf({ sql, bindings }: Pick<SessionStatement, 'sql' | 'bindings'>): string {
  return `${sql}\0${bindings.map((value) => `${typeof value} ${String(value)}`).join('\0')}`;
}
