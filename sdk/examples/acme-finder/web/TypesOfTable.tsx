import { useRegistry, useT, useTable } from '@trellis/sdk/web';
import type { TableEntity } from '@trellis/sdk/shared';

/** Says below a table in the side bar of what types its columns are. */
export function TypesOfTable({ table }: { readonly table: TableEntity }) {
  const t = useT();
  const types = useRegistry('columnTypes');
  const { data } = useTable(table.id);
  const labels = (data?.columns ?? []).map(({ uidt }) => types.find(({ id }) => id === uidt)?.label ?? uidt);
  return labels.length === 0 ? null : (
    <small>{[...new Set(labels)].map((label) => t(label)).join(', ')}</small>
  );
}
