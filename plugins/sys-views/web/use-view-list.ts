import type { TableEntity, ViewList } from '@trellis/sdk/shared';
import { useServerData } from '@trellis/sdk/web';

/** The views of a table in their order, and the groups that they stand in. */
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
