import type { Predicate } from '../shared/index.ts';
import type { Change } from './changes.ts';
import type { TableHandle } from './table-handle.ts';

/** What a condition on rows goes by: the cells of its table, and those of the rows that it reaches over links. @public */
export interface ConditionReach {
  /** Another text once what is computed for the condition, such as a formula, or a link that it follows, is another one. */
  readonly meaning: string;
  /** The ids of the tables, of links and of linked rows, whose changes can decide about the condition; its own one alone where it links to itself. */
  readonly tables: ReadonlySet<string>;
  /**
   * The rows about which these changes can decide: their own rows, and those that are linked to them or were before. As `Narrowing.rows`
   * takes it. Undefined where the links between lead over too many rows to name them. What changes by itself, as time does, is not among it.
   */
  touchedBy(changes: readonly Change[]): Promise<Predicate | undefined>;
}

/** Says what conditions go by. @public */
export interface ConditionReaches {
  /** @param condition as `RowReads.conditionOf` makes them for the table of the handle */
  reachOf(handle: TableHandle, condition: Predicate): Promise<ConditionReach>;
}
