import { dataPath, type Row, type RowKey, type TableEntity } from '@trellis/sdk/shared';
import {
  messageOfError,
  useHost,
  useServerData,
  type OpenedCell,
  keyOfRow,
  nameOfRow,
  type FoundPage,
} from '@trellis/sdk/web';
import { useRows, type EditStep } from '@trellis/sdk/web/rows';
import { useRef, useState } from 'react';
import { linkedRowsOf } from '../shared/index.ts';
import { useLinksLive } from './use-links-live.ts';
import { linkOf, linkPath, mostAtOnce, namesRequest, pageRequest, rowRequest } from './link-calls.ts';

/** Number of rows that a list reads at first, and adds with each press on "more" while it is short. */
const step = 20;

/** How many rows "more" adds to a list: a long list grows faster, so that its end can be reached. */
const moreOf = (limit: number): number => (limit < 5 * step ? step : limit);

/** A part of a list, starting at `offset`. */
export interface ListPart {
  readonly offset: number;
  readonly limit: number;
}

/** The parts of a list's first `limit` rows that come after the first answer. */
function furtherParts(limit: number): readonly ListPart[] {
  const count = Math.max(0, Math.ceil(limit / mostAtOnce) - 1);
  return Array.from({ length: count }, (_, at) => {
    const offset = (at + 1) * mostAtOnce;
    return { offset, limit: Math.min(mostAtOnce, limit - offset) };
  });
}

/** The linked rows of one part. */
export function useLinkedPart(cell: OpenedCell, other: TableEntity, tag: string, part: ListPart) {
  const request = pageRequest(cell, other, { excluded: false, search: '', ...part });
  return useServerData<FoundPage>(request, { tags: [tag], keepsLast: true });
}

/**
 * Number of linked rows containing a name among which the exact name is searched. If there are more, the exact name is requested.
 */
const mostAlike = 100;

/** Whether the name is the row's name, ignoring case. */
export function isNamed(table: TableEntity, row: Row, name: string): boolean {
  return nameOfRow(table, row).toLowerCase() === name.toLowerCase();
}

/** Whether a row with this name is linked; undefined while this is unknown, and if no name is given. */
export function useIsLinked(
  cell: OpenedCell,
  other: TableEntity,
  links: Pick<ReturnType<typeof useLinks>, 'isOne' | 'isLoading' | 'linked' | 'tag'>,
  name: string | undefined,
): boolean | undefined {
  const isAsked = name !== undefined && !links.isOne;
  const tags = [links.tag];
  const alike = useServerData<FoundPage>(
    isAsked ? namesRequest(cell, other, { name, operator: 'like', limit: mostAlike }) : undefined,
    { tags },
  );
  const isAmong = (rows: readonly Row[]) =>
    name !== undefined && rows.some((row) => isNamed(other, row, name));
  const read = alike.data?.list;
  const areMore = read !== undefined && !isAmong(read) && read.length < (alike.data?.pageInfo.totalRows ?? 0);
  const same = useServerData<FoundPage>(
    isAsked && areMore ? namesRequest(cell, other, { name, operator: 'eq', limit: 1 }) : undefined,
    { tags },
  );
  if (name === undefined) return undefined;
  const one = links.isLoading ? undefined : links.linked;
  const rows = links.isOne ? one : areMore ? same.data?.list : read;
  // If this cannot be found out, linking is still allowed.
  if (rows === undefined) return (areMore ? same.error : alike.error) === undefined ? undefined : false;
  return isAmong(rows);
}

/** The links of one cell, and how to change them. */
export function useLinks(cell: OpenedCell, other: TableEntity) {
  const host = useHost();
  const { t } = host;
  const { project, table, column, rowKey } = cell;
  const rows = useRows({ kind: 'table', project, table });
  const [limit, setLimit] = useState(step);
  const [underWay, setUnderWay] = useState(0);
  /** The rows whose link is being changed: a second press meanwhile means the same change. */
  const changing = useRef(new Set<RowKey>());
  /** The number of changes since the links were first shown. */
  const [version, setVersion] = useState(0);
  const tag = `links:${column.id}:${rowKey}`;
  useLinksLive(cell, () => {
    setVersion((now) => now + 1);
    host.invalidate([tag]);
  });
  const isOne = linkOf(column)?.type === 'bt';
  /** The column that a new row's name is stored in; undefined if a formula or a generated key names the rows. */
  const naming = other.columns?.find(({ pv, virtual, pk }) => pv && virtual !== true && !pk);
  const one = useServerData<Row>(isOne ? rowRequest(cell) : undefined, { tags: [tag] });
  const many = useServerData<FoundPage>(
    isOne
      ? undefined
      : pageRequest(cell, other, { excluded: false, search: '', limit: Math.min(limit, mostAtOnce) }),
    { tags: [tag], keepsLast: true },
  );
  const total = many.data?.pageInfo.totalRows ?? 0;
  const linked = isOne ? linkedRowsOf(one.data?.[column.title]) : (many.data?.list ?? []);

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setUnderWay((now) => now + 1);
    try {
      await work();
      return true;
    } catch (error) {
      host.toast({
        severity: 'error',
        summary: t('The link could not be changed'),
        detail: messageOfError(error, t),
        life: 6000,
      });
      return false;
    } finally {
      setUnderWay((now) => now - 1);
      setVersion((now) => now + 1);
      host.invalidate([tag, `row:${table.id}:${rowKey}`]);
    }
  }

  const change = (method: 'POST' | 'DELETE', key: RowKey, step?: EditStep) =>
    rows.perform({ method, path: linkPath(cell, key) }, step);

  async function changeOnce(method: 'POST' | 'DELETE', key: RowKey): Promise<boolean> {
    if (changing.current.has(key)) return false;
    changing.current.add(key);
    try {
      return await attempt(() => change(method, key));
    } finally {
      changing.current.delete(key);
    }
  }

  return {
    /** The linked rows, up to one answer's maximum. */
    linked,
    /** The further parts of the list, which are read one by one. */
    further: furtherParts(Math.min(limit, total)),
    areMore: !isOne && limit < total,
    /** The cache tag of the links. */
    tag,
    total: isOne ? linked.length : total,
    isLoading: isOne ? one.isLoading : many.isLoading,
    error: isOne ? one.error : many.error,
    retry: isOne ? one.refetch : many.refetch,
    isOne,
    isBusy: underWay > 0,
    version,
    showMore: () => setLimit((now) => now + moreOf(now)),
    /** Links a row; resolves to whether this call did it. */
    add: (key: RowKey) => changeOnce('POST', key),
    remove: (key: RowKey) => changeOnce('DELETE', key),
    /**
     * Adds a row with a name to the linked table and links it, as one step: if the link is refused, the row is removed again.
     * Undefined if new rows cannot be named.
     */
    addNew:
      naming &&
      ((name: string) =>
        attempt(async () => {
          const path = dataPath(project.id, other.id);
          const step: EditStep = { kind: 'edit', count: 1 };
          const body = { [naming.title]: name };
          const made = await rows.perform<Row>({ method: 'POST', path, body }, step);
          const key = keyOfRow(other, made);
          if (key === undefined) return;
          try {
            await change('POST', key, step);
          } catch (error) {
            // The reason for the refusal is reported even if the row could not be removed.
            await rows.undo('undo', step).catch(() => false);
            throw error;
          }
        })),
  };
}
