import type { DaySpan } from '@trellis/sdk/web/cards';
import { useGroupAnswers, type GroupAnswer, type RowsClient } from '@trellis/sdk/web/rows';
import { useMemo } from 'react';
import { groupValue, type Group } from './lines.ts';

/** The number of rows of each group, by its value in the column of the groups. */
type GroupCounts = ReadonlyMap<Group['value'], number>;

interface CountedGroups {
  readonly rows: Pick<RowsClient, 'groups' | 'source'>;
  /** The visible days. */
  readonly days: DaySpan;
  /** The column of the groups; undefined if the numbers are not needed because all rows were read. */
  readonly columnId: string | undefined;
}

/** An empty text counts as no value, like an empty cell. */
function countsOfGroups(groups: readonly GroupAnswer[]): GroupCounts {
  const counts = new Map<Group['value'], number>();
  for (const { values, count } of groups) {
    const value = groupValue(values[0]);
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return counts;
}

interface GroupCountsRead {
  /** Undefined until known, and if they cannot be counted. */
  readonly counts: GroupCounts | undefined;
  readonly error: Error | undefined;
}

/** The number of rows of the visible days in each group, counted by the server. */
export function useGroupCounts({ rows, days, columnId }: CountedGroups): GroupCountsRead {
  const keys = useMemo(
    () => (columnId === undefined ? undefined : [{ columnId, direction: 'asc' as const }]),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of other days are counted anew
    [columnId, days],
  );
  const { answers, error } = useGroupAnswers(rows, keys);
  const counts = useMemo(() => answers && countsOfGroups(answers), [answers]);
  return { counts, error };
}
