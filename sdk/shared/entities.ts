import type { SettingsSchema } from '@trellis/core';
import type { AskedAs } from './column-type.ts';
import type { PluginAsks } from './plugin-installation.ts';
import type { CellValue, StorageKind } from './storage-kind.ts';

/**
 * The entities of the v1 API on the wire. Keys are in snake case, as its published clients expect. Fields marked as "an extra"
 * are not part of the v1 API.
 *
 * Flags are real booleans and times are `YYYY-MM-DD HH:mm:ss` in UTC, whatever database holds the metadata.
 */

/** What an account may do outside of projects: `super` administers the server, `user_new` may not create projects yet. @public */
export type AccountRole = 'super' | 'user' | 'user_new';
/** What a member may do in a project, from most to least. @public */
export type ProjectRole = 'owner' | 'creator' | 'editor' | 'commenter' | 'viewer';

/** The account that is signed in. @public */
export interface UserEntity {
  readonly id: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
  readonly email_verified: boolean | null;
  /** The address of the person's picture; null if there is none. An extra. */
  readonly picture?: string | null;
  readonly roles: Readonly<Record<string, boolean>>;
  readonly isAuthorized?: boolean;
  /** The account's permissions outside of projects, by id. An extra. */
  readonly permissions?: readonly string[];
}

/** The position of a page in a list; `page` counts from 1. @public */
export interface PageInfo {
  readonly totalRows: number;
  /** There may be more rows than `totalRows`, since not all were counted. Undefined if all were counted. */
  readonly isAtLeast?: true;
  readonly page: number;
  readonly pageSize: number;
  readonly isFirstPage: boolean;
  readonly isLastPage: boolean;
}

/** A part of a list. @public */
export interface Page<Item> {
  readonly list: readonly Item[];
  readonly pageInfo: PageInfo;
}

