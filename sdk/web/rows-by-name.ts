import {
  dataPath,
  formatRowKey,
  type CellValue,
  type ProjectEntity,
  type Row,
  type RowKey,
  type TableEntity,
} from '../shared/index.ts';
import type { ApiRequest } from './api.ts';

/** What is looked for: rows whose name holds `search`, and how many of them. @public */
export interface RowsAsked {
  readonly search: string;
  readonly limit: number;
}

/** A page of rows as the data routes answer it. @public */
export interface FoundPage {
  readonly list: readonly Row[];
  readonly pageInfo: { readonly totalRows: number };
}

/** The key of a row, or of the part of it that a cell holds; undefined where the cell lacks a part of the key. @public */
export function keyOfRow(table: TableEntity, row: Row): RowKey | undefined {
  const keys = (table.columns ?? []).filter(({ pk }) => pk);
  const values = keys.map(({ title }): CellValue | undefined => row[title]);
  return keys.length === 0 || values.some((value) => value === undefined || value === null)
    ? undefined
    : formatRowKey(values as CellValue[]);
}

/** What names a row to people; empty where the row says nothing in the column that names rows. @public */
export function nameOfRow(table: TableEntity, row: Row): string {
  const column = table.columns?.find(({ pv }) => pv);
  const value = column === undefined ? undefined : row[column.title];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** Types whose values are too long for a line, or whose texts are no names, such as the addresses of files. */
const notInALine = new Set(['LongText', 'JSON', 'Attachment', 'GeoShape']);

/** The titles of a table that a list of its rows shows: the key, what names a row, and a few fields to tell rows apart. @public */
export function tellingFields(table: TableEntity): readonly string[] {
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

/** How rows of a table are asked for by a part of their name, as a query of any route that answers rows. @public */
export function askedByName(table: TableEntity, { search, limit }: RowsAsked) {
  const display = table.columns?.find(({ pv }) => pv);
  const words = search.trim();
  const filters =
    words === '' || display === undefined
      ? []
      : [{ fk_column_id: display.id, comparison_op: 'like', value: words, logical_op: 'and' }];
  return {
    fields: tellingFields(table).join(','),
    limit: String(limit),
    ...(filters.length > 0 && { filterArrJson: JSON.stringify(filters) }),
  };
}

/** The rows of a whole table, by a part of their name. @public */
export function rowsByName(
  project: Pick<ProjectEntity, 'id'>,
  table: TableEntity,
  asked: RowsAsked,
): ApiRequest {
  return { path: dataPath(project.id, table.id), query: askedByName(table, asked) };
}
