import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import { hasPermission, withinTable } from '../permissions.ts';

/** What a person may do to the rows of a table. @public */
export interface RowRights {
  /** One row; a form adds one as well. */
  readonly add: boolean;
  /** Several rows in one call: copies, and what is pasted. */
  readonly addMany: boolean;
  readonly change: boolean;
  readonly delete: boolean;
}

/**
 * What the person may do to the rows of a table: nothing where the table is read only. By the permissions of the calls that `RowsClient`
 * makes, so that nothing is offered that the server refuses.
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
