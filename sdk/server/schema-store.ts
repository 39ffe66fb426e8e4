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

/** What a client may say of a new column; everything else is derived. @public */
export interface ColumnInput {
  readonly title?: string;
  /** Kept when it is a plain, free, unreserved name, else derived from the title. */
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
  /** What the column is for; people read it at its title. */
  readonly description?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Where it goes in the view that it was added from. */
  readonly order?: number;
  /** The view that it was added from: shows it although it hides others, unless it is open to people who are no members. */
  readonly viewId?: string;
  /** For a column of a backup: see `VirtualColumnPlace.isRestored`. */
  readonly restored?: boolean;
}

/**
 * A link that is to be made between two tables of a base. The parent is the side whose rows are pointed at; of `manyToMany` the
 * side whose column gets the title. @public
 */
export interface LinkInput {
  /** `belongsTo`: the column that was asked for is the child's; else the parent's. */
  readonly kind: LinkSchema['kind'];
  readonly parentId: string;
  readonly childId: string;
  /** The title of the column at the other end; made from the title of the table there where left out. */
  readonly inverseTitle?: string;
  /** Without a foreign key in the database. */
  readonly virtual?: boolean;
  readonly onDelete?: LinkAction;
  readonly onUpdate?: LinkAction;
}

/** What a client may change of a column. @public */
export interface ColumnPatch extends Partial<ColumnInput> {
  /**
   * The options that the client saw when it made those of `meta`. What others changed since then stays, and where both changed the
   * same thing the change is refused with 409 `OPTIONS_CHANGED`; without it `meta` takes the place of whatever there is.
   */
  readonly metaBefore?: Readonly<Record<string, unknown>>;
}

