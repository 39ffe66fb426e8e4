import type { AggregationOf, CellValue, SortKey } from '@trellis/sdk/shared';
import {
  columnContext,
  Contribution,
  showCell,
  useHost,
  useRegistry,
  useUserStorage,
  type Translate,
} from '@trellis/sdk/web';
import type { GridColumn, GridHead } from '@trellis/sdk/web/grid';
import { GroupedRows, type RowsClient, type RowSource, type RowValues } from '@trellis/sdk/web/rows';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import { shownFigures } from './figures.ts';

/** The maximum number of collapsed groups per view that a reload restores: the last ones collapsed. */
const mostRemembered = 500;

/** The stored state of a view. Groups by other columns are other groups. */
interface CollapsedGroups {
  /** The grouping that the keys belong to. */
  readonly by: string;
  readonly keys: readonly string[];
}

interface GroupsOf {
  readonly viewId: string;
  readonly rows: RowsClient;
  /** All columns of the table, including hidden ones. */
  readonly columns: readonly GridColumn[];
  readonly groups: readonly SortKey[];
  readonly figures: readonly AggregationOf[];
}

/** A view's rows under their groups' heads. */
export interface GridGroups {
  /** The rows that the grid draws: all rows if they are not grouped. */
  readonly source: RowSource;
  readonly heads: readonly GridHead[] | undefined;
  /** Where the grid shows a row of the client; undefined if its group is collapsed. */
  shownAt(place: number): number | undefined;
  /** Expands the groups of the row at a place of the client. */
  reveal(place: number): void;
  toggle(key: string): void;
  /** Undefined if rows are not grouped. */
  readonly toggleAll: ((isCollapsed: boolean) => void) | undefined;
  /** The key of a shown row's innermost group; undefined if rows are not grouped. */
  groupAt(index: number): string | undefined;
  /** The values that put a row into a group, by column id. */
  valuesOf(key: string): RowValues;
}

export function useGridGroups({ viewId, rows, columns, groups, figures }: GroupsOf): GridGroups {
  const { t } = useHost();
  const storage = useUserStorage();
  const aggregations = useRegistry('aggregations');
  const stored = `groups.collapsed-by.${viewId}`;
  const by = groups.map(({ columnId }) => columnId).join(' ');
  const [kept, setKept] = useState(() => storage.get<CollapsedGroups>(stored));
  const collapsed: ReadonlySet<string> = useMemo(() => new Set(kept?.by === by ? kept.keys : []), [kept, by]);
  useSyncExternalStore(rows.figures.subscribe, () => rows.figures.version);
  const found = rows.figures.groups;
  const grouped = useMemo(
    () => (found === undefined ? undefined : new GroupedRows(rows.source, found, collapsed)),
    [rows, found, collapsed],
  );

  const heads = useMemo(
    () =>
      grouped?.heads.map(({ group, before, isCollapsed }): GridHead => {
        const column = columns.find(({ entity }) => entity.id === groups[group.level]?.columnId);
        const value = group.values.at(-1) ?? null;
        const words = wordsOf(column, value, t);
        return {
          key: group.key,
          before,
          level: group.level,
          isCollapsed,
          group: words,
          title: column?.entity.title ?? '',
          value: <GroupValue {...{ column, value, words }} />,
          count: group.count.toLocaleString(pageLanguage()),
          figures: new Map(
            shownFigures(figures, { columns, aggregations }, (figure) =>
              rows.figures.ofGroup(group, figure),
            ).map(({ columnId, text }) => [columnId, text]),
          ),
        };
      }),
    [grouped, rows, columns, groups, figures, aggregations, t],
  );

  const change = (next: ReadonlySet<string>): void => {
    const now = { by, keys: [...next] };
    setKept(now);
    storage.set(stored, now.keys.length > 0 ? { by, keys: now.keys.slice(-mostRemembered) } : undefined);
  };

  return {
    source: grouped ?? rows.source,
    heads,
    shownAt: (place) => (grouped === undefined ? place : grouped.shownAt(place)),
    reveal(place) {
      const around = (found ?? []).filter(({ start, count }) => place >= start && place < start + count);
      const next = new Set(collapsed);
      for (const { key } of around) next.delete(key);
      if (next.size < collapsed.size) change(next);
    },
    toggle(key) {
      const next = new Set(collapsed);
      if (!next.delete(key)) next.add(key);
      change(next);
    },
    toggleAll:
      found === undefined
        ? undefined
        : (isCollapsed) => change(new Set(isCollapsed ? found.map(({ key }) => key) : [])),
    groupAt: (index) => heads?.findLast(({ before }) => before <= index)?.key,
    valuesOf(key) {
      const group = found?.find((each) => each.key === key);
      return Object.fromEntries(
        (group?.values ?? []).flatMap((value, level) => {
          const column = columns.find(({ entity }) => entity.id === groups[level]?.columnId);
          return column === undefined || column.whyReadOnly !== undefined || value === null
            ? []
            : [[column.entity.id, value]];
        }),
      );
    },
  };
}

/** The shared value of a group's rows, as text. */
function wordsOf(column: GridColumn | undefined, value: CellValue, t: Translate): string {
  if (column === undefined) return t('(empty)');
  if (column.type?.isCovered === true && value !== null && value !== '') return t('(covered)');
  return showCell(value, column.entity, column.type) || t('(empty)');
}

interface GroupValueProps {
  readonly column: GridColumn | undefined;
  readonly value: CellValue;
  readonly words: string;
}

/** The shared value of a group's rows, as its column draws it: an option with its colour. */
function GroupValue({ column, value, words }: GroupValueProps): ReactNode {
  const Cell = column?.type?.Cell;
  if (column === undefined || Cell === undefined || column.type === undefined || value === null) return words;
  const { entity, type } = column;
  return (
    <Contribution registry="columnTypes" id={type.id} what={type.label} compact>
      <Cell
        value={value}
        row={undefined}
        column={entity}
        options={columnContext(entity, type).options}
        selected={false}
      />
    </Contribution>
  );
}
