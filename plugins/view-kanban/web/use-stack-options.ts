import {
  type ColumnEntity,
  type SelectOption,
  type SelectOptions,
  type TableEntity,
  withOption,
} from '@trellis/sdk/shared';
import { messageOfError, randomKey, useHost } from '@trellis/sdk/web';

/**
 * Changes the options of the column of the stacks. Each function reports a refusal, and resolves to whether the change was
 * accepted.
 */
export function useStackOptions(column: ColumnEntity) {
  const host = useHost();

  async function change(make: (options: SelectOptions) => SelectOptions): Promise<boolean> {
    try {
      // Others may have changed options since the page read the column.
      const path = `/api/v1/db/meta/tables/${encodeURIComponent(column.fk_model_id)}`;
      const table = await host.api.request<TableEntity>({ path });
      const now = table.columns?.find(({ id }) => id === column.id) ?? column;
      const { options = [] } = (now.meta ?? {}) as Partial<SelectOptions>;
      await host.api.request({
        method: 'PATCH',
        path: `/api/v1/db/meta/columns/${encodeURIComponent(column.id)}`,
        body: {
          title: now.title,
          uidt: now.uidt,
          meta: { ...now.meta, ...make({ options }) },
          meta_before: now.meta ?? {},
        },
      });
      return true;
    } catch (error) {
      host.toast({ severity: 'error', summary: messageOfError(error, host.t) });
      return false;
    } finally {
      host.invalidate([`table:${column.fk_model_id}`]);
    }
  }

  return {
    add: (title: string) => change((of) => withOption(of, title, `sl_${randomKey()}`)),
    edit: (id: string, patch: Partial<Pick<SelectOption, 'title' | 'color'>>) =>
      change(({ options }) => ({
        options: options.map((option) => (option.id === id ? { ...option, ...patch } : option)),
      })),
  };
}
