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
      /** An id of the registry `viewTypes`. */
      type: string;
      copyFrom?: string;
      showSystemFields?: boolean;
      /** What it is for: at most 2,000 characters. */
      description?: string | null;
      /** Default: those of `copyFrom`. */
      groupId?: string | null;
      icon?: string | null;
      /** One that its maker alone sees. */
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
      /** True makes it the view that its table opens with, in place of the former one; no personal view can be it. */
      isDefault?: true;
      /** Empty or null for none. */
      description?: string | null;
      /** One of the table's groups; null for none. */
      groupId?: string | null;
      /** See `isIconName`; null for that of its type. */
      icon?: string | null;
      meta?: Readonly<Record<string, unknown>>;
      /** The options that the client saw, as `ColumnPatch.metaBefore` of a column. */
      metaBefore?: Readonly<Record<string, unknown>>;
    },
  ): Promise<ViewSchema>;
  delete(scope: AccessScope, viewId: string): Promise<void>;
  /** Adds a group behind the others of the table. Its title is one that no other group of the table has. */
  createGroup(scope: AccessScope, tableId: string, title: string): Promise<ViewGroup>;
  updateGroup(
    scope: AccessScope,
    tableId: string,
    groupId: string,
    patch: { title?: string; order?: number },
  ): Promise<ViewGroup>;
  /** Takes a group away; its views stay, outside of groups. */
  deleteGroup(scope: AccessScope, tableId: string, groupId: string): Promise<void>;
  /** Shows or hides every column but the ones named; gives the number of columns changed. */
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
      /** The column's options, as the view's type describes them; asks for the permission to set options as well. */
      meta?: Readonly<Record<string, unknown>>;
      /**
       * The options that the caller saw when it made those of `meta`: what others changed since is kept, and where both changed the same
       * thing the change is refused with 409 `OPTIONS_CHANGED`.
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
   * Puts a whole list in the place of the sorts that the scope sees; the sort of a column that stays is the same sort. Refused
   * with `SORTS_CHANGED` where `replaces` is given and is not what stands there.
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
   * Puts a whole tree in the place of the filters that the scope sees; those that it names by their ids stay the same filters.
   * Refused with `FILTERS_CHANGED` where `replaces` is given and is not what stands there.
   */
  setFilters(
    scope: AccessScope,
    viewId: string,
    filters: readonly FilterInput[],
    replaces?: readonly FilterInput[],
  ): Promise<readonly FilterSchema[]>;
}

/** Views as calls answer them. @public */
export interface ViewEntities {
  /**
   * The views of a table as they travel, with what plugins keep of them (hook `views.willTell`): those that the table has, which is what the
   * scope sees of them.
   */
  of(scope: AccessScope, table: TableSchema): Promise<readonly ViewEntity[]>;
}

/** A filter to save: a group with `children`, or a condition of column, operator and value. @public */
export interface FilterInput {
  /** The filter that it is, where a whole tree is saved. */
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
