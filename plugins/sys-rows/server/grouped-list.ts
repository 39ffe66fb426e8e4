import { mayRead, RowStoreToken, toPageInfo, type ServerPluginContext } from '@trellis/sdk/server';
import type { CellValue, PageInfo, Row } from '@trellis/sdk/shared';
import { tableOf, type DataRequest } from './data-routes.ts';
import { rowErrors } from './row-errors.ts';
import { readPage, readRowQuery } from './row-query.ts';

/** The rows with one value, as the v1 API groups them. */
interface GroupedList {
  readonly key: CellValue;
  readonly value: { readonly list: readonly Row[]; readonly pageInfo: PageInfo };
}

/**
 * Answers with the first rows of each group by one column: by each option of a select and the empty value, else by each value. An
 * option without rows has the count 0.
 *
 * @throws TrellisError 409 `TOO_MANY_GROUPS`, since an incomplete list would not show that it is one.
 */
export function groupedList(ctx: ServerPluginContext) {
  const rowStore = ctx.get(RowStoreToken);
  const types = ctx.registry('columnTypes');
  return async (request: DataRequest): Promise<readonly GroupedList[]> => {
    const handle = tableOf(request);
    const { columnId = '' } = request.params;
    const column = handle.table.columnById.get(columnId) ?? handle.table.columnByTitle.get(columnId);
    if (column === undefined || !mayRead(handle.scope, column))
      throw rowErrors.create('NESTED_COLUMN_UNKNOWN', { column: columnId });
    const { limit } = readPage(request.query);
    const query = readRowQuery(request.query);
    const groups = await rowStore.groups(
      handle,
      query,
      { by: column.title, perGroup: limit },
      request.signal,
    );
    const type = types.get(column.type);
    const choices = type?.valuesInOrder?.({ ...type.options?.defaults, ...column.meta } as never);
    const found = new Map(groups.map((group) => [group.value, group]));
    const wanted = choices === undefined ? [] : [...choices, ...found.keys(), null];
    const keys = [...new Set([...wanted, ...found.keys()])];
    return keys.map((key) => {
      const { count = 0, rows = [] } = found.get(key) ?? {};
      return { key, value: { list: rows, pageInfo: toPageInfo({ limit, offset: 0 }, count) } };
    });
  };
}
