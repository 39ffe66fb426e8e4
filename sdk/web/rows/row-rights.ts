import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import { hasPermission, withinTable } from '../permissions.ts';

/** The rights of a person for the rows of a table. @public */
export interface RowRights {
  /** One row; a form adds one as well. */
  readonly add: boolean;
  /** Several rows in one call: copies, and pasted rows. */
  readonly addMany: boolean;
  readonly change: boolean;
  readonly delete: boolean;
}

/**
 * The rights of a person for the rows of a table: none if the table is read-only. They follow the permissions of the calls of
 * `RowsClient`, so that nothing is offered that the server would refuse.
 *
 * @public
 */
export function rowRights(
  project: Pick<ProjectEntity, 'permissions'>,
  table: Pick<TableEntity, 'denied' | 'readOnlyReason'>,
): RowRights {
  const within = withinTable(project, table);
  const may = (permission: string): boolean =>
    table.readOnlyReason === undefined && hasPermission(permission, within);
  return {
    add: may('dataInsert'),
    addMany: may('bulkDataInsert'),
    change: may('dataUpdate'),
    delete: may('bulkDataDelete'),
  };
}
