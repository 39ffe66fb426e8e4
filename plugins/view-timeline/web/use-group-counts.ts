import type { DaySpan } from '@trellis/sdk/web/cards';
import { useGroupAnswers, type GroupAnswer, type RowsClient } from '@trellis/sdk/web/rows';
import { useMemo } from 'react';
import { groupValue, type Group } from './lines.ts';

/** How many rows the groups have, by what they hold in the column of the groups. */
type GroupCounts = ReadonlyMap<Group['value'], number>;

interface CountedGroups {
  readonly rows: Pick<RowsClient, 'groups' | 'source'>;
  /** The days in sight. */
  readonly days: DaySpan;
  /** The column of the groups; undefined where nobody needs the numbers, since all rows are there. */
  readonly columnId: string | undefined;
}

/** An empty text is no value, as an empty cell is none. */
function countsOfGroups(groups: readonly GroupAnswer[]): GroupCounts {
  const counts = new Map<Group['value'], number>();
  for (const { values, count } of groups) {
    const value = groupValue(values[0]);
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return counts;
}

interface GroupCountsRead {
  /** Undefined until they are known, and where they cannot be. */
  readonly counts: GroupCounts | undefined;
  readonly error: Error | undefined;
}

/** How many rows of the days in sight each group has, counted by the server. */
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
