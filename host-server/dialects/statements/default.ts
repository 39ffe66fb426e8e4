import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import type { Binding } from '../../sql/session.ts';
import type { Statement } from '../../sql/unit.ts';
import type { SqlType } from '../functions/default.ts';

/** The parts of a select. Every part is SQL already; what is left out is not written. */
export interface SelectParts {
  /** The select list, joined. */
  readonly columns: SqlFragment;
  /** The table or derived table, with its alias. */
  readonly from: SqlFragment;
  readonly where?: SqlFragment;
  readonly groupBy?: readonly SqlFragment[];
  /** Only together with `groupBy`. */
  readonly having?: SqlFragment;
  readonly orderBy?: readonly SqlFragment[];
  readonly limit?: number;
  /** Rows to skip; only together with `limit`. */
  readonly offset?: number;
}

/** How the rows of a locking select are taken. */
export interface LockParts {
  /** The columns of the key, so that two writers of the same rows wait for each other in turn and not crosswise. */
  readonly orderBy: readonly SqlFragment[];
  readonly limit?: number;
}

/** The rows of an insert. */
export interface Tuples extends SqlFragment {
  /** What stands for the values of each of them; each place binds one. */
  readonly places: readonly string[];
  readonly count: number;
}

/** The parts of an insert. */
export interface InsertParts {
  readonly table: SqlFragment;
  /** None for a row of defaults alone. */
  readonly columns: readonly SqlFragment[];
  /** `(?, ?), (?, ?)`; not read without columns. */
  readonly tuples: Tuples;
  /** Names of the columns to give back; only where `returnsInserted` says so. */
  readonly returning: readonly SqlFragment[];
}

/** The parts of an insert of many rows. */
export interface InsertManyParts extends Omit<InsertParts, 'tuples'> {
  /** The types of the columns, in their order. */
  readonly types: readonly SqlType[];
  /** A value for each of the columns. */
  readonly rows: readonly (readonly Binding[])[];
}

/** The parts of an update that gives back each row as it was and as it is. */
export interface ExchangeParts {
  readonly table: SqlFragment;
  /** `"name" = ?`, joined. */
  readonly assignments: SqlFragment;
  /** About columns that are qualified by their table. */
  readonly where: SqlFragment;
  /** Names of the columns to give back. */
  readonly columns: readonly SqlFragment[];
}

/** The counting key of a table of ours, by the names that the database knows. */
export interface CountingKey {
  readonly table: string;
  readonly column: string;
}

