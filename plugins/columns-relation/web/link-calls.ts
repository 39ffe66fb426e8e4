import {
  formatRowKey,
  type CellValue,
  type ColumnEntity,
  type Row,
  type RowKey,
  type TableEntity,
} from '@trellis/sdk/shared';
import {
  type AnswerProps,
  type ApiRequest,
  type OpenedCell,
  type ServerData,
  useTable,
  useVisitedView,
  visitedCall,
  type VisitedView,
} from '@trellis/sdk/web';
import type { LinkAction, LinkedRow } from '../shared/index.ts';

/** What `colOptions` of a link column says. */
interface LinkColOptions {
  readonly type?: 'hm' | 'bt' | 'mm' | null;
  readonly fk_related_model_id?: string;
  readonly fk_mm_model_id?: string | null;
  readonly fk_mm_child_column_id?: string | null;
  readonly fk_child_column_id?: string | null;
  readonly fk_parent_column_id?: string | null;
  readonly virtual?: boolean | null;
  readonly dr?: LinkAction | null;
  readonly ur?: LinkAction | null;
}

export interface LinkOf {
  readonly type: 'hm' | 'bt' | 'mm';
  readonly tableId: string;
  /** The table that holds the links, where it is neither of the two. */
  readonly junctionId: string | undefined;
  /** The column of that table that points to this one. */
  readonly junctionColumnId: string | undefined;
  /** The column of the table that points to the other one. */
  readonly childColumnId: string | undefined;
  /** The column that it points to. */
  readonly parentColumnId: string | undefined;
  /** Whether the database watches over it. */
  readonly isHeld: boolean;
  readonly onDelete: LinkAction | undefined;
  readonly onUpdate: LinkAction | undefined;
}

/** Where a link column leads; undefined while its link is gone. */
export function linkOf({ colOptions }: ColumnEntity): LinkOf | undefined {
  const { type, fk_related_model_id: tableId, ...of } = (colOptions ?? {}) as LinkColOptions;
  if (type === undefined || type === null || tableId === undefined) return undefined;
  return {
    type,
    tableId,
    junctionId: of.fk_mm_model_id ?? undefined,
    junctionColumnId: of.fk_mm_child_column_id ?? undefined,
    childColumnId: of.fk_child_column_id ?? undefined,
    parentColumnId: of.fk_parent_column_id ?? undefined,
    isHeld: of.virtual !== true,
    onDelete: of.dr ?? undefined,
    onUpdate: of.ur ?? undefined,
  };
}

export function tableRequest(tableId: string): ApiRequest {
  return { path: `/api/v1/db/meta/tables/${encodeURIComponent(tableId)}` };
}

/** The part of a row that names it as a linked one: the key first, then what names it to people, as cells hold linked rows. */
export function linkedRowOf({ columns = [] }: TableEntity, row: Row): LinkedRow {
  const parts = columns.filter(({ pk, pv }) => pk || pv).toSorted((a, b) => Number(a.pv) - Number(b.pv));
  return Object.fromEntries(parts.map(({ title }) => [title, row[title] ?? null]));
}

/** How a table is read with its columns, as visitors of a view are told of it too. */
export function useLinkedTableData(
  tableId: string | undefined,
): Pick<ServerData<TableEntity>, 'data' | 'error' | 'refetch'> {
  const visit = useVisitedView();
  const { data, error, refetch } = useTable(visit === undefined ? tableId : undefined);
  return { data: visit === undefined ? data : visit.tables?.[tableId ?? ''], error, refetch };
}

/** The table of `useLinkedTableData`; undefined while it is read, or where none is meant. */
export function useLinkedTable(tableId: string | undefined): TableEntity | undefined {
  return useLinkedTableData(tableId).data;
}

