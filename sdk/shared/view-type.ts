import type { SettingsSchema } from '@trellis/core';
import type { MovedConditions } from './moved-conditions.ts';
import type { FilterNode } from './query-tree.ts';

/**
 * The pure part of a view type, imported by both halves so that what its views keep cannot drift.
 *
 * A view keeps *options* (one object) and *column options* (one object for each column, beside whether, where and how wide it
 * is shown). Both are checked against these schemas and completed with their defaults whenever they are saved, and travel as
 * `meta` of the view and of the view's column. The server's half may have rules on top (`ViewType.willSave`); the web half
 * brings the panels, or leaves them to forms that the page makes of the schemas.
 *
 * How kinds of views use it:
 *
 * - **Form**: its heading, message and address as options; `label`, `help` and `required` as column options. Its rules show
 *   every column that the table requires, and refuse to hide one.
 * - **Gallery**: the cover's column id as an option. Its rules take the first attachment column where none is chosen.
 * - **Kanban**: the stacked column's id, and the stacks in their order, as options. Its rules refuse a table without a select
 *   column, take the first one where none is chosen, and add a stack for each choice that has none yet.
 * - **Calendar**: a list of ranges, each with the ids of its columns from and to, as an option; a colour as a column option.
 *   Its rules refuse columns that hold no dates.
 *
 * A type that names a column in its options follows it with the hook `columns.willDelete`, and draws what is left when a named
 * column has gone or has another type since.
 * @public
 */
export interface ViewTypeDefinition {
  /** Stored in the database as the view's type, so it never changes: `grid`. */
  readonly id: string;
  readonly label: string;
  /**
   * The options of a view. Without a schema a view can store any object, unchecked. It cannot contain secrets: everybody who sees
   * a view sees its options.
   */
  readonly options?: SettingsSchema;
  /** The options of each column in a view. Without a schema nothing is stored. */
  readonly columnOptions?: SettingsSchema;
  /**
   * The column options after values of a column of the table have changed, such as a renamed option; use `moved.filters` for
   * conditions. Called for each column before the change is saved, in the same transaction; it must be quick. Without it they
   * stay as they are.
   */
  movedColumnOptions?(
    options: Readonly<Record<string, unknown>>,
    moved: MovedConditions,
  ): Readonly<Record<string, unknown>>;
  /**
   * The names of options that change how rows look but not which rows are shown, such as their height. In a view that is locked
   * or not theirs to arrange, people can set them for themselves. The web half draws the result of `useShownViewOptions`.
   */
  readonly ownOptions?: readonly string[];
  /**
   * The permission to set the options of views and of their columns; default `viewArrange`, which editors have. For a type whose
   * options do more than show a table, such as sending mail. Without the permission, people cannot have personal views of the
   * type either, unless they may make any view.
   */
  readonly optionsPermission?: string;
  /** How visitors can use a view of the type by its link. Without it such views cannot be shared. */
  readonly sharing?: ViewSharing;
}

/** How views of a type are shared by link. @public */
export interface ViewSharing {
  /** `read`: visitors see the rows and columns that the view shows; `submit`: visitors add rows with these columns, and read none. */
  readonly visitors: 'read' | 'submit';
  /** The first part of the link: `form` for `/nc/form/<uuid>`. */
  readonly word: 'view' | 'form' | 'gallery' | 'kanban' | 'calendar';
  /** The ids of columns that the view needs besides those it shows, given its options, such as the one that a kanban stacks by. */
  needs?(options: Readonly<Record<string, unknown>>): readonly string[];
  /**
   * Whether visitors know of a column that the view shows, given its column options. Others are hidden from them, and values that
   * they send for those are dropped. Default: they know of all.
   */
  isForVisitors?(columnOptions: Readonly<Record<string, unknown>>): boolean;
  /**
   * The ids of columns by whose values the view reads its rows in parts, such as a kanban's stacks or a calendar's visible days.
   * The view itself uses conditions on them, even if its link allows no searches.
   */
  readsBy?(options: Readonly<Record<string, unknown>>): readonly string[];
  /**
   * Conditions of the view besides its filters, such as those of a kanban with hidden stacks. Visitors do not get rows that do
   * not meet them.
   *
   * @param metaOf returns a column's `meta`, such as the options of a select
   */
  conditions?(
    options: Readonly<Record<string, unknown>>,
    metaOf: (columnId: string) => Readonly<Record<string, unknown>> | undefined,
  ): readonly FilterNode[];
  /**
   * The options of selects that the view hides, such as those of a kanban's hidden stacks. Visitors get them neither with the
   * columns nor with the view. Which rows they see is decided by `conditions`.
   *
   * @param options the view's options that visitors otherwise get
   */
  withoutHidden?(options: Readonly<Record<string, unknown>>): {
    readonly hiddenIds: readonly string[];
    /** The view's options without the hidden ones. */
    readonly options: Readonly<Record<string, unknown>>;
  };
  /**
   * The view's options for visitors; by default, and at most, all that its schema declares. They must not contain addresses of
   * people.
   *
   * @param isSeen whether the visitor sees a column
   */
  publicOptions?(
    options: Readonly<Record<string, unknown>>,
    isSeen: (columnId: string) => boolean,
  ): Readonly<Record<string, unknown>>;
  /**
   * The options of a visible column for visitors; by default, and at most, all that its schema declares. They must not contain
   * values or columns that visitors do not see.
   *
   * @param isSeen whether the visitor sees a column
   */
  publicColumnOptions?(
    options: Readonly<Record<string, unknown>>,
    isSeen: (columnId: string) => boolean,
  ): Readonly<Record<string, unknown>>;
  /** Whether it must be known who sends a row again, given the view's options. A browser without an account then gets a cookie. */
  knowsSenders?(options: Readonly<Record<string, unknown>>): boolean;
}

/** Names the pure part of a view type. @public */
export function defineViewType<const Type extends ViewTypeDefinition>(definition: Type): Type {
  return definition;
}
