import type { CellValue, LogicalOp, SortKey, ViewEntity, ViewGroup } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { FilterSchema, SortSchema, TableSchema, ViewColumnSchema, ViewSchema } from './schema.ts';

/**
 * Views, and which columns, sorts and filters they have. Each method requires its permission of the scope, `create` that of the
 * view's type (`gridViewCreate`); for a personal view of the caller's own `personalViewEdit` is enough to make, change and delete it.
 * How a view shows its table takes `viewArrange`, or what its type says (`optionsPermission`); the rest of `update` takes `viewUpdate`.
 * An unknown id is 404, and so is the personal view of somebody else; a locked view refuses
 * changes with 400. The view's type checks and may complete what is saved: 400 `VIEW_OPTIONS_INVALID` names what does not fit
 * its schemas, a `Veto` of its rules goes through, and options of a type whose plugin is off are 409 `VIEW_TYPE_DISABLED`.
 * @public
 */
export interface ViewStore {
  create(
    scope: AccessScope,
    tableId: string,
    input: {
      title: string;
      /** The id of a view type in the registry `viewTypes`. */
      type: string;
      copyFrom?: string;
      showSystemFields?: boolean;
      /** The description, at most 2,000 characters. */
      description?: string | null;
      /** Default: the group of `copyFrom`. */
      groupId?: string | null;
      icon?: string | null;
      /** Makes a view that only its maker sees. */
      lockType?: 'personal' | undefined;
      /** The view's options, as its type describes them. */
      meta?: Readonly<Record<string, unknown>>;
    },
  ): Promise<ViewSchema>;
  update(
    scope: AccessScope,
    viewId: string,
    patch: {
      title?: string;
      order?: number;
      showSystemFields?: boolean;
      lockType?: ViewSchema['lockType'];
      /** True makes it the view that its table opens with, replacing the former one; a personal view is refused. */
      isDefault?: true;
      /** Empty or null for none. */
      description?: string | null;
      /** One of the table's groups; null for none. */
      groupId?: string | null;
      /** See `isIconName`; null for that of its type. */
      icon?: string | null;
      meta?: Readonly<Record<string, unknown>>;
      /** The options that the client had read, as `ColumnPatch.metaBefore` for a column. */
      metaBefore?: Readonly<Record<string, unknown>>;
    },
  ): Promise<ViewSchema>;
  delete(scope: AccessScope, viewId: string): Promise<void>;
  /** Adds a group after the table's others. Its title must be unique in the table. */
  createGroup(scope: AccessScope, tableId: string, title: string): Promise<ViewGroup>;
  updateGroup(
    scope: AccessScope,
    tableId: string,
    groupId: string,
    patch: { title?: string; order?: number },
  ): Promise<ViewGroup>;
  /** Removes a group; its views stay, outside of groups. */
  deleteGroup(scope: AccessScope, tableId: string, groupId: string): Promise<void>;
  /** Shows or hides all columns except the named ones; returns the number of columns changed. */
  setAllColumns(
    scope: AccessScope,
    viewId: string,
    show: 'show' | 'hide',
    except: readonly string[],
  ): Promise<number>;
  setColumn(
    scope: AccessScope,
    viewId: string,
    columnId: string,
    patch: {
      show?: boolean;
      order?: number;
      width?: number;
      /** The column's options, as the view's type describes them; also requires the permission to set options. */
      meta?: Readonly<Record<string, unknown>>;
      /**
       * The options that the caller had read before it changed `meta`: changes by others since then are kept, and if both changed
       * the same part, the change is refused with 409 `OPTIONS_CHANGED`.
       */
      metaBefore?: Readonly<Record<string, unknown>>;
    },
  ): Promise<ViewColumnSchema>;
  createSort(
    scope: AccessScope,
    viewId: string,
    input: { columnId: string; direction: 'asc' | 'desc'; order?: number },
  ): Promise<SortSchema>;
  updateSort(
    scope: AccessScope,
    sortId: string,
    patch: { columnId?: string; direction?: 'asc' | 'desc'; order?: number },
  ): Promise<SortSchema>;
  deleteSort(scope: AccessScope, sortId: string): Promise<void>;
  /**
   * Replaces the sorts that the scope sees by a whole list; a column that stays keeps its sort's id. Refused with `SORTS_CHANGED`
   * if `replaces` is given and differs from the present sorts.
   */
  setSorts(
    scope: AccessScope,
    viewId: string,
    sorts: readonly SortKey[],
    replaces?: readonly SortKey[],
  ): Promise<readonly SortSchema[]>;
  createFilter(scope: AccessScope, viewId: string, input: FilterInput): Promise<FilterSchema>;
  updateFilter(scope: AccessScope, filterId: string, patch: Partial<FilterInput>): Promise<FilterSchema>;
  deleteFilter(scope: AccessScope, filterId: string): Promise<void>;
  /**
   * Replaces the filters that the scope sees by a whole tree; filters named by id keep their ids. Refused with `FILTERS_CHANGED`
   * if `replaces` is given and differs from the present filters.
   */
  setFilters(
    scope: AccessScope,
    viewId: string,
    filters: readonly FilterInput[],
    replaces?: readonly FilterInput[],
  ): Promise<readonly FilterSchema[]>;
}

/** Views in the form of answers. @public */
export interface ViewEntities {
  /**
   * The views of a table on the wire, with the parts that plugins add (hook `views.willTell`). The given table must only contain
   * the views that the scope sees.
   */
  of(scope: AccessScope, table: TableSchema): Promise<readonly ViewEntity[]>;
}

/** A filter to save: a group with `children`, or a condition of column, operator and value. @public */
export interface FilterInput {
  /** The id of an existing filter, when a whole tree is saved. */
  readonly id?: string;
  readonly columnId?: string;
  readonly operator?: string;
  readonly value?: CellValue;
  readonly logicalOp?: LogicalOp;
  readonly isGroup?: boolean;
  readonly parentId?: string;
  readonly order?: number;
  readonly children?: readonly FilterInput[];
}