/** The key of a row, or of the part of it that a cell holds; undefined where the cell lacks a part of the key. */
export function keyOf(table: TableEntity, row: Row): RowKey | undefined {
  const keys = (table.columns ?? []).filter(({ pk }) => pk);
  const values = keys.map(({ title }): CellValue | undefined => row[title]);
  return keys.length === 0 || values.some((value) => value === undefined || value === null)
    ? undefined
    : formatRowKey(values as CellValue[]);
}

/** What names a row to people. */
export function displayOf(table: TableEntity, row: Row): string {
  const column = table.columns?.find(({ pv }) => pv);
  const value = column === undefined ? undefined : row[column.title];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** Where the links of a cell are read and written. */
export function linkPath({ project, table, column, rowKey }: OpenedCell, end = ''): string {
  const parts = [project.id, table.id, rowKey].map(encodeURIComponent).join('/');
  const type = linkOf(column)?.type ?? 'hm';
  return `/api/v1/db/data/noco/${parts}/${type}/${encodeURIComponent(column.id)}${end}`;
}

/** Types whose values are too long for a line, or whose texts are no names, such as the addresses of files. */
const notInALine = new Set(['LongText', 'JSON', 'Attachment', 'GeoShape']);

/** The titles of a linked table that a list of its rows shows: the key, what names a row, and a few fields to tell rows apart. */
export function fieldsOf(table: TableEntity): readonly string[] {
  const columns = table.columns ?? [];
  const own = columns.filter(({ pk, pv }) => pk || pv);
  const others = columns
    .filter(
      ({ pk, pv, system, virtual, uidt }) =>
        !pk && !pv && !system && virtual !== true && !notInALine.has(uidt),
    )
    .slice(0, 3);
  return [...own, ...others].map(({ title }) => title);
}

/** A page of linked rows, or of those that could be. */
export function pageRequest(
  cell: OpenedCell,
  other: TableEntity,
  of: { readonly excluded: boolean; readonly search: string; readonly limit: number },
): ApiRequest {
  return { path: linkPath(cell, of.excluded ? '/exclude' : ''), query: searchOf(other, of) };
}

/** A page of the rows that a new row could be linked to. */
export function answersRequest(
  { column, project }: Pick<AnswerProps, 'column' | 'project'>,
  other: TableEntity,
  of: { readonly search: string; readonly limit: number; readonly visit: VisitedView | undefined },
): ApiRequest {
  return candidatesRequest({ column, project, visit: of.visit }, other, searchOf(other, of));
}

/** The rows that a new row could be linked to, as they are asked for. */
export function candidatesRequest(
  {
    column,
    project,
    visit,
  }: Pick<AnswerProps, 'column' | 'project'> & { readonly visit: VisitedView | undefined },
  other: TableEntity,
  query: ApiRequest['query'],
): ApiRequest {
  if (visit) return { ...visitedCall(visit, `nested/${encodeURIComponent(column.id)}`), query };
  const table = ['noco', project?.id ?? '', other.id].map(encodeURIComponent).join('/');
  return { path: `/api/v1/db/data/${table}`, query };
}

function searchOf(other: TableEntity, of: { readonly search: string; readonly limit: number }) {
  const display = other.columns?.find(({ pv }) => pv);
  const words = of.search.trim();
  const filters =
    words === '' || display === undefined
      ? []
      : [{ fk_column_id: display.id, comparison_op: 'like', value: words, logical_op: 'and' }];
  return {
    fields: fieldsOf(other).join(','),
    limit: String(of.limit),
    ...(filters.length > 0 && { filterArrJson: JSON.stringify(filters) }),
  };
}

export interface LinkedPage {
  readonly list: readonly Row[];
  readonly pageInfo: { readonly totalRows: number };
}

/** The linked rows that a cell shows as it is read from its row, for links that lead to one row. */
export function rowRequest({ project, table, column, rowKey }: OpenedCell): ApiRequest {
  const parts = [project.id, table.id, rowKey].map(encodeURIComponent).join('/');
  return { path: `/api/v1/db/data/noco/${parts}`, query: { fields: column.title } };
}