/** A column whose cells are computed, as it might be made or changed. @public */
export interface ColumnDraft {
  /** The column that is to have other options; undefined for a new one. */
  readonly columnId?: string | undefined;
  readonly type: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What a client may say of a new table. @public */
export interface TableInput {
  readonly title?: string;
  readonly tableName?: string;
  readonly columns: readonly ColumnInput[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An existing database to be opened as a base. @public */
export interface ExternalBaseInput {
  /** The id of a base kind, or another name for it. */
  readonly type: string;
  /** As clients of the v1 API describe it, each kind in its own way; read only where `settings` is absent. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the form of the kind asks for. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly alias?: string;
  readonly inflectionTable?: 'camelize' | 'none';
  readonly inflectionColumn?: 'camelize' | 'none';
}

/** What a client may say of a new project. @public */
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
 * Every change is one job (intent, DDL, metadata, done) that survives a kill at each step. Deleting parks: the object is
 * hidden at once and dropped after 30 days. Each method requires its permission of the scope.
 * @public
 */
export interface SchemaStore {
  /**
   * The projects that the caller is a member of, and that the credential is not limited against; all of them for the server itself. Behind
   * them, without a role, the others for those who may `projectRescue`, who can open none of these.
   */
  listProjects(
    scope: AccessScope,
  ): Promise<readonly (ProjectSchema & { readonly role: string | undefined })[]>;
  /**
   * A part of the projects that the caller is a member of: those with a table whose title holds the text, however it is written in capitals,
   * in the order of `listProjects`. Which tables of a project a caller may know is said by a `snapshot` of it in that project's own scope.
   */
  listProjectsWithTable(
    scope: AccessScope,
    text: string,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ProjectSchema[]>;
  /**
   * The project as the caller may know it: without hidden columns, personal views of others, and tables that are reached through
   * no view of a shared link. Throws 404 for a project that the scope does not name.
   */
  snapshot(scope: AccessScope): Promise<ProjectSnapshot>;
  /** The table as the caller may know it, or 404: ids and titles of other projects answer like ids never issued. */
  table(scope: AccessScope, nameOrId: string): Promise<TableSchema>;
  /**
   * The table, and the view where one is named, as what `RowStore` takes. 404 for a table that is not there, a view of another
   * table, the personal view of somebody else, and without a view for a caller who is limited to some. A value when the schema is
   * in memory, else a promise.
   *
   * The handle holds all columns and views, hidden ones too, because stores judge by them: show a caller `table` instead.
   */
  open(scope: AccessScope, tableNameOrId: string, viewNameOrId?: string): TableHandle | Promise<TableHandle>;
  /** The caller becomes its owner. `external` opens an existing database and reads its tables. */
  createProject(scope: AccessScope, input: ProjectInput): Promise<ProjectSchema>;
  updateProject(scope: AccessScope, patch: Partial<Omit<ProjectInput, 'external'>>): Promise<ProjectSchema>;
  deleteProject(scope: AccessScope): Promise<void>;
  /** SQLite files of the configured folder that may be opened as a base. */
  listSqliteFiles(scope: AccessScope): Promise<readonly { readonly name: string; readonly bytes: number }[]>;

  createTable(scope: AccessScope, input: TableInput): Promise<TableSchema>;
  updateTable(
    scope: AccessScope,
    tableId: string,
    patch: { title?: string; meta?: Readonly<Record<string, unknown>> },
  ): Promise<TableSchema>;
  reorderTable(scope: AccessScope, tableId: string, order: number): Promise<void>;
  /** What keeps the table from being deleted, as far as the caller may know of it. */
  tableUses(scope: AccessScope, tableId: string): Promise<TableUses>;
  /** Throws 400 `LINKED_TABLE` while columns show links between the table and others. */
  deleteTable(scope: AccessScope, tableId: string): Promise<void>;

  createColumn(scope: AccessScope, tableId: string, input: ColumnInput): Promise<TableSchema>;
  /**
   * Adds a column like this one, with its values and without its rules (required, unique); without a title it is called "... copy".
   * The answer is the table.
   *
   * @param like.viewId see `ColumnInput.viewId`
   */
  duplicateColumn(
    scope: AccessScope,
    columnId: string,
    like?: Pick<ColumnInput, 'title' | 'viewId'>,
  ): Promise<TableSchema>;
  /**
   * Opens a table as it would be with a column whose cells are computed, or with other options of one: its rows can be read with what
   * stands in the column then. Nothing is kept.
   *
   * @throws TrellisError as `createColumn` and `updateColumn` do
   */
  openDraft(
    scope: AccessScope,
    tableId: string,
    draft: ColumnDraft,
  ): Promise<{ readonly handle: TableHandle; readonly column: ColumnSchema }>;
  /** The columns of a table, by id, whose cells are empty since what they are computed by has become too large, and what is told of it. */
  columnsTooLarge(scope: AccessScope, tableId: string): Promise<ReadonlyMap<string, TrellisError>>;
  /** What would notice a change or the deletion of the column, as far as the caller may know of it. */
  columnUses(scope: AccessScope, columnId: string): Promise<ColumnUses>;
  /**
   * Looks at what `updateColumn` with this patch would do to the values, and changes nothing: at as many rows as `forMs`
   * milliseconds have room for (default 1000; at least one page of rows). The part behind is asked for with `next` as `after`.
   *
   * @throws TrellisError as `updateColumn` does, and 409 `SCHEMA_CHANGED` where the project changed between two parts.
   */
  tryColumnUpdate(
    scope: AccessScope,
    columnId: string,
    patch: ColumnPatch,
    options?: { readonly after?: string; readonly forMs?: number; readonly signal?: AbortSignal },
  ): Promise<ColumnTrial>;
  /** A change of type converts the values; cells that cannot be converted keep the old column beside the new one. */
  updateColumn(scope: AccessScope, columnId: string, patch: ColumnPatch): Promise<TableSchema>;
  deleteColumn(scope: AccessScope, columnId: string): Promise<TableSchema>;
  setDisplayColumn(scope: AccessScope, columnId: string): Promise<void>;
}
