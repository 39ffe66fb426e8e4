import type { CellValue } from '../../shared/index.ts';

/** A group as the API tells of it: what its rows have in common, how many they are, and figures over them. @public */
export interface GroupAnswer {
  readonly values: readonly CellValue[];
  readonly count: number;
  readonly figures: readonly CellValue[];
}

/** Rows with the same values in the first columns of a grouping. @public */
export interface RowGroup {
  /** The same for the same values. */
  readonly key: string;
  /** 0 for the groups by the first column. */
  readonly level: number;
  /** What the rows have in common, one value for each column up to this level. */
  readonly values: readonly CellValue[];
  /** Where its first row stands among all rows. */
  readonly start: number;
  readonly count: number;
  /** One for each figure that was asked for. */
  readonly figures: readonly CellValue[];
}

function keyOf(values: readonly CellValue[]): string {
  return JSON.stringify(values);
}

/**
 * The groups in the order in which they are shown, each before those inside it.
 *
 * @param levels as the API gives them: first the groups by the first column alone, last those by all of them
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
