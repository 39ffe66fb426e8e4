import type { LogicalOp, StorageKind, ViewGroup } from '../shared/index.ts';

/**
 * The schema of one project, immutable, keyed by generation.
 *
 * Requests read a snapshot; a write checks the generation again inside its transaction. Maps are complete: they contain system
 * columns and hidden tables, and the code that reads them must apply the caller's rights.
 * @public
 */
export interface ProjectSnapshot {
  readonly generation: number;
  readonly project: ProjectSchema;
  readonly bases: ReadonlyMap<string, BaseSchema>;
  readonly tables: ReadonlyMap<string, TableSchema>;
  /** All links by id; each foreign key has two, one from each side. */
  readonly links: ReadonlyMap<string, LinkSchema>;
  /** By exact id or title. */
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
  /** The id of the database's dialect: `sqlite`, `postgres`, `mysql`. */
  readonly dialect: string;
  readonly readOnlyReason: string | undefined;
  /** Whether this product may change tables and columns: always in the server's own database, elsewhere if somebody allowed it. */
  readonly schemaChanges: boolean;
  /** Changes whenever the connection of an external base changes. */
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
  /** True for a table that only contains the links of a many-to-many relation. */
  readonly junction: boolean;
  readonly order: number;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** In order, without parked columns. */
  readonly columns: readonly ColumnSchema[];
  readonly columnById: ReadonlyMap<string, ColumnSchema>;
  readonly columnByTitle: ReadonlyMap<string, ColumnSchema>;
  readonly columnByName: ReadonlyMap<string, ColumnSchema>;
  /** In key order; empty means that rows cannot be named, so the table is read-only. */
  readonly primaryKey: readonly ColumnSchema[];
  /**
   * The hidden column that keeps the order in which people arranged rows, made when the first row is placed next to another one.
   * It is not in `columns`: only the row store reads and writes it.
   */
  readonly rowOrder?: ColumnSchema | undefined;
  /** The display column, which names rows to people. */
  readonly displayColumn: ColumnSchema | undefined;
  /** The links that start at this table. */
  readonly links: readonly LinkSchema[];
  readonly views: readonly ViewSchema[];
  /** The groups of its views, in order; a group may be empty. */
  readonly viewGroups: readonly ViewGroup[];
  readonly defaultView: ViewSchema | undefined;
  /** Why rows cannot be changed, as text; undefined if they can. */
  readonly readOnlyReason: string | undefined;
}

/** The action of a foreign key when the row that it refers to is deleted or gets another key. @public */
export type LinkAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';

/**
 * A link from the rows of one table to rows of another, seen from one side. Column ids are in the order of the key. Linked rows
 * have equal values in `columns` and `toColumns`; for `manyToMany` they are connected by a row of `through`.
 * @public
 */
export interface LinkSchema {
  readonly id: string;
  readonly baseId: string;
  /** `belongsTo`: this table has the foreign key, so a row has at most one linked row. */
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
        /** Its columns that refer to the row of `tableId`. */
        readonly columnIds: readonly string[];
        /** Its columns that refer to the row of `toTableId`. */
        readonly toColumnIds: readonly string[];
      }
    | undefined;
  /** The id of the same link seen from the other side. */
  readonly inverseId: string;
  /** The name of the foreign key in the database, if there is one. */
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
  /** The type's name in the database: `varchar`, `numeric`. */
  readonly nativeType: string;
  readonly length: string | undefined;
  readonly precision: string | undefined;
  readonly scale: string | undefined;
  /** The type that replaces `type` when its plugin is removed for good. */
  readonly fallback: string;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly autoUpdate: boolean;
  readonly required: boolean;
  readonly unsigned: boolean;
  readonly unique: boolean;
  /** True for the display column. */
  readonly display: boolean;
  /** True for `created_at`, `updated_at`, foreign keys, generated keys and columns marked as system: lists omit them by default. */
  readonly system: boolean;
  /** Computed by the database: never part of an INSERT or UPDATE. */
  readonly generated: boolean;
  readonly defaultValue: string | undefined;
  /** The description of the column. */
  readonly description?: string | undefined;
  readonly order: number;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The link that the column shows, see `TableSchema.links`; undefined if it shows none. */
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
  /** `locked`: nobody can change how it looks; `personal`: only its owner sees and changes it. */
  readonly lockType: 'collaborative' | 'locked' | 'personal';
  /** The account of a personal view. */
  readonly ownerId: string | undefined;
  /** The account that made it; undefined for one that came with its table, and for views from before this was stored. */
  readonly madeBy: string | undefined;
  /** The description, for members only and not for visitors of its link. */
  readonly description: string | undefined;
  /** Its group in `TableSchema.viewGroups`; a missing group counts as none. */
  readonly groupId?: string | undefined;
  /** Its own icon instead of its type's, see `isIconName`. */
  readonly icon?: string | undefined;
  readonly order: number;
  /** The options of the view's type: see `ViewTypeDefinition.options`. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly columns: readonly ViewColumnSchema[];
  readonly sorts: readonly SortSchema[];
  /** The root filters; groups contain their own. */
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
  /** Pixels; undefined if nobody chose a width. */
  readonly width: number | undefined;
  /** The column's options for the view's type: see `ViewTypeDefinition.columnOptions`. */
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