/** A base: one database of a project. `is_meta` is true for the server's own database. @public */
export interface BaseEntity {
  readonly id: string;
  readonly project_id: string;
  readonly alias: string | null;
  readonly type: string;
  readonly is_meta: boolean;
  /** Whether rows of an external database can only be read. */
  readonly read_only?: boolean;
  /** Whether its tables and columns may be changed in this product. */
  readonly schema_changes?: boolean;
  readonly inflection_column: string | null;
  readonly inflection_table: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A project, with its bases if a single project is read. @public */
export interface ProjectEntity {
  readonly id: string;
  readonly title: string;
  readonly prefix: string | null;
  readonly description: string | null;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly color: string | null;
  readonly status?: null;
  /** Always null: only the calls of a shared base's link tell its id. */
  readonly uuid?: null;
  readonly password?: null;
  readonly roles?: null;
  readonly is_meta: boolean;
  readonly deleted: boolean;
  readonly order: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly bases?: readonly BaseEntity[];
  /** The caller's role. An extra. */
  readonly role?: ProjectRole;
  /** The caller's permissions in it, by id (`tableCreate`). An extra. */
  readonly permissions?: readonly string[];
  /** A text that changes when the caller's rights in the project change, including those on tables, columns and rows. An extra. */
  readonly rights?: string;
}

/** A column. Its short keys are those of the v1 API. @public */
export interface ColumnEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly fk_model_id: string;
  readonly title: string;
  /** The name in the database; null for a virtual column. */
  readonly column_name: string | null;
  /** The column type's id. */
  readonly uidt: string;
  /** The native type: `varchar`. */
  readonly dt: string | null;
  readonly dtx: string | null;
  /** Length, precision of a number, or the quoted titles of the options of a select. */
  readonly dtxp: string | null;
  /** Scale of a number. */
  readonly dtxs: string | null;
  /** Precision of a number. */
  readonly np: string | null;
  /** Scale of a number. */
  readonly ns: string | null;
  /** Length of a text. */
  readonly clen: string | null;
  /** `order` as text. */
  readonly cop: string | null;
  /** The default value, as the database writes it. */
  readonly cdf: string | null;
  readonly ct: string | null;
  /** Part of the primary key. */
  readonly pk: boolean;
  /** The display column, which names rows to people. */
  readonly pv: boolean;
  /** Must have a value. */
  readonly rqd: boolean;
  /** Unsigned. */
  readonly un: boolean;
  /** Counted up by the database. */
  readonly ai: boolean;
  /** Set by the server whenever the row changes. */
  readonly au: boolean;
  readonly unique: boolean;
  readonly system: boolean;
  readonly virtual: boolean | null;
  /** The kind in which its values are stored, by which the column type reads and writes them. An extra. */
  readonly storage: StorageKind;
  readonly order: number;
  /** Computed by the database, or of a database type that cannot be written. An extra. */
  readonly generated?: boolean;
  /** A foreign key that was made for a link of an own table: people see the link instead. An extra. */
  readonly internal?: boolean;
  /** The caller may read its cells but not write them. An extra. */
  readonly read_only?: boolean;
  /** The description of the column. An extra. */
  readonly description?: string | null;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly validate: string | null;
  readonly colOptions?: unknown;
  /** How the values of a computed column are treated by filters and the like, if known. An extra. */
  readonly asked?: AskedAs;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Numbers on the wire for the view types that clients of the v1 API know. @public */
export const viewTypeNumbers = { form: 1, gallery: 2, grid: 3, kanban: 4 } as const;

/** A named group of views in the side bar; a lower `order` comes first. @public */
export interface ViewGroup {
  readonly id: string;
  readonly title: string;
  readonly order: number;
}

/** The views of a table, with their groups. @public */
export interface ViewList {
  readonly list: readonly ViewEntity[];
  /** In order. An extra. */
  readonly groups: readonly ViewGroup[];
}

/** A view of a table. @public */
export interface ViewEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly fk_model_id: string;
  readonly title: string;
  /** One of `viewTypeNumbers`; a type without a number is sent as a grid. */
  readonly type: number;
  /** The view type's id, which decides how it is drawn. An extra. */
  readonly view_type: string;
  readonly is_default: boolean;
  readonly show_system_fields: boolean;
  readonly lock_type: 'collaborative' | 'locked' | 'personal';
  readonly uuid: string | null;
  readonly password: null;
  readonly show: boolean;
  readonly order: number;
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** The description. An extra; not sent to visitors of its link. */
  readonly description?: string | null;
  /** The id of its group. An extra; not sent to visitors of its link. */
  readonly group_id?: string | null;
  /** Its own icon instead of its type's, see `isIconName`. An extra; not sent to visitors of its link. */
  readonly icon?: string | null;
  /** The name of the person who made it, if known. An extra; only for members. */
  readonly made_by?: string | null;
  /** Whether the caller made it. An extra; only for members. */
  readonly made_by_me?: boolean;
  /** For each role of a project, whether the view is hidden from its lists. Only for members. */
  readonly disabled?: Readonly<Record<string, boolean>>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A view in lists for members, which also contain its table's names and its own title again. @public */
export interface ListedViewEntity extends ViewEntity {
  /** The name of its table in the database. */
  readonly ptn: string;
  /** The title of its table. */
  readonly _ptn: string;
  readonly ptype: TableEntity['type'];
  /** Its own title, twice. */
  readonly tn: string;
  readonly _tn: string;
  /** Clients of the v1 API expect a record for each view type; this one is made from the view itself. */
  readonly view: Pick<ViewEntity, 'base_id' | 'project_id' | 'created_at' | 'updated_at'> & {
    readonly fk_view_id: string;
  };
}

/** A table or a view of the database; with columns and views if a single table is read, without them in lists. @public */
export interface TableEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly table_name: string;
  readonly title: string;
  readonly type: 'table' | 'view';
  readonly mm: boolean;
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** Always null: its schema is that of its base. */
  readonly schema?: null;
  readonly order: number;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly columns?: readonly ColumnEntity[];
  readonly views?: readonly ViewEntity[];
  readonly columnsById?: Readonly<Record<string, ColumnEntity>>;
  /** Other tables whose rows appear in the cells, over its own links and links of further tables. An extra. */
  readonly reached_tables?: readonly string[];
  /** Why rows cannot be changed, as text. An extra. */
  readonly readOnlyReason?: string;
  /** Permissions that the caller has in the project but not in this table. An extra. */
  readonly denied?: readonly string[];
}

/** The width in pixels of a column for which none is stored. @public */
export const usualColumnWidth = 180;

