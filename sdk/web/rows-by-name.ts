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

/** A search for rows whose name contains `search`, with the most results. @public */
export interface RowsAsked {
  readonly search: string;
  readonly limit: number;
}

/** A page of rows in answers of the data routes. @public */
export interface FoundPage {
  readonly list: readonly Row[];
  readonly pageInfo: { readonly totalRows: number };
}

/** The key of a row, or of a linked row in a cell; undefined if a part of the key is missing. @public */
export function keyOfRow(table: TableEntity, row: Row): RowKey | undefined {
  const keys = (table.columns ?? []).filter(({ pk }) => pk);
  const values = keys.map(({ title }): CellValue | undefined => row[title]);
  return keys.length === 0 || values.some((value) => value === undefined || value === null)
    ? undefined
    : formatRowKey(values as CellValue[]);
}

/** The name of a row; empty if its display column is empty. @public */
export function nameOfRow(table: TableEntity, row: Row): string {
  const column = table.columns?.find(({ pv }) => pv);
  const value = column === undefined ? undefined : row[column.title];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** Types whose values are too long for a line, or whose texts are no names, such as the addresses of files. */
const notInALine = new Set(['LongText', 'JSON', 'Attachment', 'GeoShape']);

/** The titles of columns for a list of rows: the key, the display column, and a few fields to distinguish rows. @public */
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

/** The query for rows of a table by a part of their name, for any route that answers rows. @public */
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

/** The request for rows of a whole table, by a part of their name. @public */
export function rowsByName(
  project: Pick<ProjectEntity, 'id'>,
  table: TableEntity,
  asked: RowsAsked,
): ApiRequest {
  return { path: dataPath(project.id, table.id), query: askedByName(table, asked) };
}
