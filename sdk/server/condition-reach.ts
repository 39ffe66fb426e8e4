import type { Predicate } from '../shared/index.ts';
import type { Change } from './changes.ts';
import type { TableHandle } from './table-handle.ts';

/** The cells that a condition on rows depends on: those of its table, and of rows that it reaches over links. @public */
export interface ConditionReach {
  /** A text that changes when something computed for the condition, such as a formula, or a link that it follows, changes. */
  readonly meaning: string;
  /**
   * The ids of other tables whose changes may affect the condition (linked tables and junction tables), and its own only if it
   * links to itself.
   */
  readonly tables: ReadonlySet<string>;
  /**
   * The condition, in the form of `Narrowing.rows`, for rows that these changes may affect: their own rows, and rows that are or
   * were linked to them. Undefined if the links lead over too many rows to name them. Changes that happen by themselves, like the
   * passing of time, are not included.
   */
  touchedBy(changes: readonly Change[]): Promise<Predicate | undefined>;
}

/** Tells what conditions depend on. @public */
export interface ConditionReaches {
  /** @param condition made by `RowReads.conditionOf` for the table of the handle */
  reachOf(handle: TableHandle, condition: Predicate): Promise<ConditionReach>;
}
