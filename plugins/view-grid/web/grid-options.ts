import type { ColumnEntity, SortKey, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { useSaveViewOptions, useViewOptions } from '@trellis/sdk/web/views';
import { useMemo } from 'react';

/** What a grid keeps of its groups. */
interface GridGrouping {
  /** The columns by which rows are grouped, as far as they still exist. */
  readonly groups: readonly SortKey[];
  save(options: { readonly groups: readonly SortKey[] }): Promise<void>;
}

export function useGridOptions(table: TableEntity, view: ViewEntity): GridGrouping {
  const options = useViewOptions(view);
  const saveOptions = useSaveViewOptions(view);
  const groups = useMemo(() => {
    const saved = (options.groups ?? []) as readonly SortKey[];
    return saved.filter(({ columnId }) => table.columns?.some(({ id }) => id === columnId));
  }, [options, table.columns]);
  return {
    groups,
    save: (changed) => saveOptions({ ...options, ...changed }, options),
  };
}

/** Types whose columns have few values that many rows share, best first. */
const groupingTypes = ['SingleSelect', 'Checkbox', 'LinkToAnotherRecord', 'Collaborator', 'MultiSelect'];

/** The column that rows are most likely to be grouped by; never one whose values are those of one row each, as long as there is another. */
export function proposedGrouping(left: readonly ColumnEntity[]): ColumnEntity | undefined {
  const shared = left.filter(
    ({ pv, pk, unique, system, virtual, colOptions }) =>
      !pv && !pk && unique !== true && !system && (virtual !== true || leadsToOne(colOptions)),
  );
  const rank = ({ uidt }: ColumnEntity) => groupingTypes.indexOf(uidt) + 1 || groupingTypes.length + 1;
  return shared.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Links to many rows make a group of nearly each row. */
function leadsToOne(colOptions: unknown): boolean {
  return (colOptions as { readonly type?: unknown } | null | undefined)?.type === 'bt';
}
