import type { ColumnEntity, SortKey } from '@trellis/sdk/shared';
import type { ViewProps } from '@trellis/sdk/web';
import { useOwnLook, useSaveViewOptions, useViewOptions, type OwnLook } from '@trellis/sdk/web/views';
import { useMemo } from 'react';

/** The grouping of a grid's rows. */
interface GridGrouping {
  /** The columns by which rows are grouped for this person; only existing ones. */
  readonly groups: readonly SortKey[];
  /** Where this person's own grouping is stored; undefined if the view stores the grouping. */
  readonly own: OwnLook | undefined;
  save(groups: readonly SortKey[]): Promise<void>;
}

export function useGridOptions({ table, ...of }: Omit<ViewProps, 'readOnly'>): GridGrouping {
  const options = useViewOptions(of.view);
  const saveOptions = useSaveViewOptions(of.view);
  const own = useOwnLook('groups', of);
  const ofPerson = own?.groups;
  const groups = useMemo(() => {
    const chosen = ofPerson ?? ((options.groups ?? []) as readonly SortKey[]);
    return chosen.filter(({ columnId }) => table.columns?.some(({ id }) => id === columnId));
  }, [ofPerson, options, table.columns]);
  return {
    groups,
    own,
    async save(next) {
      if (own === undefined) await saveOptions({ ...options, groups: next }, options);
      else own.change({ groups: next });
    },
  };
}

/** Types whose columns have few values that many rows share, best first. */
const groupingTypes = ['SingleSelect', 'Checkbox', 'LinkToAnotherRecord', 'Collaborator', 'MultiSelect'];

/** The column that rows are most likely to be grouped by; one with unique values only if there is no other. */
export function proposedGrouping(left: readonly ColumnEntity[]): ColumnEntity | undefined {
  const shared = left.filter(
    ({ pv, pk, unique, system, virtual, colOptions }) =>
      !pv && !pk && unique !== true && !system && (virtual !== true || leadsToOne(colOptions)),
  );
  const rank = ({ uidt }: ColumnEntity) => groupingTypes.indexOf(uidt) + 1 || groupingTypes.length + 1;
  return shared.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Links to many rows make almost every row a group of its own. */
function leadsToOne(colOptions: unknown): boolean {
  return (colOptions as { readonly type?: unknown } | null | undefined)?.type === 'bt';
}
