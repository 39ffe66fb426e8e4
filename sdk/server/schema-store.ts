import type { ColumnTrial, ColumnUses, TableUses, TrellisError } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type {
  ColumnSchema,
  LinkAction,
  LinkSchema,
  ProjectSchema,
  ProjectSnapshot,
  TableSchema,
} from './schema.ts';
import type { TableHandle } from './table-handle.ts';

/** A client's input for a new column; everything else is derived. @public */
export interface ColumnInput {
  readonly title?: string;
  /** Used if it is a plain, free, unreserved name, else a name is derived from the title. */
  readonly columnName?: string;
  readonly type: string;
  readonly nativeType?: string;
  readonly length?: string;
  readonly precision?: string;
  readonly scale?: string;
  readonly primaryKey?: boolean;
  readonly autoIncrement?: boolean;
  readonly autoUpdate?: boolean;
  readonly required?: boolean;
  readonly unsigned?: boolean;
  readonly unique?: boolean;
  readonly defaultValue?: string;
  /** The description, which people read at the title. */
  readonly description?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Its place in the view that it was added from. */
  readonly order?: number;
  /** The view that it was added from. The view shows it even if it hides other columns, unless it is open to non-members. */
  readonly viewId?: string;
  /** True for a column from a backup: see `VirtualColumnPlace.isRestored`. */
  readonly restored?: boolean;
}

/**
 * The input for a new link between two tables of a base. The parent is the table whose rows are referred to; for `manyToMany` it
 * is the side whose column gets the title. @public
 */
export interface LinkInput {
  /** `belongsTo`: the requested column belongs to the child; otherwise to the parent. */
  readonly kind: LinkSchema['kind'];
  readonly parentId: string;
  readonly childId: string;
  /** The title of the column at the other end; by default made from the title of its table. */
  readonly inverseTitle?: string;
  /** True for a link without a foreign key in the database. */
  readonly virtual?: boolean;
  readonly onDelete?: LinkAction;
  readonly onUpdate?: LinkAction;
}

/** A client's changes to a column. @public */
export interface ColumnPatch extends Partial<ColumnInput> {
  /**
   * The options that the client had read before it changed `meta`. Changes by others since then are kept; if both changed the
   * same part, the change is refused with 409 `OPTIONS_CHANGED`. Without it, `meta` replaces the present options.
   */
  readonly metaBefore?: Readonly<Record<string, unknown>>;
}

