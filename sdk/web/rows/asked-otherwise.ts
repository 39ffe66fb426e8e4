import type { RowsPlace } from './rows-place.ts';
import type { RowsOptions } from './rows-options.ts';

/** Of which place rows are read, and how. */
export interface AskedRows {
  readonly place: RowsPlace;
  readonly options: RowsOptions;
}

/** What a newer state of a place changes of how its rows are read. */
export function askedOtherwise(
  now: AskedRows,
  before: AskedRows,
): {
  /** The rows that were read lack something, or hold what is gone. */
  readonly reads: boolean;
  /** Other rows, or in another order. */
  readonly rules: boolean;
} {
  const skips = ({ options }: AskedRows) => options.skipsDisabledFilters === true;
  return {
    reads:
      shapeOf(now.place) !== shapeOf(before.place) ||
      skips(now) !== skips(before) ||
      asksMore(now.options, before.options),
    rules: rulesOf(now.options) !== rulesOf(before.options),
  };
}

/** What decides which rows are read, and in which order. */
function rulesOf({ rules = [], sorts = [] }: RowsOptions): string {
  return JSON.stringify([rules, sorts]);
}

/** Whether rows that were read lack columns that are wanted now. */
function asksMore({ also: wanted = [] }: RowsOptions, { also: read = [] }: RowsOptions): boolean {
  return wanted.some((id) => !read.includes(id));
}

/**
 * What decides about how rows are read, and about what they hold: a change of a column, such as another name of an option, is told of the
 * table and not of each row that it wrote.
 */
function shapeOf({ table }: RowsPlace): string {
  return JSON.stringify(
    (table.columns ?? []).map(({ id, title, uidt, storage, pk, virtual, colOptions, dtxp }) => [
      id,
      title,
      uidt,
      storage,
      pk,
      virtual === true ? colOptions : dtxp,
    ]),
  );
}
