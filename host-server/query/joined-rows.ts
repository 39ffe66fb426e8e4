import { joined, sql, type SqlFragment } from '../sql/fragment.ts';
import type { CompileContext } from './compile-context.ts';

/** Databases join some sixty tables at the most. */
const mostJoins = 16;

/**
 * The rows of other tables that a statement joins to its own ones, one at the most to each: values out of them are read along with the
 * rows, where a sub-select would be run for each row and each place that names it.
 */
export class JoinedRows {
  readonly #known = new Map<string, CompileContext>();
  readonly #joins: SqlFragment[] = [];

  get isFull(): boolean {
    return this.#joins.length >= mostJoins;
  }

  /**
   * The context of the rows that are joined for a reason, joined now where they are not yet.
   *
   * @param make the context under an alias, the table with it, and the condition by which a row of it belongs to one
   */
  context(
    reason: string,
    make: (alias: string) => {
      readonly context: CompileContext;
      readonly table: SqlFragment;
      readonly on: SqlFragment;
    },
  ): CompileContext {
    const known = this.#known.get(reason);
    if (known !== undefined) return known;
    const { context, table, on } = make(`s${this.#joins.length + 1}`);
    this.#joins.push(sql`left join ${table} on ${on}`);
    this.#known.set(reason, context);
    return context;
  }

  /** The table of the statement with what is joined to it. */
  from(table: SqlFragment): SqlFragment {
    return joined([table, ...this.#joins], ' ');
  }
}
