import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';

/** A position in the table's own row order, which unsorted views use: beside another row. @public */
export interface RowPlace {
  readonly side: 'before' | 'after';
  readonly row: RowKey;
}

/** Whether rows of a table can be placed beside others: tables of existing databases have no row order of their own. @public */
export function keepsRowOrder(
  project: Pick<ProjectEntity, 'bases'>,
  table: Pick<TableEntity, 'base_id' | 'readOnlyReason'>,
): boolean {
  const base = project.bases?.find(({ id }) => id === table.base_id);
  return base?.is_meta === true && table.readOnlyReason === undefined;
}

/** The query for a position; nothing without one. */
export function queryOfPlace(place: RowPlace | undefined): ApiRequest['query'] {
  return place && { [place.side]: place.row };
}
