import {
  dataPath,
  parseRowKey,
  type ColumnEntity,
  type Row,
  type RowKey,
  type TableEntity,
} from '@trellis/sdk/shared';
import {
  askedByName,
  tellingFields,
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

/** The `colOptions` of a link column. */
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
  /** The junction table; undefined if one of the two tables holds the links. */
  readonly junctionId: string | undefined;
  /** The junction table's column that points to this table. */
  readonly junctionColumnId: string | undefined;
  /** The column that points to the other table. */
  readonly childColumnId: string | undefined;
  /** The column that it points to. */
  readonly parentColumnId: string | undefined;
  /** Whether a constraint of the database enforces it. */
  readonly isHeld: boolean;
  readonly onDelete: LinkAction | undefined;
  readonly onUpdate: LinkAction | undefined;
}

/** The target of a link column; undefined while its link is missing. */
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

/** The part of a row that cells with links contain: the key first, then the display value. */
export function linkedRowOf({ columns = [] }: TableEntity, row: Row): LinkedRow {
  const parts = columns.filter(({ pk, pv }) => pk || pv).toSorted((a, b) => Number(a.pv) - Number(b.pv));
  return Object.fromEntries(parts.map(({ title }) => [title, row[title] ?? null]));
}

/** The table with its columns, in the form that visitors of a shared view may also read. */
export function useLinkedTableData(
  tableId: string | undefined,
): Pick<ServerData<TableEntity>, 'data' | 'error' | 'refetch'> {
  const visit = useVisitedView();
  const { data, error, refetch } = useTable(visit === undefined ? tableId : undefined);
  return { data: visit === undefined ? data : visit.tables?.[tableId ?? ''], error, refetch };
}

/** The table of `useLinkedTableData`; undefined while it is loading or if no id is given. */
export function useLinkedTable(tableId: string | undefined): TableEntity | undefined {
  return useLinkedTableData(tableId).data;
}

/** The path for a cell's links. */
export function linkPath(
  { project, table, column, rowKey }: OpenedCell,
  ...further: readonly string[]
): string {
  return dataPath(project.id, table.id, rowKey, linkOf(column)?.type ?? 'hm', column.id, ...further);
}

/** Maximum number of rows in one answer of the server. */
export const mostAtOnce = 1000;

/** A page of linked rows, or of candidates. */
export function pageRequest(
  cell: OpenedCell,
  other: TableEntity,
  of: {
    readonly excluded: boolean;
    readonly search: string;
    readonly limit: number;
    readonly offset?: number;
  },
): ApiRequest {
  const { offset = 0 } = of;
  const path = of.excluded ? linkPath(cell, 'exclude') : linkPath(cell);
  return { path, query: { ...askedByName(other, of), ...(offset > 0 && { offset: String(offset) }) } };
}

/** The names of linked rows that equal or contain a name. */
export function namesRequest(
  cell: OpenedCell,
  other: TableEntity,
  of: { readonly name: string; readonly operator: 'eq' | 'like'; readonly limit: number },
): ApiRequest {
  const naming = other.columns?.find(({ pv }) => pv);
  const fields = (other.columns ?? []).filter(({ pk, pv }) => pk || pv).map(({ title }) => title);
  const filters =
    naming === undefined
      ? []
      : [{ fk_column_id: naming.id, comparison_op: of.operator, value: of.name, logical_op: 'and' }];
  return {
    path: linkPath(cell),
    query: { fields: fields.join(','), limit: String(of.limit), filterArrJson: JSON.stringify(filters) },
  };
}

interface CandidatesOf extends Pick<AnswerProps, 'column'> {
  readonly project?: { readonly id: string } | undefined;
}

/** A page of rows that a new row can be linked to. */
export function answersRequest(
  { column, project }: CandidatesOf,
  other: TableEntity,
  of: { readonly search: string; readonly limit: number; readonly visit: VisitedView | undefined },
): ApiRequest {
  return candidatesRequest({ column, project, visit: of.visit }, other, askedByName(other, of));
}

/** The request for rows that a new row can be linked to. */
export function candidatesRequest(
  { column, project, visit }: CandidatesOf & { readonly visit: VisitedView | undefined },
  other: TableEntity,
  query: ApiRequest['query'],
): ApiRequest {
  if (visit) return { ...visitedCall(visit, `nested/${encodeURIComponent(column.id)}`), query };
  return { path: dataPath(project?.id ?? '', other.id), query };
}

/** The table's rows with these keys, as far as the requester may see them. */
export function rowsOfKeysRequest(of: CandidatesOf, other: TableEntity, keys: readonly RowKey[]): ApiRequest {
  const ends = (other.columns ?? []).filter(({ pk }) => pk);
  const children = keys.flatMap((key) => {
    const parts = parseRowKey(key, ends.length);
    if (ends.length === 0 || parts === undefined) return [];
    const same = ends.map(({ id }, index) => ({
      fk_column_id: id,
      comparison_op: 'eq',
      value: parts[index] ?? '',
      logical_op: 'and',
    }));
    return [{ is_group: true, logical_op: 'or', children: same }];
  });
  return candidatesRequest({ ...of, visit: undefined }, other, {
    fields: tellingFields(other).join(','),
    limit: String(keys.length),
    filterArrJson: JSON.stringify(children),
  });
}

/** The linked rows that are read with the cell's row, for links that lead to one row. */
export function rowRequest({ project, table, column, rowKey }: OpenedCell): ApiRequest {
  return { path: dataPath(project.id, table.id, rowKey), query: { fields: column.title } };
}
