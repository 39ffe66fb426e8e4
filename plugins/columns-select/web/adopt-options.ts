import type { TableEntity } from '@trellis/sdk/shared';
import { hasPermission, type ApiClient, type WebColumnType } from '@trellis/sdk/web';
import {
  longestTitle,
  mostOptions,
  optionOf,
  titlesOf,
  withOption,
  type SelectOptions,
} from '../shared/index.ts';

/** Ends a sentence that begins with the column's title. */
const refused = { message: 'has no such option' };

/** Makes options of texts that are pasted, all of them in one change of the column, where the person may change it. */
export function adoptOptions(api: ApiClient, isMultiple: boolean): NonNullable<WebColumnType['adopt']> {
  return async function adopt(texts, { project, table, column }) {
    const titlesIn = (text: string) => (isMultiple ? titlesOf(text) : [text]).map((title) => title.trim());
    const missingIn = (of: SelectOptions) =>
      new Set(texts.flatMap(titlesIn).filter((title) => title !== '' && optionOf(of, title) === undefined));
    if (missingIn(optionsOf(column)).size === 0) return new Map();
    const mayAdd = hasPermission('columnUpdate', project) && table.type !== 'view';
    let known = optionsOf(column);
    if (mayAdd) {
      // Others may have added options since the page read the column.
      const path = `/api/v1/db/meta/tables/${encodeURIComponent(table.id)}`;
      const { columns = [] } = await api.request<TableEntity>({ path });
      const now = columns.find(({ id }) => id === column.id) ?? column;
      const before = optionsOf(now);
      known = [...missingIn(before)]
        .filter((title) => title.length <= longestTitle)
        .reduce(
          (of, title) =>
            optionOf(of, title) === undefined && of.options.length < mostOptions
              ? withOption(of, title, `sl_${crypto.randomUUID()}`)
              : of,
          before,
        );
      if (known !== before)
        await api.request({
          method: 'PATCH',
          path: `/api/v1/db/meta/columns/${encodeURIComponent(column.id)}`,
          body: {
            title: now.title,
            uidt: now.uidt,
            meta: { ...now.meta, ...known },
            meta_before: now.meta ?? {},
          },
        });
    }
    const left = missingIn(known);
    return new Map(
      texts
        .filter((text) => titlesIn(text).some((title) => left.has(title)))
        .map((text) => [text, refused.message]),
    );
  };
}

function optionsOf({ meta }: { readonly meta: unknown }): SelectOptions {
  const { options = [] } = (meta ?? {}) as Partial<SelectOptions>;
  return { options };
}
