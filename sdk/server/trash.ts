import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { ProjectSchema, TableSchema } from './schema.ts';

/** A deleted table or column that is kept for a while. @public */
export interface TrashItem {
  readonly kind: 'table' | 'column';
  readonly id: string;
  readonly title: string;
  /** The column type's id; absent for a table. */
  readonly type?: string;
  /** The table of a column. */
  readonly table?: { readonly id: string; readonly title: string };
  /** `YYYY-MM-DD HH:mm:ss` in UTC. */
  readonly deletedAt: string;
  /** When it will be dropped for good, in the same form. */
  readonly dropsAt: string;
  /** False for objects in an external database: purging removes them from the list, and does not change the database. */
  readonly own: boolean;
}

/** A deleted project that is kept for a while. @public */
export interface DeletedProject extends Pick<ProjectSchema, 'id' | 'title' | 'color'> {
  readonly deletedAt: string;
  readonly dropsAt: string;
}

/**
 * Objects deleted in the last 30 days, which can be restored or purged.
 *
 * A restored object has its values, and its place in the views that it was in; if its title was taken meanwhile, it gets a
 * number. Restoring and purging require the permission to delete. An item that is not in the trash is 404 `TRASH_NOT_FOUND`.
 * @public
 */
export interface Trash {
  /** Deleted tables, and deleted columns of existing tables, last deleted first. Requires `tableDelete`. */
  list(scope: AccessScope): Promise<readonly TrashItem[]>;
  /** Throws 409 `TRASH_GONE` when the database no longer has the table. */
  restoreTable(scope: AccessScope, tableId: string): Promise<TableSchema>;
  /**
   * Returns the column's table. The column is required and unique as before if its rows still allow it. Throws 409 `TRASH_GONE`
   * when the database no longer has the column, and 409 `TRASH_TABLE_DELETED` while its table is deleted.
   */
  restoreColumn(scope: AccessScope, columnId: string): Promise<TableSchema>;
  /** Drops the table now, for good. */
  purgeTable(scope: AccessScope, tableId: string): Promise<void>;
  purgeColumn(scope: AccessScope, columnId: string): Promise<void>;
  /** The deleted projects that the caller owned or built. Requires `projectRestore`, as `restoreProject`. */
  listProjects(scope: AccessScope): Promise<readonly DeletedProject[]>;
  /** Throws 409 `FILE_OPEN` when its SQLite file was opened as another project meanwhile. */
  restoreProject(scope: AccessScope, projectId: string): Promise<ProjectSchema>;
  /** Drops a project that `listProjects` names, with its tables, for good. Requires `projectPurge`. */
  purgeProject(scope: AccessScope, projectId: string): Promise<void>;
}
/** What was deleted, on its way back or out. @public */
export const TrashToken = createToken<Trash>('trash');
