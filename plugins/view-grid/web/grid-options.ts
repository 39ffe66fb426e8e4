import type { SortKey, TableEntity, ViewEntity } from '@trellis/sdk/shared';
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
