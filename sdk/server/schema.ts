import type { LogicalOp, StorageKind, ViewGroup } from '../shared/index.ts';

/**
 * The schema of one project, immutable, keyed by generation.
 *
 * Requests read a snapshot; a write checks the generation again inside its transaction. Maps are complete: they hold
 * system columns and hidden tables, and rights are applied by whoever reads them.
 * @public
 */
export interface ProjectSnapshot {
  readonly generation: number;
  readonly project: ProjectSchema;
  readonly bases: ReadonlyMap<string, BaseSchema>;
  readonly tables: ReadonlyMap<string, TableSchema>;
  /** Every link by id; each foreign key is two of them, one from each side. */
  readonly links: ReadonlyMap<string, LinkSchema>;
  /** By id or by title, ignoring nothing. */
  table(nameOrId: string): TableSchema | undefined;
  column(columnId: string): ColumnSchema | undefined;
  view(viewId: string): ViewSchema | undefined;
}

/** A project as the server keeps it. Times are `YYYY-MM-DD HH:mm:ss` in UTC. @public */
export interface ProjectSchema {
  readonly id: string;
  readonly title: string;
  readonly prefix: string;
  readonly description: string | undefined;
  readonly color: string | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly order: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A data source: the metadata database itself (`own`) or an external database. @public */
export interface BaseSchema {
  readonly id: string;
  readonly projectId: string;
  readonly alias: string | undefined;
  readonly own: boolean;
  /** The id of a database's dialect: `sqlite`, `postgres`, `mysql`. */
  readonly dialect: string;
  readonly readOnlyReason: string | undefined;
  /** Whether tables and columns may be changed from here: always in our own database, elsewhere where somebody allowed it. */
  readonly schemaChanges: boolean;
  /** Another one whenever the connection of a base that existed was changed. */
  readonly revision: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A table with its columns and views. @public */
export interface TableSchema {
  readonly id: string;
  readonly projectId: string;
  readonly baseId: string;
  readonly title: string;
  /** The name in the database. */
  readonly tableName: string;
  readonly kind: 'table' | 'view';
  /** True for a table that only holds the links of a many-to-many relation. */
  readonly junction: boolean;
  readonly order: number;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** In order. Parked columns are not among them. */
  readonly columns: readonly ColumnSchema[];
  readonly columnById: ReadonlyMap<string, ColumnSchema>;
  readonly columnByTitle: ReadonlyMap<string, ColumnSchema>;
  readonly columnByName: ReadonlyMap<string, ColumnSchema>;
  /** In key order; empty means that rows cannot be named, so the table is read-only. */
  readonly primaryKey: readonly ColumnSchema[];
  /**
   * The hidden column by which rows are ordered that people arranged by hand, made when the first row is put beside another one. It is
   * none of `columns`: nobody reads or writes it but the row store.
   */
  readonly rowOrder?: ColumnSchema | undefined;
  /** The column that names a row to people. */
  readonly displayColumn: ColumnSchema | undefined;
  /** The links that start at this table. */
  readonly links: readonly LinkSchema[];
  readonly views: readonly ViewSchema[];
  /** The groups that people sort its views into, in order; one may be empty. */
  readonly viewGroups: readonly ViewGroup[];
  readonly defaultView: ViewSchema | undefined;
  /** Why rows cannot be changed, in words, or undefined. */
  readonly readOnlyReason: string | undefined;
}

/** What a foreign key does to a row when the row that it points at is deleted or gets another key. @public */
export type LinkAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';

/**
 * A way from the rows of one table to rows of another, as seen from one side. Column ids stand in the order of the key; the
 * rows that belong together have equal values in `columns` and `toColumns`, for `manyToMany` by way of a row of `through`.
 * @public
 */
export interface LinkSchema {
  readonly id: string;
  readonly baseId: string;
  /** `belongsTo`: this table holds the foreign key, so a row has one linked row at the most. */
  readonly kind: 'belongsTo' | 'hasMany' | 'manyToMany';
  readonly title: string;
  readonly tableId: string;
  readonly columnIds: readonly string[];
  readonly toTableId: string;
  readonly toColumnIds: readonly string[];
  readonly through:
    | {
        /** The junction table. */
        readonly tableId: string;
        /** Its columns that name the row of `tableId`. */
        readonly columnIds: readonly string[];
        /** Its columns that name the row of `toTableId`. */
        readonly toColumnIds: readonly string[];
      }
    | undefined;
  /** The same link as seen from the other side. */
  readonly inverseId: string;
  /** The name of the foreign key in the database, where there is one. */
  readonly constraint: string | undefined;
  readonly onDelete: LinkAction | undefined;
  readonly onUpdate: LinkAction | undefined;
}

/** A column as the server keeps it. @public */
export interface ColumnSchema {
  readonly id: string;
  readonly tableId: string;
  readonly title: string;
  /** The name in the database; empty for a virtual column. */
  readonly columnName: string;
  /** The column type's id. Its plugin may be absent. */
  readonly type: string;
  readonly storage: StorageKind;
  /** The type as the database names it: `varchar`, `numeric`. */
  readonly nativeType: string;
  readonly length: string | undefined;
  readonly precision: string | undefined;
  readonly scale: string | undefined;
  /** The type that takes over when `type` is gone for good. */
  readonly fallback: string;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly autoUpdate: boolean;
  readonly required: boolean;
  readonly unsigned: boolean;
  readonly unique: boolean;
  /** True for the one column that names a row to people. */
  readonly display: boolean;
  /** True for `created_at`, `updated_at`, foreign keys, generated keys and what is marked system: left out of lists unless asked for. */
  readonly system: boolean;
  /** Computed by the database: never in an INSERT or UPDATE list. */
  readonly generated: boolean;
  readonly defaultValue: string | undefined;
  /** What the column is for. */
  readonly description?: string | undefined;
  readonly order: number;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The link that the column shows, see `TableSchema.links`; undefined for columns that show none. */
  readonly linkId: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A saved way to look at a table. @public */
export interface ViewSchema {
  readonly id: string;
  readonly tableId: string;
  readonly title: string;
  /** The view type's id: `grid`. */
  readonly type: string;
  readonly isDefault: boolean;
  readonly showSystemFields: boolean;
  /** `locked`: nobody changes how it looks; `personal`: only its owner sees and changes it. */
  readonly lockType: 'collaborative' | 'locked' | 'personal';
  /** The account of a personal view. */
  readonly ownerId: string | undefined;
  /** The account that made it; undefined for one that came with its table, and for those of before this was kept. */
  readonly madeBy: string | undefined;
  /** What it is for; members read it, visitors of its link do not. */
  readonly description: string | undefined;
  /** The group of `TableSchema.viewGroups` that it stands in; one that is gone counts as none. */
  readonly groupId?: string | undefined;
  /** Its own icon in place of that of its type, see `isIconName`. */
  readonly icon?: string | undefined;
  readonly order: number;
  /** What the view keeps for its type: see `ViewTypeDefinition.options`. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly columns: readonly ViewColumnSchema[];
  readonly sorts: readonly SortSchema[];
  /** Root filters; groups hold theirs. */
  readonly filters: readonly FilterSchema[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How a view shows one column. @public */
export interface ViewColumnSchema {
  readonly id: string;
  readonly viewId: string;
  readonly columnId: string;
  readonly show: boolean;
  readonly order: number;
  /** Pixels; undefined where nobody has chosen them. */
  readonly width: number | undefined;
  /** What the view keeps of the column for its type: see `ViewTypeDefinition.columnOptions`. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One sort of a view; lower `order` sorts first. @public */
export interface SortSchema {
  readonly id: string;
  readonly viewId: string;
  readonly columnId: string;
  readonly direction: 'asc' | 'desc';
  readonly order: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One filter of a view: a condition, or a group of filters. @public */
export interface FilterSchema {
  readonly id: string;
  readonly viewId: string;
  readonly parentId: string | undefined;
  readonly isGroup: boolean;
  readonly logicalOp: LogicalOp;
  readonly columnId: string | undefined;
  readonly operator: string | undefined;
  /** JSON of the saved value. */
  readonly value: unknown;
  readonly order: number;
  readonly children: readonly FilterSchema[];
  readonly createdAt: string;
  readonly updatedAt: string;
}
