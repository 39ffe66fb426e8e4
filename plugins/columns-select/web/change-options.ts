import type { ColumnEntity, SelectOptions, TableEntity } from '@trellis/sdk/shared';
import type { ApiClient } from '@trellis/sdk/web';

/**
 * Changes a column's current options: others may have changed them since the page read them.
 *
 * @param next returns the new options; the same object if nothing changes
 * @returns the options afterwards
 */
export async function changeOptions(
  api: ApiClient,
  column: ColumnEntity,
  next: (before: SelectOptions) => SelectOptions,
): Promise<SelectOptions> {
  const path = `/api/v1/db/meta/tables/${encodeURIComponent(column.fk_model_id)}`;
  const { columns = [] } = await api.request<TableEntity>({ path });
  const now = columns.find(({ id }) => id === column.id) ?? column;
  const before = optionsOf(now);
  const after = next(before);
  if (after !== before)
    await api.request({
      method: 'PATCH',
      path: `/api/v1/db/meta/columns/${encodeURIComponent(column.id)}`,
      body: {
        title: now.title,
        uidt: now.uidt,
        meta: { ...now.meta, ...after },
        meta_before: now.meta ?? {},
      },
    });
  return after;
}

export function optionsOf({ meta }: { readonly meta: unknown }): SelectOptions {
  const { options = [] } = (meta ?? {}) as Partial<SelectOptions>;
  return { options };
}
