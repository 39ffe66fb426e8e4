import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import type { Binding } from '../../sql/session.ts';
import type { Statement } from '../../sql/unit.ts';
import type { SqlType } from '../functions/default.ts';

/** The parts of a select as SQL. Parts that are left out are not written. */
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

/** How a locking select orders and limits its rows. */
export interface LockParts {
  /** The columns of the key, so that two writers of the same rows wait for each other and do not deadlock. */
  readonly orderBy: readonly SqlFragment[];
  readonly limit?: number;
}

/** The rows of an insert. */
export interface Tuples extends SqlFragment {
  /** The placeholders of the values of each row; each binds one value. */
  readonly places: readonly string[];
  readonly count: number;
}

/** The parts of an insert. */
export interface InsertParts {
  readonly table: SqlFragment;
  /** Empty for a row of defaults only. */
  readonly columns: readonly SqlFragment[];
  /** `(?, ?), (?, ?)`; not used without columns. */
  readonly tuples: Tuples;
  /** Names of the columns to return; only if `returnsInserted`. */
  readonly returning: readonly SqlFragment[];
}

/** The parts of an insert of many rows. */
export interface InsertManyParts extends Omit<InsertParts, 'tuples'> {
  /** The types of the columns, in their order. */
  readonly types: readonly SqlType[];
  /** Each row has a value for each column. */
  readonly rows: readonly (readonly Binding[])[];
}

/** The parts of an update that returns each row before and after the change. */
export interface ExchangeParts {
  readonly table: SqlFragment;
  /** `"name" = ?`, joined. */
  readonly assignments: SqlFragment;
  /** Its columns are qualified by their table. */
  readonly where: SqlFragment;
  /** Names of the columns to return. */
  readonly columns: readonly SqlFragment[];
}

/** The counting key of one of Trellis's own tables, by its names in the database. */
export interface CountingKey {
  readonly table: string;
  readonly column: string;
}

/** Whole statements in the syntax of each database. */
export interface StatementSql {
  /** Whether several transactions may write at once, so that rows must be locked before they are changed. */
  readonly locksRows: boolean;
  /** Whether an insert can return what it stored. */
  readonly returnsInserted: boolean;
  /**
   * Whether the keys counted for one statement's rows are consecutive and its result contains the last one, so that they need not
   * be returned.
   */
  readonly tellsLastKey: boolean;
  /** Whether a cell of an own table always reads as the value that was bound for it, so that an insert need not return it. */
  keepsBound(type: SqlType): boolean;
  /** Whether an update can return what it stored. */
  readonly returnsUpdated: boolean;
  /** Whether a writing statement may be part of another one, in its `with`. */
  readonly nestsWrites: boolean;
  /** Whether a statement may read the table that it writes to. */
  readonly readsWrittenTable: boolean;
  /** Whether aggregates accept the result of a sub-select. */
  readonly aggregatesQueries: boolean;
  /** Whether a select in `from` may refer to rows of the outer statement. */
  readonly namesOuterRows: boolean;
  /** The order for numbering rows in no particular order, where the database requires one. */
  readonly anyOrder: SqlFragment | undefined;
  /** The hint after a table whose rows are locked, where the database locks by table and not by statement. */
  readonly lockHint: SqlFragment | undefined;
  /** Whether a unique index covers text of any length. */
  readonly indexesLongText: boolean;
  select(parts: SelectParts): SqlFragment;
  /** Makes a select without order or limit into one for `from` whose values are computed once for each row, however often they are used. */
  workedOnce(select: SqlFragment): SqlFragment;
  /** Makes a select without order or limit lock its rows until the transaction ends. */
  locking(select: SqlFragment, parts: LockParts): SqlFragment;
  insert(parts: InsertParts): SqlFragment;
  /**
   * An insert that binds one list of values for each column, so that its text is the same for any number of rows and the database
   * keeps it prepared. Undefined when the database has no lists, or none of these types.
   */
  insertMany?(parts: InsertManyParts): SqlFragment | undefined;
  /**
   * Locks rows, changes them, and returns the cells of each before the change, followed by those after it. Undefined when an
   * update can only return what it stored.
   */
  exchange?(parts: ExchangeParts): SqlFragment;
  /**
   * A term of a select list that fails with kind `badValue` unless the condition holds, so that the transaction cannot be
   * committed. Undefined when no term of a select can fail.
   */
  demand?(condition: SqlFragment): SqlFragment;
  /**
   * A condition that is always true, but stops a read in the server's own process at the first row with a cell above `most`
   * bytes, before reading the cell: see `Database.get`. Undefined when reads run elsewhere.
   */
  shortRow(cells: readonly SqlFragment[], most: number): SqlFragment | undefined;
  /** Reads, as its only cell, the number that the next row of a counting key will get; undefined when other writers may take it first. */
  nextKey(table: string): SqlFragment | undefined;
  /**
   * A condition that is always true, but stops a search soon after its caller has gone away. Undefined when the database itself
   * can cancel statements.
   *
   * @param key the key column, if the table has one
   */
  endable(key: SqlFragment | undefined): SqlFragment | undefined;
  /** The term of `order by` that shuffles rows. */
  randomOrder(): SqlFragment;
  /**
   * Moves the counter of a key up to a number that was given to a row explicitly, if the counter is lower. Undefined where the
   * database does so itself.
   */
  passKeyCounter(key: CountingKey, number: string): Statement | undefined;
  /** The step between the keys that the database counts for the rows of one statement. Undefined where an insert returns the keys. */
  readonly keyStep: Statement | undefined;
}

export function clause(word: string, terms: readonly SqlFragment[] | undefined): SqlFragment {
  return terms === undefined || terms.length === 0 ? text('') : sql`${text(word)}${joined(terms, ', ')}`;
}

/** `limit 25 offset 50`, the form of every database but SQL Server. */
export function limitClause({ limit, offset }: Pick<SelectParts, 'limit' | 'offset'>): string {
  if (limit === undefined) return '';
  return ` limit ${limit}${offset === undefined || offset === 0 ? '' : ` offset ${offset}`}`;
}

/** Standard SQL; the file of each database overrides what differs. */
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
