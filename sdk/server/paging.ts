import type { JsonSchema, Page, PageInfo } from '../shared/index.ts';
import type { PageRequest } from './row-reads.ts';

/** The position of a page. `page` is not rounded, so an unaligned offset is neither first nor last. @public */
export function toPageInfo({ limit, offset }: PageRequest, totalRows: number): PageInfo {
  const page = offset / limit + 1;
  return {
    totalRows,
    page,
    pageSize: limit,
    isFirstPage: page === 1,
    isLastPage: page === Math.max(1, Math.ceil(totalRows / limit)),
  };
}

/** A page of a list in memory, by the query of a request: `limit` is 25 by default, and at most 1000. @public */
export function pageOf<Item>(
  all: readonly Item[],
  query: { readonly limit?: unknown; readonly offset?: unknown },
): Page<Item> {
  const numberOf = (value: unknown, fallback: number): number => {
    const number = Number(value);
    return value !== undefined && value !== '' && Number.isSafeInteger(number) ? number : fallback;
  };
  const page = {
    limit: Math.min(Math.max(numberOf(query.limit, 25), 1), 1000),
    offset: Math.max(numberOf(query.offset, 0), 0),
  };
  return { list: all.slice(page.offset, page.offset + page.limit), pageInfo: toPageInfo(page, all.length) };
}

/** The query of a log that is read in pages, the newest entries first. @public */
export type LogQuery = { readonly limit?: string; readonly offset?: string };

/** The schema of such a query. @public */
export const logQuerySchema: JsonSchema = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^[0-9]{1,3}$' },
    offset: { type: 'string', pattern: '^[0-9]{1,6}$' },
  },
};

/** The requested page: 25 entries by default, and at most 100. @public */
export function logPageOf({ limit = '25', offset = '0' }: LogQuery): PageRequest {
  return { limit: Math.min(100, Math.max(1, Number(limit))), offset: Number(offset) };
}
