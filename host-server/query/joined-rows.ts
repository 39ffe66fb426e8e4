import { joined, sql, type SqlFragment } from '../sql/fragment.ts';
import type { CompileContext } from './compile-context.ts';
import type { TypedSql } from './result-types.ts';

/** Databases join some sixty tables at the most. */
const mostJoins = 16;

/** What is joined, and what a statement has of it. */
interface Join<Made> {
  readonly made: Made;
  /** With its alias. */
  readonly table: SqlFragment;
  /** The condition by which a row of it belongs to one of the statement. */
  readonly on: SqlFragment;
}

/**
 * The rows of other tables that a statement joins to its own ones, one at the most to each: values out of them are read along with the
 * rows, where a sub-select would be run for each row and each place that names it.
 */
export class JoinedRows {
  /** The statement looks at every row of its table, so that figures over all linked rows are worth making. */
  readonly areOfAllRows: boolean;
  /** The statement is ended when its caller goes away. */
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
   * The context of the rows that are joined for a reason, joined now where they are not yet.
   *
   * @param make the context under an alias
   */
  context(reason: string, make: (alias: string) => Join<CompileContext>): CompileContext {
    const known = this.#known.get(reason);
    if (known !== undefined) return known;
    const made = this.#join(make(this.#alias));
    this.#known.set(reason, made);
    return made;
  }

  /**
   * The value that groups of rows, joined for a reason, have for each row of the statement.
   *
   * @param make the value under an alias; undefined where there is none
   */
  figure(reason: string, make: (alias: string) => Join<TypedSql> | undefined): TypedSql | undefined {
    if (this.#figures.has(reason)) return this.#figures.get(reason);
    const made = make(this.#alias);
    const figure = made && this.#join(made);
    this.#figures.set(reason, figure);
    return figure;
  }

  /** The table of the statement with what is joined to it. */
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
