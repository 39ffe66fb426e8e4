import { joined, sql, type SqlFragment } from '../sql/fragment.ts';
import type { CompileContext } from './compile-context.ts';
import type { TypedSql } from './result-types.ts';

/** The most joins of a statement. Databases allow about sixty tables. */
const mostJoins = 16;

/** A joined table, and the value or context that the statement gets from it. */
interface Join<Made> {
  readonly made: Made;
  /** The table with its alias. */
  readonly table: SqlFragment;
  /** The condition under which a joined row belongs to a row of the statement. */
  readonly on: SqlFragment;
}

/**
 * The rows of other tables that a statement joins, at most one for each of its own rows. Their values are read along with the
 * rows, whereas a sub-select would run for each row and for each place that uses it.
 */
export class JoinedRows {
  /** The statement reads every row of its table, so that computing figures over all linked rows pays. */
  readonly areOfAllRows: boolean;
  /** The statement is cancelled when its caller goes away. */
  readonly isSearch: boolean;
  readonly #known = new Map<string, CompileContext>();
  readonly #figures = new Map<string, TypedSql | undefined>();
  readonly #joins: SqlFragment[] = [];

  constructor({ areOfAllRows = false, isSearch = false } = {}) {
    this.areOfAllRows = areOfAllRows;
    this.isSearch = isSearch;
  }

  get isFull(): boolean {
    return this.#joins.length >= mostJoins;
  }

  /**
   * The context of the rows that are joined under a reason. They are joined at the first call.
   *
   * @param make makes the context for an alias
   */
  context(reason: string, make: (alias: string) => Join<CompileContext>): CompileContext {
    const known = this.#known.get(reason);
    if (known !== undefined) return known;
    const made = this.#join(make(this.#alias));
    this.#known.set(reason, made);
    return made;
  }

  /**
   * The value that joined groups of rows have for each row of the statement.
   *
   * @param make makes the value for an alias; undefined where there is none
   */
  figure(reason: string, make: (alias: string) => Join<TypedSql> | undefined): TypedSql | undefined {
    if (this.#figures.has(reason)) return this.#figures.get(reason);
    const made = make(this.#alias);
    const figure = made && this.#join(made);
    this.#figures.set(reason, figure);
    return figure;
  }

  /** The table of the statement with its joins. */
  from(table: SqlFragment): SqlFragment {
    return joined([table, ...this.#joins], ' ');
  }

  get #alias(): string {
    return `s${this.#joins.length + 1}`;
  }

  #join<Made>({ made, table, on }: Join<Made>): Made {
    this.#joins.push(sql`left join ${table} on ${on}`);
    return made;
  }
}