/** Whole statements, put together as each database wants them. */
export interface StatementSql {
  /** Whether several transactions may write at once, so that rows must be locked before they are changed. */
  readonly locksRows: boolean;
  /** Whether an insert can give back what it stored. */
  readonly returnsInserted: boolean;
  /**
   * Whether the keys that are counted for the rows of one statement follow one another, and the answer to it tells the last: they need
   * not be given back.
   */
  readonly tellsLastKey: boolean;
  /** Whether a cell of a table of ours reads as the value that was bound for it, so that an insert need not give it back. */
  keepsBound(type: SqlType): boolean;
  /** Whether an update can give back what it stored. */
  readonly returnsUpdated: boolean;
  /** Whether a statement that writes may be a part of another one, in its `with`. */
  readonly nestsWrites: boolean;
  /** Whether a statement may read the table that it writes to. */
  readonly readsWrittenTable: boolean;
  /** Whether an aggregate takes values that a sub-select computes. */
  readonly aggregatesQueries: boolean;
  /** Whether a select that stands in `from` may name the rows of the statement around it. */
  readonly namesOuterRows: boolean;
  /** The order of rows that are numbered in no order, where the database asks for one. */
  readonly anyOrder: SqlFragment | undefined;
  /** What stands behind a table whose rows are locked, where the database locks by table and not by statement. */
  readonly lockHint: SqlFragment | undefined;
  /** Whether a unique index covers text of any length. */
  readonly indexesLongText: boolean;
  select(parts: SelectParts): SqlFragment;
  /** A select without order or limit, to stand in `from`: its values are computed once for each row, however often they are named there. */
  workedOnce(select: SqlFragment): SqlFragment;
  /** A select without order or limit, whose rows stay as they are until the transaction ends. */
  locking(select: SqlFragment, parts: LockParts): SqlFragment;
  insert(parts: InsertParts): SqlFragment;
  /**
   * An insert that binds one list of values for each column, so that its text is the same for any number of rows and the
   * database keeps it prepared. Undefined where no value of the database is a list, or not of these types.
   */
  insertMany?(parts: InsertManyParts): SqlFragment | undefined;
  /**
   * Locks rows, changes them, and gives the cells of each as they were and, behind them, as they are. Undefined where an update gives
   * back only what it stored.
   */
  exchange?(parts: ExchangeParts): SqlFragment;
  /**
   * A term of a select list that fails with kind `badValue` unless the condition holds, so that the transaction cannot be
   * committed. Undefined where no term of a select fails.
   */
  demand?(condition: SqlFragment): SqlFragment;
  /**
   * A condition that holds for every row, and that ends a read in the process of the server itself at the first row with a cell
   * above `most` bytes, before such a cell is read: see `Database.get`. Undefined where every read is answered elsewhere.
   */
  shortRow(cells: readonly SqlFragment[], most: number): SqlFragment | undefined;
  /** Reads the number that the next row of a counting key will get, its only cell; undefined where other writers may take it first. */
  nextKey(table: string): SqlFragment | undefined;
  /**
   * A condition that holds for every row, and at which a search ends soon after its caller has gone away. Undefined where the
   * database ends the statement of a caller that has gone.
   *
   * @param key a column by which rows are told apart, where the table has one
   */
  endable(key: SqlFragment | undefined): SqlFragment | undefined;
  /** The term of `order by` that shuffles rows. */
  randomOrder(): SqlFragment;
  /**
   * Moves the counter of a key to a number that a row was given by hand, if the counter stands before that number. Undefined
   * where the database does so by itself.
   */
  passKeyCounter(key: CountingKey, number: string): Statement | undefined;
  /**
   * How far apart the keys are that the database counts for the rows of one statement. Undefined where an insert gives the keys
   * back.
   */
  readonly keyStep: Statement | undefined;
}

export function clause(word: string, terms: readonly SqlFragment[] | undefined): SqlFragment {
  return terms === undefined || terms.length === 0 ? text('') : sql`${text(word)}${joined(terms, ', ')}`;
}

/** `limit 25 offset 50`, written by every database but SQL Server in this way. */
export function limitClause({ limit, offset }: Pick<SelectParts, 'limit' | 'offset'>): string {
  if (limit === undefined) return '';
  return ` limit ${limit}${offset === undefined || offset === 0 ? '' : ` offset ${offset}`}`;
}

/** Standard SQL; a database's file overrides what it says otherwise. */
export const defaultStatements: StatementSql = {
  locksRows: true,
  returnsInserted: true,
  returnsUpdated: true,
  tellsLastKey: false,
  keepsBound: () => false,
  nestsWrites: false,
  readsWrittenTable: true,
  aggregatesQueries: true,
  namesOuterRows: true,
  anyOrder: undefined,
  lockHint: undefined,
  indexesLongText: true,
  select({ columns, from, where, groupBy, having, orderBy, limit, offset }) {
    const condition = where === undefined ? text('') : sql` where ${where}`;
    const page = text(limitClause({ limit, offset }));
    return sql`select ${columns} from ${from}${condition}${clause(' group by ', groupBy)}${clause(' having ', having && [having])}${clause(' order by ', orderBy)}${page}`;
  },
  workedOnce: (select) => select,
  locking: (select, { orderBy, limit }) =>
    sql`${select}${clause(' order by ', orderBy)}${text(limitClause({ limit }))} for update`,
  insert({ table, columns, tuples, returning }) {
    const back = clause(' returning ', returning);
    if (columns.length === 0) return sql`insert into ${table} default values${back}`;
    return sql`insert into ${table} (${joined(columns, ', ')}) values ${tuples}${back}`;
  },
  shortRow: () => undefined,
  nextKey: () => undefined,
  endable: () => undefined,
  randomOrder: () => text('random()'),
  passKeyCounter: () => undefined,
  keyStep: undefined,
};
