import type { SettingsSchema } from '@trellis/core';
import type { AskedAs } from './column-type.ts';
import type { PluginAsks } from './plugin-installation.ts';
import type { CellValue, StorageKind } from './storage-kind.ts';

/**
 * The entities of the v1 API as they travel; keys are snake case because its published clients read them so.
 *
 * Flags are real booleans and times are `YYYY-MM-DD HH:mm:ss` in UTC, whatever database holds the metadata.
 */

/** What an account may do outside of projects: `super` administers the server, `user_new` may not create projects yet. @public */
export type AccountRole = 'super' | 'user' | 'user_new';
/** What a member may do in a project, from most to least. @public */
export type ProjectRole = 'owner' | 'creator' | 'editor' | 'commenter' | 'viewer';

/** Who is signed in. @public */
export interface UserEntity {
  readonly id: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
  readonly email_verified: boolean | null;
  /** Where the person's picture is read; null for somebody without one: an extra of ours. */
  readonly picture?: string | null;
  readonly roles: Readonly<Record<string, boolean>>;
  readonly isAuthorized?: boolean;
  /** What the account may do outside of projects, by ids of permissions: an extra of ours. */
  readonly permissions?: readonly string[];
}

/** Where a page stands; `page` counts from 1. @public */
export interface PageInfo {
  readonly totalRows: number;
  /** There may be more rows than `totalRows`: they were not all counted. Absent where they were. */
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

/** A base: one database of a project. `is_meta` is true for our own one. @public */
export interface BaseEntity {
  readonly id: string;
  readonly project_id: string;
  readonly alias: string | null;
  readonly type: string;
  readonly is_meta: boolean;
  /** Whether rows of a database that existed may only be read. */
  readonly read_only?: boolean;
  /** Whether its tables and columns may be changed from here. */
  readonly schema_changes?: boolean;
  readonly inflection_column: string | null;
  readonly inflection_table: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A project, with its bases where one project is read. @public */
export interface ProjectEntity {
  readonly id: string;
  readonly title: string;
  readonly prefix: string | null;
  readonly description: string | null;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly color: string | null;
  readonly status?: null;
  /** What makes a project open to visitors is told by the calls of its link alone. */
  readonly uuid?: null;
  readonly password?: null;
  readonly roles?: null;
  readonly is_meta: boolean;
  readonly deleted: boolean;
  readonly order: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly bases?: readonly BaseEntity[];
  /** The caller's role, an extra of ours. */
  readonly role?: ProjectRole;
  /** What the caller may do in it, by ids of permissions (`tableCreate`): an extra of ours. */
  readonly permissions?: readonly string[];
  /** Another text once the caller's rights in the project are others, tables, columns and rows included: an extra of ours. */
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
  /** Belongs to the primary key. */
  readonly pk: boolean;
  /** Names a row to people. */
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
  /** The kind that its values really sit on, which the column type reads and writes by: an extra of ours. */
  readonly storage: StorageKind;
  readonly order: number;
  /** Computed by the database, or of a type of the database that is not written: an extra of ours. */
  readonly generated?: boolean;
  /** A foreign key that was made for a link of our own tables: people are offered the link in its place. An extra of ours. */
  readonly internal?: boolean;
  /** The caller may read its cells and not write them: an extra of ours. */
  readonly read_only?: boolean;
  /** What the column is for, in words: an extra of ours. */
  readonly description?: string | null;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly validate: string | null;
  readonly colOptions?: unknown;
  /** What the values of a computed column are to whoever asks for them, where that is known: an extra of ours. */
  readonly asked?: AskedAs;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Numbers on the wire of the view types that clients of the v1 API know. @public */
export const viewTypeNumbers = { form: 1, gallery: 2, grid: 3, kanban: 4 } as const;

/** A named group of views in the side bar; lower `order` stands first. @public */
export interface ViewGroup {
  readonly id: string;
  readonly title: string;
  readonly order: number;
}

/** The views of a table, with the groups that they stand in. @public */
export interface ViewList {
  readonly list: readonly ViewEntity[];
  /** In order; an extra of ours. */
  readonly groups: readonly ViewGroup[];
}

/** A view of a table. @public */
export interface ViewEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly fk_model_id: string;
  readonly title: string;
  /** One of `viewTypeNumbers`; a type that has none of its own travels as a grid. */
  readonly type: number;
  /** The view type's id, an extra of ours: what decides how it is drawn. */
  readonly view_type: string;
  readonly is_default: boolean;
  readonly show_system_fields: boolean;
  readonly lock_type: 'collaborative' | 'locked' | 'personal';
  readonly uuid: string | null;
  readonly password: null;
  readonly show: boolean;
  readonly order: number;
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** What it is for, an extra of ours; nothing to visitors of its link. */
  readonly description?: string | null;
  /** The group that it stands in, an extra of ours; nothing to visitors of its link. */
  readonly group_id?: string | null;
  /** Its own icon in place of that of its type, see `isIconName`: an extra of ours; nothing to visitors of its link. */
  readonly icon?: string | null;
  /** The name of whoever made it, an extra of ours, where members ask and it is known. */
  readonly made_by?: string | null;
  /** Whether that is whoever asks, an extra of ours, where members ask. */
  readonly made_by_me?: boolean;
  /** The roles of a project, each with whether the view is not listed for it, where members ask. */
  readonly disabled?: Readonly<Record<string, boolean>>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A view as members find it in lists, which also name its table, and itself a second time. @public */
export interface ListedViewEntity extends ViewEntity {
  /** The name of its table in the database. */
  readonly ptn: string;
  /** The title of its table. */
  readonly _ptn: string;
  readonly ptype: TableEntity['type'];
  /** Its own title, both of them. */
  readonly tn: string;
  readonly _tn: string;
  /** Clients of the v1 API know a record of each view by its type; there is one alone, which is the view. */
  readonly view: Pick<ViewEntity, 'base_id' | 'project_id' | 'created_at' | 'updated_at'> & {
    readonly fk_view_id: string;
  };
}

/** A table or a view of the database; with columns and views where one table is read, without in lists. @public */
export interface TableEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly table_name: string;
  readonly title: string;
  readonly type: 'table' | 'view';
  readonly mm: boolean;
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** The schema that it stands in is that of its base. */
  readonly schema?: null;
  readonly order: number;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly columns?: readonly ColumnEntity[];
  readonly views?: readonly ViewEntity[];
  readonly columnsById?: Readonly<Record<string, ColumnEntity>>;
  /** Other tables whose rows the cells are made of, over its own links and over those of further tables: an extra of ours. */
  readonly reached_tables?: readonly string[];
  /** Why rows cannot be changed, in words: an extra of ours. */
  readonly readOnlyReason?: string;
  /** Permissions that the caller has in the project and not in this table: an extra of ours. */
  readonly denied?: readonly string[];
}

/** How wide a column is shown of whose width nothing is said. Pixels. @public */
export const usualColumnWidth = 180;

/** How a view shows one column; `width` in pixels, as `180px`. @public */
export interface ViewColumnEntity {
  readonly id: string;
  readonly fk_view_id: string;
  readonly fk_column_id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly width: string;
  /** Whether somebody chose the width; a grid else shows the column as wide as its type says. An extra of ours. */
  readonly is_width_chosen: boolean;
  readonly show: boolean;
  readonly order: number;
  /** What the view keeps of the column for its type. */
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What hangs on a column. @public */
export interface ColumnUses {
  /** The views that filter or sort by it, or that name it in their options: to group rows by it, for example. */
  readonly views: readonly {
    readonly id: string;
    readonly title: string;
    readonly filters: boolean;
    readonly sorts: boolean;
    readonly options: boolean;
  }[];
  /** The columns of any table that are computed from it; of a link, its other end too. */
  readonly columns: readonly (ColumnInTable & {
    /** Whether deleting the column deletes this one as well. */
    readonly goes: boolean;
  })[];
  /** Whether it names the rows of its table. */
  readonly namesRows: boolean;
}

/** A column, and the title of the table that it is in. @public */
export interface ColumnInTable {
  readonly id: string;
  readonly title: string;
  readonly table: string;
}

/** What hangs on a table beside its own columns and views. @public */
export interface TableUses {
  /** The columns, here or elsewhere, that show links between this table and others. It is not deleted while there are any. */
  readonly links: readonly ColumnInTable[];
}

/** What a change of a column would make of its values: of some rows of the table, in the order of its key. @public */
export interface ColumnTrial {
  /** False where all values stay as they are, so that there is nothing to look at. */
  readonly converts: boolean;
  /** Rows of the table; told with the first part. */
  readonly rows?: number;
  /** Rows that this part looked at. */
  readonly seen: number;
  /** Those of them with a value. */
  readonly values: number;
  /** Values that cannot be converted. */
  readonly lost: number;
  /** Of rows and columns that the caller may read: first some that are lost, then some that would be another text. */
  readonly samples: readonly ColumnTrialSample[];
  /** Columns whose options name values that become others, such as formulas that compare with an option; told with the first part. */
  readonly naming?: readonly NamingColumn[];
  /** What else the change brings, beside what becomes of the values; told with the first part. */
  readonly notices?: readonly TrialNotice[];
  /** Where the next part begins; undefined after the last one. */
  readonly next: string | undefined;
}

/** What people should know before a change, by its code and its params as an error is told. @public */
export interface TrialNotice {
  readonly msg: string;
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A column whose options name values of another one, which are about to become others. @public */
export interface NamingColumn extends ColumnInTable {
  /** Whether it names the new values from then on, unless the change says `keepFormulas`. */
  readonly follows: boolean;
  /** Whether it still names former values afterwards, so that its author had better look at it. */
  readonly remains: boolean;
}

/** A value before and after. @public */
export interface ColumnTrialSample {
  readonly from: string;
  /** `null` where the cell would be empty. */
  readonly to: string | null;
  /** Whether the value, or a part of it, cannot be converted. */
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

/** One filter of a view: a condition, or a group (`is_group`) that others name as `fk_parent_id`. @public */
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
  /** The filters of a group: an extra of ours, so that one answer holds the whole tree. */
  readonly children?: readonly FilterEntity[];
  readonly order: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A plugin as the app store page lists it. @public */
export interface PluginEntity {
  readonly id: string;
  readonly name: string;
  /** The one that runs, or would run; empty when it cannot be read. */
  readonly version: string;
  /** Those of an installed plugin that lie on the server, the newest first; empty for a built-in one. */
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
  /** Why it is incompatible, failed or degraded, in words for the operator. */
  readonly reason?: string;
  readonly errors: readonly { readonly at: string; readonly where: string; readonly message: string }[];
  /** What of a degraded one is out of service because it failed too often: "tap on rows.willCreate", "'Rating' in columnTypes". */
  readonly suspended: readonly string[];
  /** What of a degraded one failed too often where it must be asked, in the same words: what it fails on is refused. */
  readonly refusing: readonly string[];
  /** What it still needs, and where it does otherwise than its manifest says, a sentence each; for one that runs. */
  readonly notices: readonly string[];
  readonly dependencies: readonly string[];
  readonly dependents: readonly string[];
  readonly contributes: Readonly<Record<string, readonly string[]>>;
  /** What people call that, by registry and id, as the manifest or the running plugin says; some of it has no name. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly builtIn: boolean;
  readonly hasSettings: boolean;
  /** Titles of required settings that have no value: it cannot work before they have. */
  readonly missingSettings: readonly string[];
  /** What an installed one asks for, and to which nobody has agreed yet. */
  readonly unagreed: PluginAsks;
  /**
   * What an installed one was called for since this server started: its setup, routes, hooks and jobs. The milliseconds are those until
   * its answers came, what it waited for included.
   */
  readonly work?: { readonly calls: number; readonly milliseconds: number; readonly longest: number };
}

/** A plugin's settings as their form shows them: secrets are masked, and sent back masked they stay as they are. @public */
export interface PluginSettingsForm {
  readonly schema: SettingsSchema;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether somebody saved settings; without that the values are the defaults. */
  readonly isSet: boolean;
  /** Whether the plugin can try settings out. */
  readonly testable: boolean;
}
