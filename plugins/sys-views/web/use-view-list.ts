import type { TableEntity, ViewList } from '@trellis/sdk/shared';
import { useServerData } from '@trellis/sdk/web';

/** A table's views in order, and their groups. */
export function useViewList(table: TableEntity) {
  const { data, ...answer } = useServerData<Partial<ViewList>>(
    { path: `/api/v1/db/meta/tables/${encodeURIComponent(table.id)}/views` },
    { tags: [`table:${table.id}`] },
  );
  return {
    ...answer,
    views: (data?.list ?? []).toSorted((a, b) => a.order - b.order),
    groups: data?.groups ?? [],
  };
}
