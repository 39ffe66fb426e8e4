import type { RowsPlace } from './rows-place.ts';
import type { RowsOptions } from './rows-options.ts';

/** A place of rows, and how they are read. */
export interface AskedRows {
  readonly place: RowsPlace;
  readonly options: RowsOptions;
}

/** How a newer state of a place changes the reading of its rows. */
export function askedOtherwise(
  now: AskedRows,
  before: AskedRows,
): {
  /** Whether the loaded rows lack something, or contain something deleted. */
  readonly reads: boolean;
  /** Whether other rows are read, or in another order. */
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

/** What determines which rows are read, and in which order. */
function rulesOf({ rules = [], sorts = [] }: RowsOptions): string {
  return JSON.stringify([rules, sorts]);
}

/** Whether the loaded rows lack columns that are needed now. */
function asksMore({ also: wanted = [] }: RowsOptions, { also: read = [] }: RowsOptions): boolean {
  return wanted.some((id) => !read.includes(id));
}

/**
 * What determines how rows are read and what they contain: a change of a column, such as a renamed option, is announced for the
 * table and not for each row that it changed.
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
