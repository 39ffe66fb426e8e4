import type { CellValue } from '../../shared/index.ts';

/** A group in answers of the API: the common values of its rows, their number, and aggregations over them. @public */
export interface GroupAnswer {
  readonly values: readonly CellValue[];
  readonly count: number;
  readonly figures: readonly CellValue[];
}

/** Rows with the same values in the first columns of a grouping. @public */
export interface RowGroup {
  /** Equal for equal values. */
  readonly key: string;
  /** 0 for the groups by the first column. */
  readonly level: number;
  /** The common values of the rows, one for each column up to this level. */
  readonly values: readonly CellValue[];
  /** The index of its first row among all rows. */
  readonly start: number;
  readonly count: number;
  /** One for each requested aggregation. */
  readonly figures: readonly CellValue[];
}

function keyOf(values: readonly CellValue[]): string {
  return JSON.stringify(values);
}

/**
 * The groups in the order of display, each before its subgroups.
 *
 * @param levels as in answers of the API: first the groups by the first column alone, last those by all of them
 */
export function arrangeGroups(levels: readonly (readonly GroupAnswer[])[]): readonly RowGroup[] {
  const known = levels.map((level) => new Map(level.map((group) => [keyOf(group.values), group])));
  const arranged: RowGroup[] = [];
  const open: (string | undefined)[] = levels.map(() => undefined);
  let start = 0;
  for (const leaf of levels.at(-1) ?? []) {
    for (const level of levels.keys()) {
      const values = leaf.values.slice(0, level + 1);
      const key = keyOf(values);
      if (open[level] === key) continue;
      open.fill(undefined, level);
      open[level] = key;
      const { count = 0, figures = [] } = known[level]?.get(key) ?? {};
      arranged.push({ key, level, values, start, count, figures });
    }
    start += leaf.count;
  }
  return arranged;
}
