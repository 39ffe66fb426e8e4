import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';

/** Where rows are put in the order of their table, which views have that are not sorted: beside another row. @public */
export interface RowPlace {
  readonly side: 'before' | 'after';
  readonly row: RowKey;
}

/** Whether rows of a table can be put beside others: the tables of a database that was there before have no order of their own. @public */
export function keepsRowOrder(
  project: Pick<ProjectEntity, 'bases'>,
  table: Pick<TableEntity, 'base_id' | 'readOnlyReason'>,
): boolean {
  const base = project.bases?.find(({ id }) => id === table.base_id);
  return base?.is_meta === true && table.readOnlyReason === undefined;
}

/** What a call says of the place; nothing where it has none. */
export function queryOfPlace(place: RowPlace | undefined): ApiRequest['query'] {
  return place && { [place.side]: place.row };
}