/** A computed column as it could be made or changed. @public */
export interface ColumnDraft {
  /** The column whose options would change; undefined for a new one. */
  readonly columnId?: string | undefined;
  readonly type: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A client's input for a new table. @public */
export interface TableInput {
  readonly title?: string;
  readonly tableName?: string;
  readonly columns: readonly ColumnInput[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An existing database to be opened as a base. @public */
export interface ExternalBaseInput {
  /** The id or an alias of a base kind. */
  readonly type: string;
  /** The config in the form of the v1 API, which depends on the kind; only read without `settings`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The settings in the form of the kind's schema. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly alias?: string;
  readonly inflectionTable?: 'camelize' | 'none';
  readonly inflectionColumn?: 'camelize' | 'none';
}

/** A client's input for a new project. @public */
export interface ProjectInput {
  readonly title: string;
  readonly description?: string;
  readonly color?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly external?: ExternalBaseInput;
}

/**
 * Projects, bases, tables and columns: metadata and the database's own schema, kept in step by recorded jobs.
 *
 * Every change is one job (intent, DDL, metadata, done) that survives a kill at each step. Deleting an object parks it: it is
 * hidden at once and dropped after 30 days. Each method requires its permission of the scope.
 * @public
 */
export interface SchemaStore {
  /**
   * The projects that the caller is a member of, within the limits of its credential; all projects for the server itself. For
   * callers who may `projectRescue`, the other projects follow without a role; they cannot open these.
   */
  listProjects(
    scope: AccessScope,
  ): Promise<readonly (ProjectSchema & { readonly role: string | undefined })[]>;
  /**
   * The caller's projects that have a table whose title contains the text, ignoring case, in the order of `listProjects`. To
   * learn which tables of a project the caller may see, take a `snapshot` in that project's own scope.
   */
  listProjectsWithTable(
    scope: AccessScope,
    text: string,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ProjectSchema[]>;
  /**
   * The project as the caller may see it: without hidden columns, other people's personal views, and tables that no view of a
   * shared link reaches. Throws 404 for a project that the scope does not name.
   */
  snapshot(scope: AccessScope): Promise<ProjectSnapshot>;
  /** The table as the caller may see it, or 404: ids and titles of other projects are answered like ids that were never issued. */
  table(scope: AccessScope, nameOrId: string): Promise<TableSchema>;
  /**
   * The table, and the view if one is named, as a handle for `RowStore`. 404 for a missing table, a view of another table,
   * somebody else's personal view, and without a view for a caller who is limited to some. Not a promise if the schema is in
   * memory.
   *
   * The handle contains all columns and views, including hidden ones, because stores need them: show a caller the result of
   * `table` instead.
   */
  open(scope: AccessScope, tableNameOrId: string, viewNameOrId?: string): TableHandle | Promise<TableHandle>;
  /** Makes a project; the caller becomes its owner. With `external`, opens an existing database and reads its tables. */
  createProject(scope: AccessScope, input: ProjectInput): Promise<ProjectSchema>;
  updateProject(scope: AccessScope, patch: Partial<Omit<ProjectInput, 'external'>>): Promise<ProjectSchema>;
  deleteProject(scope: AccessScope): Promise<void>;
  /** SQLite files in the configured folder that may be opened as a base. */
  listSqliteFiles(scope: AccessScope): Promise<readonly { readonly name: string; readonly bytes: number }[]>;

  createTable(scope: AccessScope, input: TableInput): Promise<TableSchema>;
  updateTable(
    scope: AccessScope,
    tableId: string,
    patch: { title?: string; meta?: Readonly<Record<string, unknown>> },
  ): Promise<TableSchema>;
  reorderTable(scope: AccessScope, tableId: string, order: number): Promise<void>;
  /** The uses that keep the table from being deleted, as far as the caller may see them. */
  tableUses(scope: AccessScope, tableId: string): Promise<TableUses>;
  /** Throws 400 `LINKED_TABLE` while columns show links between the table and others. */
  deleteTable(scope: AccessScope, tableId: string): Promise<void>;

  createColumn(scope: AccessScope, tableId: string, input: ColumnInput): Promise<TableSchema>;
  /**
   * Adds a copy of a column, with its values and without its rules (required, unique); by default its title is "... copy".
   * Returns the table.
   *
   * @param like.viewId see `ColumnInput.viewId`
   */
  duplicateColumn(
    scope: AccessScope,
    columnId: string,
    like?: Pick<ColumnInput, 'title' | 'viewId'>,
  ): Promise<TableSchema>;
  /**
   * Opens a table as it would be with a new computed column, or with other options of one, so that its rows can be read with the
   * column's values. Nothing is saved.
   *
   * @throws TrellisError as `createColumn` and `updateColumn` do
   */
  openDraft(
    scope: AccessScope,
    tableId: string,
    draft: ColumnDraft,
  ): Promise<{ readonly handle: TableHandle; readonly column: ColumnSchema }>;
  /**
   * The computed columns of a table, by id, whose cells are empty because the computation has become too large, with the message
   * for people.
   */
  columnsTooLarge(scope: AccessScope, tableId: string): Promise<ReadonlyMap<string, TrellisError>>;
  /** The uses that a change or deletion of the column would affect, as far as the caller may see them. */
  columnUses(scope: AccessScope, columnId: string): Promise<ColumnUses>;
  /**
   * Tries what `updateColumn` with this patch would do to the values, and changes nothing. It reads as many rows as it can within
   * `forMs` milliseconds (default 1000; at least one page of rows). Pass `next` as `after` for the next part.
   *
   * @throws TrellisError as `updateColumn` does, and 409 `SCHEMA_CHANGED` if the project changed between two parts.
   */
  tryColumnUpdate(
    scope: AccessScope,
    columnId: string,
    patch: ColumnPatch,
    options?: { readonly after?: string; readonly forMs?: number; readonly signal?: AbortSignal },
  ): Promise<ColumnTrial>;
  /** A change of type converts the values. If cells cannot be converted, the old column is kept beside the new one. */
  updateColumn(scope: AccessScope, columnId: string, patch: ColumnPatch): Promise<TableSchema>;
  deleteColumn(scope: AccessScope, columnId: string): Promise<TableSchema>;
  setDisplayColumn(scope: AccessScope, columnId: string): Promise<void>;
}