/** How a view shows one column; `width` in pixels, as `180px`. @public */
export interface ViewColumnEntity {
  readonly id: string;
  readonly fk_view_id: string;
  readonly fk_column_id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly width: string;
  /** Whether somebody chose the width; otherwise a grid uses the type's width. An extra. */
  readonly is_width_chosen: boolean;
  readonly show: boolean;
  readonly order: number;
  /** The view's options for the column. */
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Everything that uses a column. @public */
export interface ColumnUses {
  /** The views that filter or sort by it, or name it in their options, for example to group rows by it. */
  readonly views: readonly {
    readonly id: string;
    readonly title: string;
    readonly filters: boolean;
    readonly sorts: boolean;
    readonly options: boolean;
  }[];
  /** The columns of any table that are computed from it; for a link, its other end too. */
  readonly columns: readonly (ColumnInTable & {
    /** Whether deleting the column also deletes this one. */
    readonly goes: boolean;
  })[];
  /** Whether it is the display column of its table. */
  readonly namesRows: boolean;
}

/** A column with the title of its table. @public */
export interface ColumnInTable {
  readonly id: string;
  readonly title: string;
  readonly table: string;
}

/** Everything that uses a table besides its own columns and views. @public */
export interface TableUses {
  /** The columns, in any table, that show links between this table and others. The table cannot be deleted while there are any. */
  readonly links: readonly ColumnInTable[];
}

/** How a change of a column would convert its values, for some rows of the table in key order. @public */
export interface ColumnTrial {
  /** False if all values stay as they are, so that there is nothing to try. */
  readonly converts: boolean;
  /** The number of rows of the table; only in the first part. */
  readonly rows?: number;
  /** The number of rows in this part. */
  readonly seen: number;
  /** The number of these rows that have a value. */
  readonly values: number;
  /** The number of values that cannot be converted. */
  readonly lost: number;
  /** Only of rows and columns that the caller may read: first some lost values, then some whose text would change. */
  readonly samples: readonly ColumnTrialSample[];
  /** Columns whose options name values that would change, such as formulas that compare with an option; only in the first part. */
  readonly naming?: readonly NamingColumn[];
  /** Further effects of the change, besides those on values; only in the first part. */
  readonly notices?: readonly TrialNotice[];
  /** The start of the next part; undefined after the last one. */
  readonly next: string | undefined;
}

/** A notice for people before a change, by its code and params like an error. @public */
export interface TrialNotice {
  readonly msg: string;
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A column whose options name values of another column that would change. @public */
export interface NamingColumn extends ColumnInTable {
  /** Whether its options will name the new values, unless the change says `keepFormulas`. */
  readonly follows: boolean;
  /** Whether it will still name former values, so that its author should check it. */
  readonly remains: boolean;
}

/** A value before and after a change. @public */
export interface ColumnTrialSample {
  readonly from: string;
  /** `null` if the cell would be empty. */
  readonly to: string | null;
  /** Whether at least a part of the value cannot be converted. */
  readonly lost: boolean;
}

/** One sort of a view. @public */
export interface SortEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly fk_view_id: string;
  readonly fk_column_id: string;
  readonly direction: 'asc' | 'desc';
  readonly order: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One filter of a view: a condition, or a group (`is_group`) that its members name as `fk_parent_id`. @public */
export interface FilterEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly fk_view_id: string | null;
  readonly fk_hook_id: string | null;
  readonly fk_column_id: string | null;
  readonly fk_parent_id: string | null;
  readonly logical_op: 'and' | 'or' | 'not';
  readonly comparison_op: string | null;
  readonly value: CellValue;
  readonly is_group: boolean | null;
  /** The filters of a group, so that one answer contains the whole tree. An extra. */
  readonly children?: readonly FilterEntity[];
  readonly order: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A plugin as the app store page lists it. @public */
export interface PluginEntity {
  readonly id: string;
  readonly name: string;
  /** The version that runs, or would run; empty when it cannot be read. */
  readonly version: string;
  /** The versions of an installed plugin on the server, the newest first; empty for a built-in one. */
  readonly versions: readonly string[];
  readonly category: string;
  readonly description: string;
  readonly author?: string;
  /** An http(s) address. */
  readonly homepage?: string;
  /** A primeicons name or a path inside its folder. */
  readonly icon?: string;
  readonly system: boolean;
  readonly state:
    'discovered' | 'disabled' | 'starting' | 'enabled' | 'incompatible' | 'failed' | 'degraded' | 'missing';
  /** Why it is incompatible, failed or degraded, for the operator. */
  readonly reason?: string;
  readonly errors: readonly { readonly at: string; readonly where: string; readonly message: string }[];
  /**
   * The parts of a degraded plugin that are out of service because they failed too often: "tap on rows.willCreate", "'Rating' in
   * columnTypes".
   */
  readonly suspended: readonly string[];
  /**
   * The parts of a degraded plugin that failed too often but must still be called, in the same words: operations on which they
   * fail are refused.
   */
  readonly refusing: readonly string[];
  /** What a running plugin still needs, and where it differs from its manifest, a sentence each. */
  readonly notices: readonly string[];
  readonly dependencies: readonly string[];
  readonly dependents: readonly string[];
  readonly contributes: Readonly<Record<string, readonly string[]>>;
  /** The labels of these contributions, by registry and id, from the manifest or the running plugin; some have none. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly builtIn: boolean;
  readonly hasSettings: boolean;
  /** Titles of required settings without a value, which the plugin needs to work. */
  readonly missingSettings: readonly string[];
  /** What an installed plugin asks for without consent. */
  readonly unagreed: PluginAsks;
  /**
   * The calls of an installed plugin since this server started: its setup, routes, hooks and jobs. The milliseconds are those
   * until its answers came, including waiting.
   */
  readonly work?: { readonly calls: number; readonly milliseconds: number; readonly longest: number };
}

/** A plugin's settings for their form. Secrets are masked; a mask that is sent back keeps the secret. @public */
export interface PluginSettingsForm {
  readonly schema: SettingsSchema;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether settings were saved; otherwise the values are the defaults. */
  readonly isSet: boolean;
  /** Whether the plugin can test settings. */
  readonly testable: boolean;
}
